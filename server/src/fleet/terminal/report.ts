import * as l10n from '@vscode/l10n';
import {
  type Arguments,
  type OptionTable,
  type OptionValues,
  type Terminal,
  UsageError,
} from '../../terminal/command.ts';
import { formatOption, notOneOf } from '../../terminal/options.ts';
import { checkWritable, writeOutput } from '../../terminal/print.ts';
import { type Answer, answer, type Question } from '../answers/answer.ts';
import { changesBetween } from '../answers/changes.ts';
import { groupings, groupRows } from '../answers/groups.ts';
import { readPackageQuery } from '../answers/package-query.ts';
import { isWholeFleet, summaryOf } from '../answers/summary.ts';
import type { Results, Run } from '../results/results.ts';
import { fleetFormats, type Shown } from './formats.ts';
import { resultsAddress, resultsOption } from './options.ts';
import { openResults } from './results.ts';
import { findRun } from './run.ts';
import { summaryTexts } from './texts.ts';

export const reportOptions = {
  package: {
    value: 'PACKAGE',
    help: () => l10n.t('the places of a package: npm:lodash, {0}', "'npm:lodash<4.17.21'"),
    read(text: string, option: string) {
      const query = readPackageQuery(text);
      if (typeof query !== 'string') return query;
      throw new UsageError(l10n.t('{0}: {1}', option, query));
    },
  },
  advisory: { value: 'ID', help: () => l10n.t('the findings of an advisory, by its identifier or an alias') },
  license: {
    value: 'LICENSE',
    help: () => l10n.t('the direct dependencies with a license: an SPDX identifier or a license class'),
  },
  repository: { value: 'NAME', help: () => l10n.t('one repository, as the list spells it') },
  owner: { value: 'OWNER', help: () => l10n.t('what this owner of CODEOWNERS has to fix: @org/team') },
  by: {
    value: 'NAME',
    names: groupings,
    help: () => l10n.t('group by {0}; default: each place, and packages without a question', groupings.join(', ')),
    read(text: string, option: string) {
      const found = groupings.find((it) => it === text);
      if (found) return found;
      throw notOneOf(text, groupings, option);
    },
  },
  since: {
    value: 'RUN',
    help: () => l10n.t('what has changed since an earlier run, or since the last one before with “last”'),
  },
  run: { value: 'RUN', help: () => l10n.t('the run; default: the last one') },
  format: formatOption(fleetFormats),
  output: { value: 'FILE', help: () => l10n.t('write the report to this file, and the summary to standard output') },
  results: resultsOption,
} as const satisfies OptionTable;

/** Shows what a run has found. */
export async function reportFleetCommand(
  { options, positionals }: Arguments<typeof reportOptions>,
  terminal: Terminal,
): Promise<number> {
  const [, extra] = positionals;
  if (extra !== undefined) throw new UsageError(l10n.t('{0} does not accept “{1}”', 'fleet report', extra));
  const { output, format } = options;
  if (format.isBinary && output === undefined)
    throw new UsageError(l10n.t('the format {0} requires --output', format.name));
  if (output !== undefined) await checkWritable(output, terminal);
  const results = await openResults(resultsAddress(options.results, terminal), false, terminal);
  try {
    const run = await findRun(results, options.run ?? 'last');
    const { shown, code } = await ask(results, run, options);
    const written = await format.write(shown, results, terminal);
    const summary = summaryTexts(shown.summary);
    if (output !== undefined) {
      await writeOutput(output, written, terminal);
      for (const it of summary) terminal.out(it);
    } else {
      terminal.out(String(written).replace(/\n$/, ''));
      // A program reads the output, and a person what is missing in it.
      if (format.isForPrograms) for (const it of summary) terminal.error(it);
    }
    return code;
  } finally {
    await results.close();
  }
}

async function ask(
  results: Results,
  run: Run,
  options: OptionValues<typeof reportOptions>,
): Promise<{ readonly shown: Shown; readonly code: number }> {
  const question: Question = {
    ...(options.package && { package: options.package }),
    ...(options.advisory !== undefined && { advisory: options.advisory }),
    ...(options.license !== undefined && { license: options.license }),
    ...(options.repository !== undefined && { repository: options.repository }),
    ...(options.owner !== undefined && { owner: options.owner }),
  };
  const answered = await answer(results, run, question, options.by);
  if (answered.repositories.length === 0)
    throw new UsageError(l10n.t('the run has no repository {0}', options.repository ?? ''));
  const earlier = options.since === undefined ? undefined : await earlierRun(results, run, options.since);
  const rows = earlier ? changesBetween(await answer(results, earlier, question, options.by), answered) : answered.rows;
  const summary = summaryOf(answered, rows);
  const isOpen = Object.keys(question).length === 0 && earlier === undefined;
  const by = options.by ?? (isOpen ? 'package' : undefined);
  return {
    shown: {
      answered,
      ...(earlier && { earlier }),
      question,
      rows,
      summary,
      ...(by && { groups: { by, groups: groupRows(rows, by) } }),
    },
    code: !isWholeFleet(summary) ? 2 : isFound(answered, rows) ? 1 : 0,
  };
}

/** Whatever is asked for by name counts. Of all findings, those that count in `check` do. */
function isFound({ isAboutPackages }: Answer, rows: Shown['rows']): boolean {
  return rows.some((it) => (isAboutPackages || it.counts) && !('change' in it && it.change !== 'new'));
}

async function earlierRun(results: Results, run: Run, name: string): Promise<Run> {
  const before = (await results.runs()).filter((it) => it.at < run.at || (it.at === run.at && it.id < run.id));
  const found = name === 'last' ? before[0] : await results.run(name);
  if (found) return found;
  throw new UsageError(
    name === 'last' ? l10n.t('there is no run before {0}', run.id) : l10n.t('there is no run {0}', name),
  );
}
