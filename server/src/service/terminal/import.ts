import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { dayOf } from '../../engine/base/dates.ts';
import { type System, systemNames, systems } from '../../engine/model/system.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type Command, type OptionTable, UsageError } from '../../terminal/command.ts';
import type { FileResult } from '../import/import-files.ts';
import type { ImportResult } from '../import/run-import.ts';
import { readStore, storeIn } from './serve-team.ts';
import type { ServiceTerminal } from './service-terminal.ts';

const importOptions = {
  store: { value: 'ADDRESS', help: () => l10n.t('the database to fill, sqlite:FILE or postgres://…'), read: readStore },
  whole: {
    value: 'SYSTEM',
    help: () =>
      l10n.t(
        'the path is the archive of all vulnerabilities of this system (npm, pypi …), whose vulnerabilities are known then',
      ),
    read: readSystem,
  },
  kev: {
    value: 'FILE',
    help: () =>
      l10n.t('mark the advisories whose CVE is in this list of known exploited vulnerabilities (CISA’s JSON)'),
  },
} as const satisfies OptionTable;

/** `package-insights import`: fills the database of a team's service from files. */
export const importCommand: Command<typeof importOptions> = {
  name: 'import',
  usage: '--store ADDRESS [--whole SYSTEM] [--kev FILE] PATH…',
  summary: () => l10n.t('Fill the database of a service with advisories (OSV) and exports of packages and versions'),
  options: importOptions,
  notes: () => [
    l10n.t(
      'A path is a folder or a ZIP archive of JSON files, or a file with one JSON text a line, compressed by gzip or not.',
    ),
    l10n.t('An import that was interrupted continues where it ended.'),
    l10n.t('Exit codes: 0 imported, 2 stopped, failed, or nothing of a file was kept.'),
  ],
  examples: [
    'package-insights import --store sqlite:insights.sqlite all.zip',
    'package-insights import --store sqlite:insights.sqlite --whole npm all.zip',
    'package-insights import --store sqlite:insights.sqlite --kev known_exploited_vulnerabilities.json all.zip',
    'package-insights import --store postgres://insights@db.example/insights versions.jsonl.gz',
  ],
  takesPositionals: true,
  async run({ options: { store, kev, whole }, positionals }, terminal: ServiceTerminal) {
    if (store === undefined) throw new UsageError(l10n.t('{0} is missing', '--store'));
    if (positionals.length === 0) throw new UsageError(l10n.t('name at least one file or folder'));
    if (whole !== undefined && positionals.length > 1)
      throw new UsageError(l10n.t('{0} requires exactly one archive', '--whole'));
    const ending = new AbortController();
    terminal.ended.then(() => ending.abort());
    const results: ImportResult[] = [];
    await terminal
      .importFiles({
        store: storeIn(store, terminal),
        paths: positionals.map((it) => resolve(terminal.directory, it)),
        ...(whole !== undefined && { whole }),
        ...(kev !== undefined && { kev: resolve(terminal.directory, kev) }),
        now: terminal.clock.now(),
        signal: ending.signal,
        onProgress: (_, { position, bad }, count) => {
          const of = count === undefined ? String(position) : `${position}/${count}`;
          terminal.status?.(l10n.t('records: {0}, bad: {1}', of, bad));
        },
        onChecking: (_, records, count) => {
          const of = count === undefined ? String(records) : `${records}/${count}`;
          terminal.status?.(l10n.t('records checked: {0}', of));
        },
        onTrouble: (reason) => terminal.error(sanitize(l10n.t('the database does not answer: {0}', reason))),
        onResult: (path, result) => {
          terminal.status?.('');
          results.push(result);
          for (const it of describe(result, whole !== undefined)) terminal.out(sanitize(`${path}: ${it}`));
        },
      })
      .catch((error: unknown) => {
        terminal.status?.('');
        if (error instanceof Error && error.name === 'Unusable') throw new UsageError(error.message);
        throw error;
      });
    const isAll = results.length === positionals.length && results.every(isComplete);
    return isAll && results.every((it) => it.kept > 0 || it.bad === 0) ? 0 : 2;
  },
};

function isComplete({ state }: ImportResult): boolean {
  return state === 'complete' || state === 'was complete';
}

/** `npm` */
export function readSystem(text: string, option: string): System {
  const system = systems.find((it) => it === text.toUpperCase());
  if (system) return system;
  throw new UsageError(l10n.t('{0} requires {1}, not “{2}”', option, 'SYSTEM', sanitize(text)));
}

function describe(result: FileResult, isWhole: boolean): readonly string[] {
  const { state, position, kept, ignored, bad, faults, whole } = result;
  const counts = l10n.t('kept: {0}, of other ecosystems: {1}, bad: {2}', kept, ignored, bad);
  const ends = {
    complete: () => counts,
    'was complete': () =>
      bad === 0
        ? l10n.t('was imported before')
        : l10n.t('was imported before, and nothing of it was kept; bad: {0}', bad),
    stopped: () =>
      isWhole
        ? l10n.t('Stopped; the same command begins anew')
        : `${counts}. ${l10n.t('Stopped after record {0}; the same command continues there', position)}`,
    elsewhere: () => `${counts}. ${l10n.t('Another process imports the same file')}`,
  } as const satisfies Record<ImportResult['state'], () => string>;
  const known = whole && l10n.t('vulnerabilities of {0} as of {1}', systemNames[whole.system], dayOf(whole.asOf));
  return [ends[state](), ...(known === undefined ? [] : [known]), ...faults];
}
