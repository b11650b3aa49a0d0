import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import type { Insights } from '../../engine/model/ports.ts';
import type { Settings } from '../../engine/model/settings.ts';
import { defaultUnrated, ratingText } from '../../engine/model/severity-rating.ts';
import { failOnFor, isFailure, readFailOnOptions } from '../../terminal/check/fail-on.ts';
import { gapsIn, isMissingArchived, withUnaskedRepositories } from '../../terminal/check/gaps.ts';
import { checkOptions } from '../../terminal/check/options.ts';
import type { Arguments, OptionTable, OptionValues, Terminal } from '../../terminal/command.ts';
import { UsageError } from '../../terminal/command.ts';
import { readServiceSettings } from '../../terminal/options.ts';
import { allowPrivateOption, scanOptions } from '../../terminal/scan.ts';
import { answer } from '../answers/answer.ts';
import { summaryOf } from '../answers/summary.ts';
import type { RateReport, RunOptions } from '../check-repository.ts';
import type { FleetParts } from '../fleet.ts';
import type { Results, Run } from '../results/results.ts';
import { checkingOptions, newRunId, queueAddress, queueOption, resultsAddress, resultsOption } from './options.ts';
import { openResults } from './results.ts';
import { listed, maliciousTexts, summaryTexts } from './texts.ts';

const { timeout, 'base-url': baseUrl, offline, 'max-age': maxAge } = scanOptions;

/** The options of whatever checks repositories: the service, and how much at a time. */
export const partOptions = {
  results: resultsOption,
  queue: queueOption,
  ...checkingOptions,
  'public-registry': scanOptions['public-registry'],
  timeout,
  'base-url': baseUrl,
  offline,
  'max-age': maxAge,
} as const satisfies OptionTable;

export const runOptions = {
  'fail-on': checkOptions['fail-on'],
  unrated: checkOptions.unrated,
  'allow-private': allowPrivateOption,
  ways: checkOptions.ways,
  resume: {
    value: 'RUN',
    help: () => l10n.t('continue this run, or the last one with “last”, instead of a new one'),
  },
  quiet: { help: () => l10n.t('print no progress') },
  ...partOptions,
} as const satisfies OptionTable;

/** Checks the repositories of a list. */
export async function runFleetCommand(
  { options, positionals }: Arguments<typeof runOptions>,
  terminal: Terminal,
): Promise<number> {
  const [list, extra] = positionals;
  if (extra !== undefined) throw new UsageError(l10n.t('{0} does not accept “{1}”', 'fleet', extra));
  if ((list === undefined) === (options.resume === undefined))
    throw new UsageError(l10n.t('fleet requires a list of repositories, or {0}', '--resume RUN'));
  const queue = queueAddress(options.queue, terminal);
  const text = list === undefined ? undefined : await readList(list, terminal);
  const results = await openResults(resultsAddress(options.results, terminal), true, terminal);
  try {
    const run =
      text === undefined
        ? await findRun(results, options.resume ?? '')
        : await createRun(results, text, options, terminal);
    for (const { line, reason } of run.bad)
      terminal.error(`package-insights fleet: ${l10n.t('line {0} of the list: {1}', line, reason)}`);
    if (run.repositories === 0) throw new UsageError(l10n.t('the list has no repository'));
    await check(run, results, queue, options, terminal);
    return await conclude(run, results, options, terminal);
  } finally {
    await results.close();
  }
}

type GivenOptions = OptionValues<typeof runOptions>;

async function check(
  { id }: Run,
  results: Results,
  queue: string | undefined,
  options: GivenOptions,
  terminal: Terminal,
): Promise<void> {
  const { runFleet, runFleetByWorkers } = await import('../fleet.ts');
  const aborting = new AbortController();
  terminal.ended.then(() => aborting.abort());
  /** How often in a row no worker was there: they may be starting as well. */
  let alone = 0;
  const run = {
    id,
    results,
    signal: aborting.signal,
    progress(done: number, total: number, workers?: number) {
      if (options.quiet) return;
      alone = workers === 0 ? alone + 1 : 0;
      if (alone === 5 && done < total) {
        const starts = 'package-insights fleet worker';
        terminal.error(`package-insights fleet: ${l10n.t('the queue has no worker; {0} starts one', starts)}`);
      }
      terminal.status?.(
        workers === undefined
          ? l10n.t('{0} of {1} repositories', done, total)
          : l10n.t('{0} of {1} repositories, {2} workers', done, total, workers),
      );
    },
  };
  try {
    if (queue === undefined) await withParts(options, terminal, (parts) => runFleet(run, parts));
    else
      await runFleetByWorkers(run, queue).catch((error: unknown) => {
        throw new UsageError(l10n.t('the queue cannot be used: {0}', fileTrouble(error)));
      });
  } finally {
    terminal.status?.('');
  }
}

