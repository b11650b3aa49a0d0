import { parseXml } from '../../formats/xml/parse.ts';
import type { XmlElement } from '../../formats/xml/tree.ts';
import type { AccessSource } from '../../model/registries/access.ts';

/** A package source under its key. */
export interface Feed {
  readonly key: string;
  /** As written: an address or a folder. */
  readonly value: string;
  readonly protocolVersion: string;
  readonly source: AccessSource;
}

/** What `packageSourceCredentials` has for a key. */
export interface Login {
  readonly user: string;
  readonly password: string;
  readonly isEncrypted: boolean;
  readonly types: string;
  readonly source: AccessSource;
}

/** The settings of all files together, by key in lower case. */
export interface NugetConfig {
  readonly feeds: ReadonlyMap<string, Feed>;
  readonly disabled: ReadonlyMap<string, boolean>;
  readonly mapping: ReadonlyMap<string, { readonly patterns: readonly string[]; readonly source: AccessSource }>;
  readonly logins: ReadonlyMap<string, Login>;
  /** Whether a file says anything about sources. */
  readonly hasSources: boolean;
}

/**
 * Reads all files of settings together. Files count from the farthest to the nearest; a nearer file replaces and clears.
 *
 *     <packageSources>            <clear /> <add key="acme" value="https://…/index.json" />
 *     <packageSourceMapping>      <packageSource key="acme"> <package pattern="Acme.*" />
 *     <packageSourceCredentials>  <acme> <add key="Username" value="…" /> <add key="ClearTextPassword" value="%TOKEN%" />
 *
 * @param sources the nearest first
 */
export function readNugetConfig(sources: readonly AccessSource[]): NugetConfig {
  const feeds = new Map<string, Feed>();
  const disabled = new Map<string, boolean>();
  const mapping = new Map<string, { patterns: readonly string[]; source: AccessSource }>();
  const logins = new Map<string, Login>();
  let hasSources = false;
  for (const source of sources.filter((it) => /^nuget\.config$/i.test(it.name)).reverse()) {
    for (const section of parseXml(source.text).root?.children ?? []) {
      switch (section.name.toLowerCase()) {
        case 'packagesources':
          hasSources ||= section.children.length > 0;
          entries(section, feeds, (it) => feedOf(it, source));
          break;
        case 'disabledpackagesources':
          entries(section, disabled, (it) => /^true$/i.test(attribute(it, 'value').trim()));
          break;
        case 'packagesourcemapping':
          entries(section, mapping, (it) => ({ patterns: patternsOf(it), source }));
          break;
        case 'packagesourcecredentials':
          for (const it of section.children) {
            if (it.name.toLowerCase() === 'clear') logins.clear();
            else logins.set(decodedName(it.name).toLowerCase(), loginOf(it, source));
          }
          break;
      }
    }
  }
  return { feeds, disabled, mapping, logins, hasSources };
}

export function activeFeeds({ feeds, disabled }: NugetConfig): readonly Feed[] {
  return [...feeds].flatMap(([key, it]) => (disabled.get(key) === true ? [] : it));
}

/** How many patterns there are: each costs time for each name. */
export function patternCount({ mapping }: NugetConfig): number {
  return [...mapping.values()].reduce((sum, it) => sum + it.patterns.length, 0);
}

/** The keys that have the longest pattern for a name. Without one, NuGet asks no source. */
export function mappedTo(name: string, { mapping }: NugetConfig): readonly string[] {
  const id = name.toLowerCase();
  let best = 0;
  let found: string[] = [];
  for (const [key, { patterns }] of mapping) {
    const rank = patterns.reduce((highest, it) => Math.max(highest, rankOf(it, id)), 0);
    if (rank === 0 || rank < best) continue;
    if (rank > best) found = [];
    best = rank;
    found.push(key);
  }
  return found;
}

/** Exact names before prefixes, long prefixes before short ones; 0 where a pattern does not fit. */
function rankOf(pattern: string, id: string): number {
  if (!pattern.endsWith('*')) return pattern === id ? Number.MAX_SAFE_INTEGER : 0;
  return id.startsWith(pattern.slice(0, -1)) ? pattern.length : 0;
}

/** `<add>` and `<packageSource>` put something under a key, `<remove>` takes it away, `<clear>` takes everything. */
function entries<T>(section: XmlElement, into: Map<string, T>, read: (it: XmlElement) => T): void {
  for (const it of section.children) {
    const key = attribute(it, 'key').trim().toLowerCase();
    const name = it.name.toLowerCase();
    if (name === 'clear') into.clear();
    else if (name === 'remove') into.delete(key);
    else if (key !== '') into.set(key, read(it));
  }
}

function feedOf(it: XmlElement, source: AccessSource): Feed {
  const [key, value, protocolVersion] = ['key', 'value', 'protocolversion'].map((name) => attribute(it, name).trim());
  return { key: key ?? '', value: value ?? '', protocolVersion: protocolVersion ?? '', source };
}

function patternsOf(it: XmlElement): readonly string[] {
  return it.children.map((child) => attribute(child, 'pattern').trim().toLowerCase()).filter(Boolean);
}

/** The name of an element has the characters of a key that XML does not permit as `_x0020_`. */
function decodedName(name: string): string {
  return name.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function loginOf(element: XmlElement, source: AccessSource): Login {
  const value = (key: string): string | undefined => {
    const it = element.children.find((one) => attribute(one, 'key').toLowerCase() === key);
    return it && attribute(it, 'value');
  };
  const clear = value('cleartextpassword');
  return {
    user: value('username') ?? '',
    password: clear ?? value('password') ?? '',
    isEncrypted: clear === undefined && value('password') !== undefined,
    types: value('validauthenticationtypes') ?? '',
    source,
  };
}

function attribute(it: XmlElement, name: string): string {
  return it.attributes.find((one) => one.name.toLowerCase() === name)?.value ?? '';
}
