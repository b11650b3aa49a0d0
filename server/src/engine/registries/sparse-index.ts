import * as l10n from '@vscode/l10n';
import { isRecord } from '../base/text.ts';
import { versioning } from '../ecosystems/versioning.ts';
import { listOf, type VersionSummary } from '../model/facts.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Requirements } from '../model/lookups.ts';
import { formatPurl } from '../model/purl.ts';
import type { AskedRegistry } from '../model/registries/access.ts';
import {
  type Digest,
  type RegistryAnswer,
  type RegistryClient,
  type RegistryQuestion,
  withoutFacts,
} from '../model/registries/registry-client.ts';
import { CRATE_HEAD, isHeadOf, licenseInCrate } from './crate-license.ts';
import { digestOf } from './digests.ts';
import { type Fields, fieldsAt, parseFields, textAt, textsOf } from './json.ts';
import { licensesFrom } from './licenses.ts';
import { listedFacts } from './version-facts.ts';

/**
 * A sparse index of Cargo: one file a crate, one JSON line a version. It has neither licenses nor links, and times only
 * where the registry writes them.
 *
 *     GET /ac/me/acme-core     {"name":"acme-core","vers":"1.0.0","yanked":false,…}
 *
 * Source: the Cargo book, “Registry Index”
 */
export const sparseIndexClient: RegistryClient = {
  protocol: 'sparse-index',
  async list({ registry, name, send }) {
    const text = await read({ registry, name, send });
    if (text.kind !== 'found') return text;
    const found = rowsIn(text.value, name);
    if (found === undefined) return { kind: 'failed', reason: l10n.t('the answer is not JSON') };
    const { rows, isCut } = found;
    if (rows.length === 0) return { kind: 'absent' };
    const usable = rows.filter((it) => !it.isDeprecated).map((it) => it.version);
    const usual = versioning.CARGO.pick('*', usable);
    const versions = rows.map((it) => ({ ...it, isDefault: it.version === usual }));
    const byVersion = new Map(versions.map((it) => [it.version, it]));
    const key: PackageKey = { system: 'CARGO', name };
    return {
      kind: 'found',
      value: {
        facts: { key, purl: formatPurl(key), versions: listOf(versions), ...(isCut && { isSample: true }) },
        version(version) {
          const row = byVersion.get(version);
          if (row === undefined) return undefined;
          const { digests: _, ...summary } = row;
          return listedFacts(key, summary, registry.address);
        },
        artifacts: (version) => (byVersion.get(version)?.digests ?? []).map((it) => ({ digests: [it] })),
      },
    };
  },
  /** The license is in the file alone, and stays unknown where that is not to be had. */
  async version(question, version) {
    const facts = question.listed?.version(version);
    if (facts === undefined) return { kind: 'absent' };
    const url = await fileOf(question, version);
    if (url === undefined || sendsWhole.has(question.registry)) return { kind: 'found', value: facts };
    const isOf = (text: string): boolean => isHeadOf(headOf(text), question.name);
    const reply = await question.send({ url, firstBytes: CRATE_HEAD, isConstant: true, isOf });
    if (reply.kind === 'aborted') return reply;
    if (reply.kind !== 'reply' || (reply.status !== 206 && reply.status !== 200))
      return { kind: 'found', value: facts };
    // Whole crates have up to 10 MB.
    if (reply.status === 200 && reply.text.length > CRATE_HEAD) sendsWhole.add(question.registry);
    const license = isOf(reply.text) ? licenseInCrate(headOf(reply.text)) : undefined;
    return { kind: 'found', value: { ...facts, ...licensesFrom(license === undefined ? [] : [license]) } };
  },
  async requirements(question, version) {
    const text = await read(question);
    if (text.kind !== 'found') return text;
    const entries = entriesIn(text.value, question.name);
    if (entries === undefined) return { kind: 'failed', reason: l10n.t('the answer is not JSON') };
    const fields = entries.findLast((it) => it['vers'] === version);
    return fields ? { kind: 'found', value: requirementsIn(fields) } : { kind: 'absent' };
  },
};

function headOf(text: string): Buffer {
  return Buffer.from(text.slice(0, CRATE_HEAD), 'latin1');
}

/** Registries that do not send a part of a file. */
const sendsWhole = new WeakSet<AskedRegistry>();

/** Where the files of registries are, as their `config.json` says. */
const templates = new WeakMap<AskedRegistry, string>();

/** Undefined where the registry does not say. Source: the Cargo book, “Index Configuration”. */
async function fileOf(
  { registry, name, send, listed }: RegistryQuestion,
  version: string,
): Promise<string | undefined> {
  const known = templates.get(registry);
  const reply = known === undefined ? await send({ url: `${registry.address}/config.json` }) : undefined;
  const config = reply?.kind === 'reply' && reply.status === 200 ? parseFields(reply.text) : undefined;
  const template = known ?? (config && textAt(config, 'dl'));
  if (template === undefined) return undefined;
  templates.set(registry, template);
  const prefix = (pathOf(name) ?? '').split('/').slice(0, -1).join('/');
  const parts: Readonly<Record<string, string>> = {
    crate: encodeURIComponent(name),
    version: encodeURIComponent(version),
    prefix: /^\d/.test(prefix) ? prefix : `${name.slice(0, 2)}/${name.slice(2, 4)}`,
    lowerprefix: prefix,
    'sha256-checksum': listed?.artifacts?.(version)[0]?.digests[0]?.digest ?? '',
  };
  const marker = /\{(crate|version|prefix|lowerprefix|sha256-checksum)\}/g;
  if (!marker.test(template)) return `${template}/${parts['crate']}/${parts['version']}/download`;
  return template.replace(marker, (_, part: string) => parts[part] ?? '');
}

