import * as l10n from '@vscode/l10n';
import { formatPurl, type Purl, parsePurl, purlTypes } from '../model/purl.ts';
import { type System, systems } from '../model/system.ts';

/** The result of reading the name of a package or version as a person types it. */
export type TypedName =
  | { readonly kind: 'purl'; readonly purl: Purl }
  /** A name that several systems may have, as in `lodash`: one of these is meant. */
  | { readonly kind: 'choice'; readonly purls: readonly Purl[] }
  /** `reason` is a clause; `nearest` is a text that can be read, and is probably meant. */
  | { readonly kind: 'invalid'; readonly reason: string; readonly nearest?: string };

/** Words that people use for each system, lower case. */
const systemWords = {
  GO: ['go', 'golang'],
  NPM: ['npm', 'node', 'js'],
  CARGO: ['cargo', 'crate', 'crates', 'rust'],
  MAVEN: ['maven', 'mvn', 'gradle', 'java'],
  PYPI: ['pypi', 'pip', 'python'],
  NUGET: ['nuget', 'dotnet'],
} as const satisfies Record<System, readonly string[]>;

const systemOfWord: ReadonlyMap<string, System> = new Map(
  systems.flatMap((system) => systemWords[system].map((word) => [word, system] as const)),
);

/** In characters. No name is longer, even with each character encoded. */
const MAX_LENGTH = 4000;

/**
 * Reads a purl, or a name as people type it:
 *
 *     pkg:npm/lodash@4.17.21                      a purl
 *     npm/lodash, crates serde, maven:org.x:y     a system and a name
 *     @babel/core, org.yaml:snakeyaml:2.0, requests==2.31.0, golang.org/x/net
 *                                                 the form shows the system
 *     lodash                                      one of several systems
 */
export function readTypedName(typed: string): TypedName {
  const text = typed.trim();
  if (text.length > MAX_LENGTH) return { kind: 'invalid', reason: l10n.t('it is too long') };
  if (/^pkg:/i.test(text)) return readPurlText(text);
  const [, word = '', rest = ''] = /^([a-z]+)\s*[/:\s]\s*(.+)$/is.exec(text) ?? [];
  const system = systemOfWord.get(word.toLowerCase());
  if (system !== undefined) return readName(system, rest);
  const shown = systemOfForm(text);
  if (shown !== undefined) return readName(shown, text);
  const purls = systems.flatMap((it) => {
    // A name with a slash has shown its system, and without a host it is only a part of a Go module's path.
    if (it === 'GO' || text.includes('/')) return [];
    const read = readName(it, text);
    return read.kind === 'purl' ? [read.purl] : [];
  });
  if (purls.length > 0) return { kind: 'choice', purls };
  const similar = word === '' ? undefined : similarWord(word);
  const nearest = similar === undefined ? undefined : usable(`${similar}/${rest}`);
  return {
    kind: 'invalid',
    reason: l10n.t('it names no system and no package'),
    ...(nearest !== undefined && { nearest }),
  };
}

/** `npm/lodash`: the short form of a purl, which `readTypedName` reads. */
export function shortForm({ key, name, version }: Purl): string {
  return `${purlTypes[key.system]}/${name}${version === undefined ? '' : `@${version}`}`;
}

/** Whether a word stands for a system: the next word is a name in it. */
export function isSystemWord(text: string): boolean {
  return systemOfWord.has(text.toLowerCase());
}

/** The names that a text may stand for: `npm/lodash, pypi/lodash`. */
export function choiceText({ purls }: Extract<TypedName, { readonly kind: 'choice' }>): string {
  return purls.map(shortForm).join(', ');
}