/**
 * Checks repositories here, with one connection to the service for all of them.
 * @throws UsageError where results cannot be written
 */
export async function withParts(
  options: OptionValues<typeof partOptions>,
  terminal: Terminal,
  work: (parts: FleetParts) => Promise<void>,
): Promise<void> {
  const parts = await openParts(options, terminal);
  try {
    await work(parts);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(l10n.t('the results cannot be written: {0}', fileTrouble(error)));
  } finally {
    await parts.close();
  }
}

async function openParts(options: OptionValues<typeof partOptions>, terminal: Terminal) {
  const settings = {
    ...readServiceSettings(options, terminal),
    publicRegistries: options['public-registry'],
    privateRegistries: 'off' as const,
  };
  // For this user alone: checkouts of private repositories are in it.
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'package-insights-fleet-')));
  const insights = await terminal.insights(settings);
  return {
    insights,
    settings,
    clock: terminal.clock,
    disk: (roots: readonly string[]) => {
      const { credentials: _, ...files } = terminal.disk(roots);
      return files;
    },
    rate: rateFor(insights, settings),
    patience: options.timeout * 1000,
    concurrency: options.concurrency,
    environment: terminal.environment,
    scratch,
    async close() {
      await insights.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/** Findings count, and exit codes are, as in `check`. */
const rateFor = (insights: Insights, settings: Settings): RateReport => ({
  status(options, snapshots) {
    const failOn = failOnOf(options, snapshots);
    return (it) => ({ counts: !it.ignored && isFailure(it, failOn), known: false });
  },
  complete: (options, snapshots, report) =>
    withUnaskedRepositories(report, failOnOf(options, snapshots), insights, settings),
  code(options, snapshots, report) {
    const failOn = failOnOf(options, snapshots);
    const gaps = gapsIn(report, snapshots, failOn, options.allowPrivate).filter((it) => it.passedBy === undefined);
    if (report.failures.length > 0 || isMissingArchived(report, failOn) || gaps.some((it) => it.gap === 'unread'))
      return 2;
    if (report.findings.some((it) => it.counts)) return 1;
    return gaps.length > 0 ? 2 : 0;
  },
});

function failOnOf(options: RunOptions, snapshots: Parameters<RateReport['status']>[1]) {
  return failOnFor(
    // Repositories are not trusted: what they say counts only where it is stricter.
    { unratedHere: defaultUnrated, ...options },
    snapshots.map((it) => it.project?.project),
  );
}

async function readList(list: string, terminal: Terminal): Promise<string> {
  if (list === '-') return terminal.input();
  return readFile(resolve(terminal.directory, list), 'utf8').catch((error: unknown) => {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', list, fileTrouble(error)));
  });
}

async function createRun(results: Results, text: string, options: GivenOptions, terminal: Terminal): Promise<Run> {
  const { beginRun } = await import('../fleet.ts');
  const now = terminal.clock.now();
  return beginRun(results, {
    id: newRunId(now),
    at: new Date(now).toISOString(),
    options: {
      ...readFailOnOptions(options, terminal),
      allowPrivate: options['allow-private'],
      ways: options.ways,
    },
    text,
    directory: terminal.directory,
  });
}

/** @throws UsageError for a run that is not there */
export async function findRun(results: Results, name: string): Promise<Run> {
  const run = name === 'last' ? (await results.runs())[0] : await results.run(name);
  if (run) return run;
  throw new UsageError(name === 'last' ? l10n.t('the results contain no run') : l10n.t('there is no run {0}', name));
}

/** Prints what was checked and what was not. The results are complete only if each repository has one. */
async function conclude(
  run: Run,
  results: Results,
  { quiet, resume: _ }: GivenOptions,
  terminal: Terminal,
): Promise<number> {
  const answered = await answer(results, run, {});
  const summary = summaryOf(answered, answered.rows);
  const malicious = maliciousTexts(answered.rows);
  if (malicious.length > 0) terminal.error(`package-insights fleet: ${ratingText('malicious')}: ${listed(malicious)}`);
  for (const it of summaryTexts(summary)) terminal.out(it);
  const { pending } = summary.repositories;
  if (pending > 0)
    terminal.error(
      `package-insights fleet: ${l10n.t('{0} continues the run', `package-insights fleet --resume ${run.id}`)}`,
    );
  else if (!quiet)
    terminal.error(`package-insights fleet: ${l10n.t('{0} shows the findings', 'package-insights fleet report')}`);
  return codeOf(answered.repositories, run);
}

/** The worst exit code of all repositories. */
function codeOf(repositories: readonly { readonly code: 0 | 1 | 2; readonly state: string }[], run: Run): number {
  if (run.bad.length > 0 || repositories.some((it) => it.code === 2 || it.state === 'pending')) return 2;
  return repositories.some((it) => it.code === 1) ? 1 : 0;
}
