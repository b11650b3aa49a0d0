import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type Identified, identifyFile } from '../asking/identified.ts';
import type { VersionKey } from '../model/keys.ts';
import { formatPurl } from '../model/purl.ts';
import type { System } from '../model/system.ts';
import { visible } from '../report/words.ts';
import { archiveKinds, archivesBelow } from './archives.ts';
import { type Command, type Given, type Terminal, UsageError } from './command.ts';
import { readServiceSettings, serviceHelp, serviceOptions, textOf } from './flags.ts';
import { printClaim, printFile, printTable, toJson } from './identified-text.ts';
import { complainOfAge, readPurl } from './lookup.ts';

/** `package-insights identify`: which package versions files belong to, by their digests. */
export const identifyCommand: Command = {
  name: 'identify',
  usage: 'FILE… [--as PURL] [--json]',
  summary: () => l10n.t('Find out which package versions files belong to'),
  help: () =>
    l10n.t(
      `\
  --as PURL           is the file really of this version?
  --json              for programs: a list, with all digests
{0}

Files are read, never sent: the service is asked for their digests, SHA-256, SHA-1, SHA-512
and MD5, until it knows one. It knows files of npm, Cargo, Maven and NuGet; for Go and PyPI it
has no look-up by digest. For a folder, every {1} below it is shown in a table.

Exit codes: 0 found, 1 one is not known (or not what --as says), 2 one could not be looked up,
or not again.

Examples:
  package-insights identify lib/snakeyaml.jar
  package-insights identify build/libs
  package-insights identify left-pad.tgz --as pkg:npm/left-pad@1.3.0`,
      serviceHelp(),
      archiveKinds.join(', '),
    ),
  isForPrograms: (flags) => flags['json'] === true,
  options: { ...serviceOptions, as: { type: 'string' }, json: { type: 'boolean' } },
  takesWords: true,
  async run(given, terminal) {
    const { flags, words } = given;
    const claim = readClaim(given);
    const settings = readServiceSettings(flags, terminal);
    const { files, isTable } = await filesOf(words, terminal.directory);
    const insights = terminal.insights(settings);
    const aborting = new AbortController();
    terminal.ended.then(() => aborting.abort());
    try {
      let done = 0;
      const all = await mapSome(files, async (it) => {
        const identified = await identifyFile(it, insights.lookups, claim, aborting.signal);
        if (files.length > 1) terminal.status?.(l10n.t('{0} of {1} files', ++done, files.length));
        return identified;
      });
      terminal.status?.('');
      print(all, { isTable, isJson: flags['json'] === true, claim }, terminal);
      const old = all.flatMap((it) => ('old' in it && it.old ? [[it.name, it.old] as const] : []));
      for (const [name, it] of old) complainOfAge(name, it, 'identify', terminal);
      // Who works offline has said that old answers will do.
      const least = old.length > 0 && !settings.offline ? 2 : 0;
      return all.reduce((worst, it) => Math.max(worst, exitCodes[it.kind]), least);
    } finally {
      await insights.close();
    }
  },
};

const exitCodes = { found: 0, unknown: 1, other: 1, failed: 2 } as const satisfies Record<Identified['kind'], number>;

/** Source: contract of the Package Insights Service, “Query parameters of Query”, rule 2. */
const withoutDigests: Partial<Record<System, string>> = { GO: 'Go', PYPI: 'PyPI' };

function readClaim({ flags, words }: Given): VersionKey | undefined {
  const text = textOf(flags, 'as');
  if (text === undefined) return undefined;
  if (words.length > 1) throw new UsageError(l10n.t('{0} goes with one file', '--as'));
  const { key, version } = readPurl(text);
  if (version === undefined)
    throw new UsageError(l10n.t('{0} takes a purl with a version: {1}', '--as', `${formatPurl(key)}@…`));
  const system = withoutDigests[key.system];
  if (system !== undefined)
    throw new UsageError(`--as: ${l10n.t('for {0} the service has no look-up by digest', system)}`);
  return { ...key, version };
}

interface Files {
  readonly files: readonly { readonly name: string; readonly path: string }[];
  /** A folder is shown in a table, files one by one. */
  readonly isTable: boolean;
}

async function filesOf(words: readonly string[], directory: string): Promise<Files> {
  if (words.length === 0) throw new UsageError(l10n.t('which file?'));
  const files: { name: string; path: string }[] = [];
  let isTable = false;
  for (const name of words) {
    const path = resolve(directory, name);
    const about = await stat(path).catch(() => undefined);
    if (about === undefined) throw new UsageError(l10n.t('there is no file or folder {0}', visible(name)));
    if (about.isDirectory()) {
      isTable = true;
      files.push(...(await archivesBelow(path, directory)));
    } else if (about.isFile()) files.push({ name, path });
    else throw new UsageError(l10n.t('{0} is no file', visible(name)));
  }
  if (files.length === 0)
    throw new UsageError(l10n.t('there is no {0} in {1}', archiveKinds.join(', '), words.map(visible).join(', ')));
  return { files, isTable };
}

function print(
  all: readonly Identified[],
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

/** Files read, and look-ups made, at a time. */
const parallel = 8;

/** Each element's answer, in the order of the elements; some at a time. */
async function mapSome<T, R>(all: readonly T[], answer: (it: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < all.length; at = next++) {
      const it = all[at];
      if (it !== undefined) answers[at] = await answer(it);
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return answers;
}
