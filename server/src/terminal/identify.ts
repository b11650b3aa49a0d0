import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import { digestsOf } from '../engine/lookup/file-on-disk.ts';
import {
  type IdentifiedFile,
  identifyFile,
  isTruncated,
  MAX_RESULTS,
  nameOfHash,
  unknownText,
} from '../engine/lookup/identify-file.ts';
import { hashTypes } from '../engine/lookup/local-file.ts';
import type { VersionKey } from '../engine/model/keys.ts';
import { licensesOf } from '../engine/model/license-policy.ts';
import { formatPurl } from '../engine/model/purl.ts';
import { type System, systemNames } from '../engine/model/system.ts';
import { jsonText } from '../engine/report/formats/format.ts';
import { sanitize } from '../engine/report/formats/texts.ts';
import { padTo, widthOf } from '../engine/report/formats/wrap.ts';
import { type Command, type OptionTable, type Terminal, UsageError } from './command.ts';
import { printStaleAnswer, readPurl, staleAnswerJson } from './lookup.ts';
import { readServiceSettings, serviceOptions } from './options.ts';

const identifyOptions = {
  as: { value: 'PURL', help: () => l10n.t('check whether the file belongs to this version') },
  json: { help: () => l10n.t('print a JSON list with all digests') },
  ...serviceOptions,
} as const satisfies OptionTable;

/** `package-insights identify`: which package versions files belong to, by their digests. */
export const identifyCommand: Command<typeof identifyOptions> = {
  name: 'identify',
  usage: 'FILE… [--as PURL] [--json]',
  summary: () => l10n.t('Find the package versions that files belong to'),
  options: identifyOptions,
  notes: () => [
    l10n.t(
      'Files are never sent, only their digests: SHA-256, SHA-1, SHA-512 and MD5, until the service knows one. It knows files of npm, Cargo, Maven and NuGet; it has no lookup by digest for Go and PyPI. For a folder, a table shows every {0} in it.',
      archiveKinds.join(', '),
    ),
    l10n.t(
      'Exit codes: 0 all found, 1 at least one unknown (or not the version of --as), 2 at least one lookup or refresh failed.',
    ),
  ],
  examples: [
    'package-insights identify lib/snakeyaml.jar',
    'package-insights identify build/libs',
    'package-insights identify left-pad.tgz --as pkg:npm/left-pad@1.3.0',
  ],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: true,
  async run({ options, positionals }, terminal) {
    const claim = options.as === undefined ? undefined : readClaim(options.as, positionals);
    const settings = readServiceSettings(options, terminal);
    const { files, isTable } = await filesOf(positionals, terminal.directory);
    const insights = await terminal.insights(settings);
    const aborting = new AbortController();
    terminal.ended.then(() => aborting.abort());
    try {
      let done = 0;
      const all = await mapConcurrently(files, async (it) => {
        const identified = await identifyFile(readable(it), insights.lookups, claim, aborting.signal);
        if (files.length > 1) terminal.status?.(l10n.t('{0} of {1} files', ++done, files.length));
        return identified;
      });
      terminal.status?.('');
      print(all, { isTable, isJson: options.json, claim }, terminal);
      const old = all.flatMap((it) => ('old' in it && it.old ? [[it.name, it.old] as const] : []));
      for (const [name, it] of old) printStaleAnswer(name, it, 'identify', terminal);
      // Offline, stale answers are acceptable.
      const least = old.length > 0 && !settings.offline ? 2 : 0;
      return all.reduce((worst, it) => Math.max(worst, exitCodes[it.kind]), least);
    } finally {
      await insights.close();
    }
  },
};

const exitCodes = { found: 0, unknown: 1, other: 1, failed: 2 } as const satisfies Record<
  IdentifiedFile['kind'],
  number
>;

/** Source: contract of the Package Insights Service, “Query parameters of Query”, rule 2. */
const withoutDigests: Partial<Record<System, string>> = { GO: 'Go', PYPI: 'PyPI' };

