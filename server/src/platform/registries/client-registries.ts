import { offlineSetting } from '../../engine/ecosystems/offline.ts';
import { registryReaders } from '../../engine/ecosystems/registries.ts';
import type { Access, AskedRegistry, RegistryProtocol } from '../../engine/model/registries/access.ts';
import type {
  ClientRegistries,
  ClientRegistriesOptions,
  FoundRegistry,
} from '../../engine/model/registries/client-registries.ts';
import { type System, systems } from '../../engine/model/system.ts';
import { machineCredentials } from '../machine-credentials.ts';
import { type Machine, machineRegistries, thisMachine } from '../machine-settings.ts';
import { addressesBuiltIn } from './built-in-registries.ts';
import { cargoProgram, programFiles } from './program-files.ts';

/** A name that no setting speaks of, so that what counts for everything else is found. */
const anyName: Readonly<Record<System, string>> = {
  GO: 'example.com/any',
  NPM: 'any',
  CARGO: 'any',
  MAVEN: 'any:any',
  PYPI: 'any',
  NUGET: 'any',
};

/** How the registries of each system are asked, and which of the addresses that a program has built in is meant. */
const builtIn: Readonly<
  Record<System, { readonly protocol: RegistryProtocol; readonly address: (named: string) => string | undefined }>
> = {
  GO: { protocol: 'go-proxy', address: (it) => it },
  NPM: { protocol: 'npm', address: (it) => it },
  CARGO: { protocol: 'sparse-index', address: (it) => it },
  MAVEN: { protocol: 'maven', address: (it) => it },
  // A program names the host; the index is below it. Source: PEP 503 and pip's models/index.py.
  PYPI: { protocol: 'simple-index', address: (it) => `${bare(it)}/simple` },
  // Version 2 of its protocol is not spoken.
  NUGET: { protocol: 'nuget', address: (it) => (it.endsWith('/v3/index.json') ? it : undefined) },
};

/**
 * Finds the registries of all systems: what the person gives, then the settings of this machine, then what the programs
 * have built in. Files alone are read, none of a project, and no program is started.
 */
export async function findClientRegistries(
  options: ClientRegistriesOptions,
  machine: Machine = thisMachine(),
): Promise<ClientRegistries> {
  const rows = await Promise.all(systems.map(async (it) => [it, await registriesOf(it, options, machine)] as const));
  const bySystem = new Map(rows.map(([system, { accessOf }]) => [system, accessOf]));
  return {
    accessOf: (key) => bySystem.get(key.system)?.(key.name),
    found: new Map(
      rows.map(([system, { accessOf, offline }]) => [
        system,
        offline === undefined ? describe(accessOf(anyName[system])) : { addresses: [], from: offline },
      ]),
    ),
    asked: new Map(rows.map(([system, it]) => [system, addressesIn(system, it)])),
  };
}

interface SystemRegistries {
  accessOf(name: string): Access | undefined;
  /** Settings that may speak of some names alone. */
  readonly texts: readonly string[];
  /** The label of the setting that lets a client ask nothing. */
  readonly offline?: string;
}

/** Names that settings may speak of. Real ones have some hundred words. */
const MAX_WORDS = 5_000;

/** The addresses for any name, and for those that the settings name: as a scope, a pattern, a key. */
function addressesIn(system: System, { accessOf, texts }: SystemRegistries): readonly string[] {
  const words = [...new Set(texts.flatMap((it) => it.match(/[\w.~-]+/g) ?? []))].slice(0, MAX_WORDS);
  const names = [
    anyName[system],
    ...namesOf[system].flatMap((it) => (it.includes('*') ? words.map((word) => it.replace('*', () => word)) : it)),
  ];
  const all = names.flatMap((it) => accessOf(it)?.registries.filter(isAsked) ?? []);
  return [...new Set(all.map((it) => it.address))];
}

function isAsked({ refusal, address }: AskedRegistry): boolean {
  return refusal === undefined && URL.canParse(address);
}

/** Names that a setting may single out. The asterisk is a word of the settings. */
const namesOf: Readonly<Record<System, readonly string[]>> = {
  GO: [],
  NPM: ['@*/any'],
  CARGO: [],
  MAVEN: ['any:any-maven-plugin'],
  PYPI: ['*'],
  NUGET: ['*', '*any'],
};

async function registriesOf(
  system: System,
  { given, withCredentials, labels }: ClientRegistriesOptions,
  machine: Machine,
): Promise<SystemRegistries> {
  const own = given.get(system);
  if (own !== undefined) {
    const access = single(system, own, labels.given);
    return { accessOf: () => access, texts: [] };
  }
  const { variables, files } = await machineRegistries(() => [], machine)(system);
  const credentials = withCredentials
    ? await machineCredentials(() => [], machine)(system)
    : { variables: [], files: [] };
  const sources = [...variables, ...credentials.variables, ...files, ...credentials.files].map(
    (it) => ({ ...it, owner: 'machine' }) as const,
  );
  const reader = registryReaders[system];
  const variable = (name: string): string | undefined => machine.environment[name];
  const inputs = { sources, variable, isTrusted: true, lockfiles: [] };
  const offline = offlineSetting(system, inputs);
  if (offline !== undefined) return { accessOf: () => undefined, texts: [], offline };
  const read = reader.accessTo(inputs);
  const programs = system === 'CARGO' ? [cargoProgram] : programFiles[system];
  const named = (await addressesBuiltIn(programs, [], machine)).map((it) => builtIn[system].address(it.href));
  const address = named.find((it) => it !== undefined);
  const usual = address === undefined ? undefined : single(system, bare(address), labels.builtIn);
  const route = reader.ownersOf(sources);
  const accessOf = (name: string): Access | undefined => {
    const named = route({ name });
    const access = read({ name });
    // A setting without an address that can be asked, such as a folder, is no reason to ask another registry.
    if (access === undefined) return named.length === 0 ? usual : undefined;
    const registries = access.registries.map((it) => (withCredentials ? it : withoutCredential(it)));
    // Its client asks the usual registry besides.
    const isBeside = registries.length > 0 && named.length > 0 && named.every((it) => it.isAdditional);
    const asked = isBeside ? [...registries, ...(usual?.registries ?? [])] : registries;
    // A client that fetches directly, or is told to ask nothing, asks no registry.
    return asked.length === 0 ? undefined : { ...access, registries: asked };
  };
  return { accessOf, texts: [...variables, ...files].flatMap((it) => [it.name, it.text]) };
}

function single(system: System, address: string, from: string): Access {
  const { protocol } = builtIn[system];
  return { registries: [{ protocol, address: bare(address), from, namedBy: 'machine' }], join: 'first' };
}

function withoutCredential({ credential: _, ...registry }: AskedRegistry): AskedRegistry {
  return registry;
}

function bare(address: string): string {
  return address.replace(/\/+$/, '');
}

function describe(access: Access | undefined): FoundRegistry | undefined {
  const [first] = access?.registries ?? [];
  if (access === undefined || first === undefined) return undefined;
  return { addresses: access.registries.map((it) => it.address), from: first.from };
}
