import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import type { Insights } from '../../engine/model/ports.ts';
import { projectFileName } from '../../engine/model/project.ts';
import { knownHost } from '../../engine/model/registry.ts';
import type { Settings } from '../../engine/model/settings.ts';
import { hostBehind } from '../../engine/model/signals/repository.ts';
import { countLookups, dependenciesByFile } from '../../engine/report/build/coverage.ts';
import type { Report } from '../../engine/report/report.ts';
import type { Terminal } from '../command.ts';
import type { FailOn, Gap } from './fail-on.ts';

/** A gap in the coverage, and whether it counts. */
export interface GapStatus {
  readonly gap: Gap;
  /** The option or file that accepts it; absent where it makes the exit code 2. */
  readonly passedBy?: string;
  /** Of `withheld`: all of them are from private registries that were asked. */
  readonly isAsked?: true;
  /** Of `withheld`: all of them are brought by dependencies. */
  readonly isBelow?: true;
  /** Of `withheld`: all of them are brought by dependencies, and from no registry. */
  readonly isElsewhere?: true;
  /** Of `withheld`: no registry has a known host, so none can be declared public; `askable`: one may be asked, though. */
  readonly hosts?: 'unknown' | 'askable';
  /** Of `unchecked`: their versions are known, and their vulnerabilities are not. */
  readonly isListed?: true;
}

/** Lists the gaps of a report, without those that count only on request. */
export function gapsIn(
  { coverage }: Pick<Report, 'coverage'>,
  snapshots: readonly Snapshot[],
  failOn: FailOn,
  allowPrivate: boolean,
): GapStatus[] {
  const { total, lookedUp, withheld, withoutAdvisories = 0, listed = 0, unread, unclear, unchecked, below } = coverage;
  const unsaid = listed + (below?.listed ?? 0);
  const passed = (gap: Gap, isUsual: boolean, found: number): readonly GapStatus[] => {
    const named = failOn.gaps.get(gap);
    if (found === 0 || (named === undefined && !isUsual)) return [];
    return [named === 'off' ? { gap, passedBy: '--fail-on' } : { gap }];
  };
  const dependencies = dependenciesByFile(snapshots).flat();
  const strict = dependencies.filter((it) => it.project?.allowPrivate !== true);
  const left = countLookups(strict);
  const isAgreed =
    left.withheld + (left.withoutAdvisories ?? 0) === 0 && strict.every((it) => !it.below?.unchecked.withheld);
  const elsewhere = below?.elsewhere ?? 0;
  const withheldBelow = (below?.withheld ?? 0) - elsewhere;
  const passedBy = allowPrivate ? '--allow-private' : isAgreed ? projectFileName : undefined;
  return [
    ...passed('withheld', true, withheld + withoutAdvisories + withheldBelow).map((it) => ({
      ...it,
      ...(passedBy !== undefined && { passedBy }),
      ...(withheld + withheldBelow === 0 && { isAsked: true as const }),
      ...(withheld + withoutAdvisories === 0 && { isBelow: true as const }),
      ...hostsOf(dependencies),
    })),
    // A name that may stay private is one of a registry.
    ...passed('withheld', true, elsewhere).map((it) => ({ ...it, isElsewhere: true as const })),
    ...passed('unread', true, unread),
    ...passed('unclear', true, unclear),
    // Unchecked dependencies are usual, except when nothing could be looked up at all.
    ...passed('unchecked', total > 0 && lookedUp === 0, unchecked),
    ...(unsaid > 0 ? [{ gap: 'unchecked', isListed: true } as const] : []),
  ];
}

/**
 * Counts the repositories that were not requested, where archived ones fail a check: one for each package that was looked
 * up. A code host that did not answer is in the report already.
 */