async function read({ registry, name, send }: RegistryQuestion): Promise<RegistryAnswer<string>> {
  const path = pathOf(name);
  if (path === undefined) return { kind: 'absent' };
  const reply = await send({ url: `${registry.address}/${path}` });
  // Cargo takes 451, too, for a crate that the registry does not have.
  if (reply.kind === 'reply' && reply.status === 451) return { kind: 'absent' };
  const without = withoutFacts(reply);
  if (without) return without;
  return reply.kind === 'reply' ? { kind: 'found', value: reply.text } : reply;
}

/** `{ "name": "rt", "package": "tokio", "req": "^1", "kind": "dev", … }`: `name` is an alias where `package` is set. */
function requirementsIn(fields: Fields): Requirements {
  const dependencies: readonly unknown[] = Array.isArray(fields['deps']) ? fields['deps'].slice(0, MAX_REQUIRED) : [];
  const features = { ...fieldsAt(fields, 'features'), ...fieldsAt(fields, 'features2') };
  return {
    system: 'CARGO',
    dependencies: dependencies.filter(isRecord).map((it) => {
      const [name = '', original] = [textAt(it, 'name'), textAt(it, 'package')];
      const kind = textAt(it, 'kind');
      return {
        name: original ?? name,
        requirement: textAt(it, 'req') ?? '',
        kind: kind === 'dev' || kind === 'build' ? kind : 'normal',
        optional: it['optional'] === true,
        alias: original === undefined ? '' : name,
        usesDefaultFeatures: it['default_features'] !== false,
        features: textsOf(it['features']),
        target: textAt(it, 'target') ?? '',
      };
    }),
    features: Object.entries(features)
      .slice(0, MAX_REQUIRED)
      .map(([name, implies]) => ({ name, implies: textsOf(implies) })),
  };
}

/** Entries of one list of one version. Real ones have up to some thousand. */
const MAX_REQUIRED = 10_000;

/** The form of the lines that is known. Source: INDEX_V_MAX of Cargo */
const MAX_FORM = 2;

/** Lines that are not JSON, each of which takes as long as hundreds of others. */
const MAX_BROKEN = 1000;

/** In characters. No version is longer. */
const MAX_VERSION = 256;

/** `a` → `1/a`, `ab` → `2/ab`, `abc` → `3/a/abc`, `Acme-Core` → `ac/me/acme-core`; undefined for what is no crate's name. */
function pathOf(name: string): string | undefined {
  if (!/^[\p{L}\p{N}_-]+$/u.test(name)) return undefined;
  const lower = encodeURIComponent(name.toLowerCase());
  if (lower.length < 3) return `${lower.length}/${lower}`;
  return lower.length === 3 ? `3/${lower[0]}/${lower}` : `${lower.slice(0, 2)}/${lower.slice(2, 4)}/${lower}`;
}

/** Lines of one crate. The crates with the most versions have some thousands. */
const MAX_LINES = 50_000;

interface Row extends Omit<VersionSummary, 'isDefault'> {
  readonly digests: readonly Digest[];
}

interface Rows {
  readonly rows: readonly Row[];
  /** Set if there are more lines than are read: the first ones are left out. */
  readonly isCut: boolean;
}

/**
 * The lines of a crate. Undefined where the text is something else, such as the page of a login. Lines of other crates and
 * of unknown forms are passed over, as Cargo does.
 */
function entriesIn(text: string, name: string): readonly Fields[] | undefined {
  const lines = text.split('\n').filter((it) => it.startsWith('{'));
  let broken = lines.length === 0 && text.trim() !== '' ? 1 : 0;
  const entries: Fields[] = [];
  for (const line of lines.slice(-MAX_LINES - 1)) {
    const fields = parseFields(line);
    if (fields === undefined && ++broken > MAX_BROKEN) return undefined;
    if (fields === undefined || textAt(fields, 'name')?.toLowerCase() !== name.toLowerCase()) continue;
    const form = fields['v'] ?? 1;
    if (typeof form === 'number' && form <= MAX_FORM) entries.push(fields);
  }
  return entries.length === 0 && broken > 0 ? undefined : entries;
}

/** The versions of a crate; undefined as above. */
function rowsIn(text: string, name: string): Rows | undefined {
  const entries = entriesIn(text, name);
  if (entries === undefined) return undefined;
  const found = new Map<string, Row>();
  for (const fields of entries.slice(-MAX_LINES)) {
    const version = textAt(fields, 'vers');
    if (version === undefined || version.length > MAX_VERSION) continue;
    const publishedAt = Date.parse(textAt(fields, 'pubtime') ?? '');
    found.set(version, {
      version,
      ...(!Number.isNaN(publishedAt) && { publishedAt }),
      isDeprecated: fields['yanked'] === true,
      digests: digestOf('sha256', textAt(fields, 'cksum')),
    });
  }
  return { rows: [...found.values()], isCut: entries.length > MAX_LINES };
}
