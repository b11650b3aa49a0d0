import { isRecord, oneLine } from '../base/text.ts';
import type { Provenance } from '../model/facts.ts';
import type { RegistryQuestion } from '../model/registries/registry-client.ts';
import { type Fields, fieldsAt, parseFields, textAt } from './json.ts';

/*
 * What the attestations of a version say of its source. Their signatures are not checked, so each is a claim.
 */

/** Attestations of one version, or of one file. Real ones have two or three. */
const MAX_ATTESTATIONS = 20;

/**
 * `{ "attestations": [{ "predicateType": "…", "bundle": { "dsseEnvelope": { "payload": "…" } } }] }`
 *
 * Source: npm, “Generating provenance statements”; SLSA, “Provenance v0.2” and “Provenance v1”.
 */
export async function npmAttestations(question: RegistryQuestion, url: string): Promise<readonly Provenance[]> {
  const fields = await read(question, url);
  return recordsIn(fields?.['attestations']).flatMap((it) => {
    const statement = statementIn(textOf(fieldsAt(fieldsAt(it, 'bundle'), 'dsseEnvelope')['payload']));
    if (statement && !isAbout(statement, question.name)) return [];
    const type = textAt(it, 'predicateType') ?? (statement && textAt(statement, 'predicateType'));
    const predicate = fieldsAt(statement ?? {}, 'predicate');
    const build = fieldsAt(predicate, 'buildDefinition');
    const workflow = fieldsAt(fieldsAt(build, 'externalParameters'), 'workflow');
    // In the first form, the source is one of the materials.
    const [source = {}] = recordsIn(build['resolvedDependencies'] ?? predicate['materials']);
    const address = textAt(source, 'uri')?.replace(/^git\+|@refs\/.*$/g, '');
    const { gitCommit, sha1 } = fieldsAt(source, 'digest');
    return claim(type, url, textAt(workflow, 'repository') ?? address, textOf(gitCommit ?? sha1));
  });
}

/**
 * `{ "attestation_bundles": [{ "publisher": { "kind": "GitHub", "repository": "acme/core" }, "attestations": […] }] }`
 *
 * Source: PEP 740, “Provenance objects”.
 */
export async function pythonAttestations(question: RegistryQuestion, url: string): Promise<readonly Provenance[]> {
  const fields = await read(question, url);
  return recordsIn(fields?.['attestation_bundles']).flatMap((bundle) => {
    const publisher = fieldsAt(bundle, 'publisher');
    const [kind = '', repository] = [textAt(publisher, 'kind'), textAt(publisher, 'repository')];
    const host = hosts.get(kind);
    const source = host && repository && `${host}/${repository}`;
    return recordsIn(bundle['attestations']).flatMap((it) => {
      const statement = statementIn(textOf(fieldsAt(it, 'envelope')['statement']));
      return claim(statement && textAt(statement, 'predicateType'), url, source, undefined);
    });
  });
}

/** Whether a statement is about a package: its subjects are package URLs. */
function isAbout(statement: Fields, name: string): boolean {
  const subjects = recordsIn(statement['subject']).map((it) => textAt(it, 'name') ?? '');
  const heads = [`pkg:npm/${name}@`, `pkg:npm/${name.replace('@', '%40')}@`];
  return subjects.length === 0 || subjects.some((it) => heads.some((head) => it.startsWith(head)));
}

/** The code hosts that publishers name by a word. Source: PyPI, “Trusted Publishers”. */
const hosts: ReadonlyMap<string, string> = new Map([
  ['GitHub', 'https://github.com'],
  ['GitLab', 'https://gitlab.com'],
]);

function claim(type: string | undefined, url: string, source: string = '', commit: string = ''): Provenance[] {
  if (type === undefined) return [];
  return [{ type: oneLine(type), url, sourceRepository: oneLine(source), commit: oneLine(commit), verified: false }];
}

/**
 * Undefined without an answer: the version is known without it. An address at another host is not requested: no package
 * manager asks it when it installs, so the name would go where no setting sends it.
 */
async function read({ send, registry }: RegistryQuestion, url: string): Promise<Fields | undefined> {
  if (!isAt(registry.address, url)) return undefined;
  const reply = await send({ url, accept: 'application/json', isConstant: true });
  return reply.kind === 'reply' && reply.status === 200 ? parseFields(reply.text) : undefined;
}

function statementIn(payload: string | undefined): Fields | undefined {
  return payload === undefined ? undefined : parseFields(Buffer.from(payload, 'base64').toString());
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.slice(0, MAX_ATTESTATIONS).filter(isRecord) : [];
}

function isAt(address: string, url: string): boolean {
  return URL.canParse(address) && URL.canParse(url) && new URL(address).origin === new URL(url).origin;
}