function readClaim(text: string, files: readonly string[]): VersionKey {
  if (files.length > 1) throw new UsageError(l10n.t('{0} requires exactly one file', '--as'));
  const { key, version } = readPurl(text);
  if (version === undefined)
    throw new UsageError(l10n.t('{0} requires a purl with a version: {1}', '--as', `${formatPurl(key)}@…`));
  const system = withoutDigests[key.system];
  if (system !== undefined)
    throw new UsageError(`--as: ${l10n.t('the service has no lookup by digest for {0}', system)}`);
  return { ...key, version };
}

interface Files {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** A folder is shown in a table, files one by one. */
  readonly isTable: boolean;
}

const readable = ({ name, path }: Files['files'][number]): Parameters<typeof identifyFile>[0] => ({
  name,
  digests: (signal, tell) => digestsOf(path, signal, tell),
});

async function filesOf(words: readonly string[], directory: string): Promise<Files> {
  if (words.length === 0) throw new UsageError(l10n.t('which file?'));
  const files: { name: string; path: string }[] = [];
  let isTable = false;
  for (const name of words) {
    const path = resolve(directory, name);
    const about = await stat(path).catch(() => undefined);
    if (about === undefined) throw new UsageError(l10n.t('no such file or folder: {0}', sanitize(name)));
    if (about.isDirectory()) {
      isTable = true;
      files.push(...(await archivesBelow(path, directory)));
    } else if (about.isFile()) files.push({ name, path });
    else throw new UsageError(l10n.t('{0} is not a file', sanitize(name)));
  }
  if (files.length === 0)
    throw new UsageError(l10n.t('no {0} in {1}', archiveKinds.join(', '), words.map(sanitize).join(', ')));
  return { files, isTable };
}

function print(
  all: readonly IdentifiedFile[],
  {
    isTable,
    isJson,
    claim,
  }: { readonly isTable: boolean; readonly isJson: boolean; readonly claim: VersionKey | undefined },
  terminal: Terminal,
): void {
  if (isJson) terminal.out(toJson(all));
  else if (claim) for (const it of all) printClaim(it, claim, terminal);
  else if (isTable) printTable(all, terminal);
  else for (const [at, it] of all.entries()) printFile(it, at > 0, terminal);
}

/** Files that are read and looked up at a time. */
const MAX_CONCURRENT = 8;