export function withUnaskedRepositories<T extends Pick<Report, 'coverage' | 'repositories'>>(
  report: T,
  failOn: FailOn,
  insights: Insights,
  { connections }: Settings,
): T {
  const { lookedUp, unknown } = report.coverage;
  const count = lookedUp - unknown;
  const reason = whyUnasked(insights, connections['code-host']);
  if (reason === undefined || count === 0 || !failOn.findings.has('archived')) return report;
  return { ...report, repositories: [...(report.repositories ?? []), { reason, count }] };
}

/** Whether archived repositories may be missing among the findings that fail a check. */
export function isMissingArchived({ repositories }: Pick<Report, 'repositories'>, { findings }: FailOn): boolean {
  return repositories !== undefined && findings.has('archived');
}

function whyUnasked(
  { codeHost }: Insights,
  { baseUrl, invalid }: Settings['connections']['code-host'],
): string | undefined {
  if (codeHost?.()?.looksAhead) return undefined;
  if (invalid !== undefined) return l10n.t('the connection of the code host is not valid');
  if (baseUrl === '') return l10n.t('no code host is connected');
  return hostBehind(baseUrl) === undefined
    ? l10n.t('the address of the code host names no host of repositories')
    : l10n.t('the code host is connected without a credential');
}

/** Prints why the exit code is 2 without a failure, and how to change that, or what accepts the gap. */
export function printGaps(gaps: readonly GapStatus[], command: string, { error }: Terminal): void {
  for (const it of gaps) {
    const { passedBy } = it;
    const reason = reasonOf(it);
    const said =
      passedBy === undefined
        ? `${reason}; ${adviceFor(it, command)}`
        : l10n.t('{0}; accepted by {1}', reason, passedBy);
    error(`package-insights ${command}: ${said}`);
  }
}

function reasonOf({ gap, isAsked, isListed, isBelow, isElsewhere }: GapStatus): string {
  if (isElsewhere) return l10n.t('not checked: packages that dependencies bring from no registry');
  if (isBelow) return l10n.t('not checked: packages that dependencies bring from a private registry');
  if (isAsked) return l10n.t('vulnerabilities not checked: packages from private registries');
  if (isListed) return l10n.t('vulnerabilities not checked: the service does not know them');
  switch (gap) {
    case 'withheld':
      return l10n.t('not checked: packages whose names stay private');
    case 'unread':
      return l10n.t('not checked: unreadable files');
    case 'unclear':
      return l10n.t('not checked: partly understood manifests');
    case 'unchecked':
      return l10n.t('not checked: dependencies without a known version');
  }
}

/** To ask a private registry comes first: one that is declared public by mistake has its names sent. */
/** A variable in the place of a host is known to the client alone, which may be asked. */
function hostsOf(dependencies: readonly EvaluatedDependency[]): Pick<GapStatus, 'hosts'> {
  const withheld = dependencies.flatMap(({ resolution: it }) => (it.kind === 'none' && it.withheld) || []);
  if (withheld.some((it) => knownHost(it) !== undefined)) return {};
  return { hosts: withheld.some((it) => it.host !== undefined) ? 'askable' : 'unknown' };
}

function adviceFor({ gap, isAsked, isListed, isElsewhere, hosts }: GapStatus, command: string): string {
  if (gap !== 'withheld' || isElsewhere) {
    if (isListed) return l10n.t('the exit code is 2');
    if (command !== 'check') return l10n.t('the exit code is 2');
    return l10n.t('the exit code is 2 (accept with {0})', `--fail-on ${gap}:off`);
  }
  const accepting = ['--allow-private', '"allowPrivate": true', projectFileName] as const;
  if (hosts === 'askable' && !isAsked)
    return l10n.t(
      'the exit code is 2 (ask private registries with {0}, or accept with {1} or {2} in {3})',
      '--ask-private-registries',
      ...accepting,
    );
  if (isAsked || hosts) return l10n.t('the exit code is 2 (accept with {0} or {1} in {2})', ...accepting);
  return l10n.t(
    'the exit code is 2 (ask private registries with {0}, declare a public one with {1}, or accept with {2} or {3} in {4})',
    '--ask-private-registries',
    '--public-registry HOST',
    ...accepting,
  );
}