function readPurlText(text: string): TypedName {
  const reading = parsePurl(text);
  if (reading.kind === 'purl') return reading;
  const nearest = usable(text.replace(/[?#].*$/s, '')) ?? nearestToPurl(text.replace(/[?#].*$/s, ''));
  return { kind: 'invalid', reason: reading.reason, ...(nearest !== undefined && { nearest }) };
}

/** A purl in another spelling: `pkg:pip/x`, `pkg:lodash`, `pkg:npm/babel/core`, `pkg:maven/org.yaml:snakeyaml`. */
function nearestToPurl(text: string): string | undefined {
  const path = text.replace(/^pkg:\/*/i, '');
  const scoped = /^npm\/([^@/][^/]*\/[^/]+)$/i.exec(path)?.[1];
  const read = readTypedName(scoped === undefined ? path : `npm/@${scoped}`);
  const purl = read.kind === 'purl' ? read.purl : read.kind === 'choice' ? read.purls[0] : undefined;
  return purl && formatPurl({ ...purl.key, name: purl.name }, purl.version);
}

/** The text if it can be read as one name. */
function usable(text: string): string | undefined {
  const reading = /^pkg:/i.test(text) ? parsePurl(text) : readTypedName(text);
  return reading.kind === 'purl' ? text : undefined;
}

/** The system that the form of a name shows, if only one has such names. */
function systemOfForm(text: string): System | undefined {
  if (/^@[^/\s]+\/\S/.test(text)) return 'NPM';
  if (/^[\w.-]+(?:\[[^\]]*\])?\s*===?/.test(text)) return 'PYPI';
  if (/^[\w.-]+:[\w.-]+(?:[:@\s]|$)/.test(text)) return 'MAVEN';
  // A host, and a path below it.
  if (/^[\w-]+(?:\.[\w-]+)+\/[\w.~+/-]+(?:[@\s]|$)/.test(text)) return 'GO';
  return undefined;
}

function readName(system: System, text: string): TypedName {
  const { name, version } = split(system, text.trim());
  if (version !== undefined && /^[\^~<>=!*[(]|[*,|\s]/.test(version)) {
    const nearest = usable(shortForm({ key: { system, name }, name }));
    return { kind: 'invalid', reason: l10n.t('{0} is not one version', version), ...(nearest && { nearest }) };
  }
  const reading = parsePurl(formatPurl({ system, name }, version));
  if (reading.kind === 'invalid') return reading;
  return { kind: 'purl', purl: { ...reading.purl, name } };
}

/** Separates the version from a name, by the separators of the system and those of purls. */
function split(system: System, text: string): { readonly name: string; readonly version?: string } {
  const [, name = text, version] = separators[system].exec(text) ?? [];
  const spelled = system === 'MAVEN' ? name.replace('/', ':') : system === 'PYPI' ? name.replace(/\[.*$/, '') : name;
  return version === undefined || version === '' ? { name: spelled } : { name: spelled, version };
}

/** A name, then a version behind `@` or a space, or as the system's own tools write it. */
const separators = {
  GO: /^(\S+?)(?:\s*@\s*|\s+)(.+)$/,
  NPM: /^(@?[^@\s]+)(?:\s*@\s*|\s+)(.+)$/,
  CARGO: /^([^@\s=:]+)(?:\s*[@=:]\s*"?|\s+)([^"]+)"?$/,
  MAVEN: /^([^:/\s]+[:/][^:/@\s]+)(?:\s*[:@]\s*|\s+)(.+)$/,
  PYPI: /^([^@\s=<>!~]+)(?:\s*(?:@|===?)\s*|\s*(?=[<>!~])|\s+)(.+)$/,
  NUGET: /^([^@\s/]+)(?:\s*[@/]\s*|\s+)(.+)$/,
} as const satisfies Record<System, RegExp>;

/** The word of a system that differs from a mistyped one by one letter, or by two that changed places. */
function similarWord(word: string): string | undefined {
  const typed = word.toLowerCase();
  return [...systemOfWord.keys()].find((it) => it.length > 2 && isOneSlipAway(typed, it));
}

function isOneSlipAway(typed: string, word: string): boolean {
  const without = (text: string, at: number): string => text.slice(0, at) + text.slice(at + 1);
  for (let at = 0; at <= Math.max(typed.length, word.length); at++) {
    if (without(typed, at) === word || typed === without(word, at)) return true;
    if (typed.length === word.length && without(typed, at) === without(word, at)) return true;
    const swapped = typed.slice(0, at) + (typed[at + 1] ?? '') + (typed[at] ?? '') + typed.slice(at + 2);
    if (swapped === word) return true;
  }
  return false;
}