/** Maps elements in their order, several at a time. */
async function mapConcurrently<T, R>(all: readonly T[], answer: (it: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const it = all[at];
      if (it !== undefined) answers[at] = await answer(it);
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return answers;
}

/** Versions listed for one file. JSON output lists all. */
const MAX_LISTED = 20;

/**
 * Prints one file with its versions.
 *
 *     lib/a.jar  SHA-1 b447f667…
 *       MAVEN org.yaml:snakeyaml 1.33  Apache-2.0
 *         https://…
 */
export function printFile(it: IdentifiedFile, isNext: boolean, terminal: Terminal): void {
  if (it.kind === 'unknown' || it.kind === 'failed') {
    printError(it, terminal);
    return;
  }
  if (isNext) terminal.out('');
  terminal.out(`${sanitize(it.name)}  ${nameOfHash(it.by)} ${hex(it.digests[it.by])}`);
  for (const { version, artifacts } of it.results.slice(0, MAX_LISTED)) {
    terminal.out(sanitize(`  ${label(version.key)}  ${licensesOf(version).join(', ') || l10n.t('license unknown')}`));
    for (const url of artifacts) terminal.out(sanitize(`    ${url}`));
  }
  const more = it.results.length - MAX_LISTED;
  if (more > 0) terminal.out(`  ${l10n.t('and {0} more; {1} lists them', more, '--json')}`);
  if (isTruncated(it)) terminal.out(`  ${l10n.t('Only the first {0} are listed.', MAX_RESULTS)}`);
}

/** Prints many files, a line each, including unknown ones. */
export function printTable(all: readonly IdentifiedFile[], terminal: Terminal): void {
  const rows = all.map((it): readonly [string, string, string] => {
    if (it.kind === 'unknown') return [it.name, l10n.t('unknown'), ''];
    if (it.kind === 'failed') return [it.name, l10n.t('lookup failed: {0}', it.reason), ''];
    const [first, ...others] = it.results;
    return [
      it.name,
      first ? withOthers(label(first.version.key), others.length, isTruncated(it)) : '',
      first ? licensesOf(first.version).join(', ') : '',
    ];
  });
  const shown = rows.map((row) => row.map(sanitize));
  const widths = [0, 1].map((column) => Math.max(...shown.map((row) => widthOf(row[column] ?? ''))));
  for (const row of shown) {
    terminal.out(
      row
        .map((cell, column) => padTo(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** `NPM lodash 4.17.21 and 2 others` */
function withOthers(first: string, others: number, isCut: boolean): string {
  if (others === 0) return first;
  if (isCut) return l10n.t('{0} and at least {1} others', first, others);
  return others === 1 ? l10n.t('{0} and 1 other', first) : l10n.t('{0} and {1} others', first, others);
}

/** Prints whether a file belongs to the claimed version. */
export function printClaim(it: IdentifiedFile, claim: VersionKey, terminal: Terminal): void {
  const name = sanitize(it.name);
  switch (it.kind) {
    case 'found':
      terminal.out(l10n.t('yes: by its {2}, {0} belongs to {1}', name, sanitize(label(claim)), nameOfHash(it.by)));
      return;
    case 'other':
      terminal.out(l10n.t('no: {0} belongs to another version, not to {1}', name, sanitize(label(claim))));
      printFile(it, false, terminal);
      return;
    case 'unknown':
      terminal.out(unknownText(it, name, sanitize(label(claim))));
      return;
    case 'failed':
      printError(it, terminal);
  }
}

export function toJson(all: readonly IdentifiedFile[]): string {
  const values = all.map((it) => ({
    file: it.name,
    state: it.kind,
    ...(it.kind === 'failed' && { reason: it.reason }),
    ...('old' in it && it.old && { old: staleAnswerJson(it.old) }),
    ...(it.digests && { digests: Object.fromEntries(hashTypes.map((type) => [type, hex(it.digests?.[type])])) }),
    ...((it.kind === 'found' || it.kind === 'other') && {
      by: it.by,
      isCut: isTruncated(it),
      versions: it.results.map(({ version, artifacts }) => ({
        ...version.key,
        purl: version.purl,
        licenses: version.licenses,
        artifacts,
      })),
    }),
  }));
  return jsonText(values);
}

function printError(it: Extract<IdentifiedFile, { readonly kind: 'unknown' | 'failed' }>, terminal: Terminal): void {
  const name = sanitize(it.name);
  const text =
    it.kind === 'failed'
      ? l10n.t('lookup of {0} failed: {1}', name, sanitize(it.reason))
      : l10n.t('{0} is unknown. There is no lookup by digest for Go and PyPI', name);
  terminal.error(`package-insights identify: ${text}`);
}

function label({ system, name, version }: VersionKey): string {
  return `${systemNames[system]} ${name} ${version}`;
}

function hex(digest: Uint8Array = new Uint8Array()): string {
  return Buffer.from(digest).toString('hex');
}

/** The file name extensions of packages in systems with lookups by digest. */
export const archiveKinds = ['.jar', '.war', '.nupkg', '.tgz', '.crate'] as const;

/** Finds all package archives below a folder, sorted. Names are relative to `directory`. Links are not followed. */
export async function archivesBelow(
  folder: string,
  directory: string,
): Promise<{ readonly name: string; readonly path: string }[]> {
  const found: { name: string; path: string }[] = [];
  const queue = [folder];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
      const path = join(at, entry.name);
      if (entry.isDirectory()) queue.push(path);
      else if (entry.isFile() && archiveKinds.some((it) => entry.name.toLowerCase().endsWith(it))) {
        found.push({ name: relative(directory, path).split(sep).join('/'), path });
      }
    }
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}
