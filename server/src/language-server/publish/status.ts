import * as l10n from '@vscode/l10n';
import { findingsIn } from '../../analysis/findings.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { type EvaluatedDependency, factsOf, failureOf, isPending } from '../../model/evaluated-dependency.ts';
import { refreshOf } from '../../model/facts.ts';
import type { ConnectionProblem } from '../../model/ports.ts';
import { type InvalidSetting, type Settings, settingThatStopsLookups } from '../../model/settings.ts';
import { countLookups, countUnchecked, firstProblemLine, privateDependenciesIn } from '../../report/build/coverage.ts';
import { coverageText } from '../../report/formats/texts.ts';
import type { Session } from '../session.ts';
import { throttle } from '../util/throttle.ts';

/** Sent to clients that announce `experimental.packageInsightsStatus`; shapes the status item. */
const statusNotification = 'packageInsights/status';

/** One open manifest, in numbers. */
export interface DocumentStatus {
  readonly uri: string;
  readonly dependencies: number;
  readonly findings: number;
  /** How many are still being asked for. */
  readonly pending: number;
  /** Of how many nothing is known, since the service could not be asked. */
  readonly unanswered: number;
  /** Why the service cannot be asked; absent while it answers. */
  readonly failed?: string;
  /** Why what is asked has no answer so far, though nothing has failed yet. */
  readonly delayed?: string;
  /** The line, from 1 on, from which its text is not understood; absent where all of it is. */
  readonly unclearFrom?: number;
  /** How much was looked up, in words, once nothing is asked any longer; absent where all of it was. */
  readonly coverage?: string;
}

export interface Status {
  readonly documents: readonly DocumentStatus[];
  /** Until when nothing is sent because the service asked for it, in ms since the epoch. */
  readonly heldUntil?: number;
  /** Nothing is asked, because a person said so. */
  readonly offline?: true;
  /** Settings that cannot be understood; of those that close any, nothing is asked. */
  readonly mistakes?: readonly InvalidSetting[];
}

const limits = {
  /** In ms: the keystrokes of a word. */
  moment: 100,
  /** In ms: how long somebody may type without a pause. */
  patience: 1000,
  /** In ms: nobody tells that nothing happens, so while something is asked that is looked for so often. */
  look: 1000,
} as const;

/**
 * Tells how things stand a moment after the last of what happens, once for all of it: nobody reads it while typing, and
 * each keystroke would find the look at the last one under way.
 * @param first what else has time until then
 */
export function createStatusThrottle(session: Session, first: () => void): () => void {
  const { clock } = session;
  const tell = async (): Promise<void> => {
    first();
    await publishStatus(session).catch((it: unknown) => session.log('the status', it));
  };
  const now = throttle(clock, tell, () => 0);
  /** Since when there is something to tell, in ms since the epoch. */
  let since: number | undefined;
  let cancel = (): void => {};
  return () => {
    since ??= clock.now();
    cancel();
    const left = Math.max(0, since + limits.patience - clock.now());
    cancel = clock.after(Math.min(limits.moment, left), () => {
      since = undefined;
      now();
    });
  };
}

/** Tells the log of troubles, and clients that want to know how things stand. */
export async function publishStatus(session: Session): Promise<void> {
  const { client, connection, insights, workspace, settings } = session;
  const snapshots = await Promise.all(workspace.documents.map((it) => workspace.snapshot(it.uri)));
  const trouble = insights.connectionProblem();
  const standings = snapshots.flatMap((it) =>
    it ? [withConnectionProblem(summarize(it, session.settingsFor(it.uri)), trouble)] : [],
  );
  logFailures(session, standings);
  if (!client.experimental?.packageInsightsStatus) return;
  const backoff = insights.backoff();
  const status: Status = {
    documents: standings.map((it) => it.status),
    ...(backoff?.asked && { heldUntil: backoff.until }),
    ...(settings.offline && { offline: true }),
    ...(settings.invalidSettings && { mistakes: settings.invalidSettings }),
  };
  watchConnectionProblem(session, standings.some((it) => it.status.pending > 0) ? { told: trouble } : undefined);
  await connection.sendNotification(statusNotification, status);
}

/** Nobody wants to know any more. */
export function stopStatus(session: Session): void {
  problemWatches.get(session)?.();
}

/** What ends the look for trouble of each session. */
const problemWatches = new WeakMap<Session, () => void>();

/**
 * Tells how things stand again when it begins, or ceases, to be known why there are no answers.
 * @param asked absent where nothing is being asked
 */
function watchConnectionProblem(
  session: Session,
  asked: { readonly told: ConnectionProblem | undefined } | undefined,
): void {
  const { clock, insights } = session;
  stopStatus(session);
  if (!asked) return;
  const look = (): void => {
    if (insights.connectionProblem()?.reason === asked.told?.reason) watchConnectionProblem(session, asked);
    else publishStatus(session).catch((it: unknown) => session.log('the status', it));
  };
  problemWatches.set(session, clock.after(limits.look, look));
}

interface DocumentSummary {
  readonly status: DocumentStatus;
  readonly failures: ReadonlySet<string>;
  /** Whether the service has answered about anything of it. */
  readonly isAnswered: boolean;
}

/** What is still being asked says already why it was in vain so far, or takes long. */
function withConnectionProblem(standing: DocumentSummary, trouble: ConnectionProblem | undefined): DocumentSummary {
  const { status, failures } = standing;
  if (trouble === undefined || status.pending === 0) return standing;
  const { reason, isOnlySlow } = trouble;
  if (isOnlySlow) return { ...standing, status: { ...status, delayed: reason } };
  return {
    ...standing,
    status: { ...status, failed: status.failed ?? reason },
    failures: new Set([...failures, reason]),
  };
}

/** Snapshots never change, and are made anew with the settings: with many documents open, a keystroke changes one. */
const summaries = new WeakMap<Snapshot, DocumentSummary>();

function summarize(snapshot: Snapshot, settings: Settings): DocumentSummary {
  const before = summaries.get(snapshot);
  if (before) return before;
  const { uri, dependencies } = snapshot;
  const unclear = firstProblemLine(snapshot);
  const failures = new Set(dependencies.map(failureOf).filter((it) => it !== undefined));
  const [failed] = failures;
  const pending = dependencies.filter((it) => isPending(it) || isRefreshing(it)).length;
  const coverage = pending > 0 ? undefined : coverageOf(dependencies, settings);
  const status = {
    uri,
    dependencies: dependencies.length,
    findings: findingsIn(dependencies, settings).length,
    pending,
    unanswered: dependencies.filter((it) => factsOf(it) === undefined && failureOf(it) !== undefined).length,
    ...(failed !== undefined && { failed }),
    ...(unclear !== undefined && { unclearFrom: unclear }),
    ...(coverage !== undefined && { coverage }),
  };
  const standing = { status, failures, isAnswered: dependencies.some(isAnswered) };
  summaries.set(snapshot, standing);
  return standing;
}

/**
 * `5 of 9 looked up: …`, with the setting that helps. A name that is still being typed does not count, because it is
 * about to be looked up.
 */
function coverageOf(all: readonly EvaluatedDependency[], settings: Settings): string | undefined {
  const dependencies = all.filter(({ resolution: it }) => it.kind !== 'none' || it.isBeingTyped !== true);
  const lookups = countLookups(dependencies);
  if (lookups.failed > 0 && (settings.offline || settingThatStopsLookups(settings))) {
    return l10n.t('{0} of {1} looked up: nothing was requested', lookups.lookedUp, lookups.total);
  }
  const withheld = privateDependenciesIn(dependencies);
  const text = coverageText({
    coverage: { ...lookups, old: 0, unread: 0, unclear: 0, leftOut: 0 },
    failures: [],
    withheld,
    unchecked: countUnchecked(dependencies),
    at: '',
  });
  if (text === undefined || !withheld.some((it) => it.isPublicUnsaid)) return text;
  const setting = 'packageInsights.publicRegistries';
  return `${text}; ${l10n.t('the service reports no public registries; list them in {0}', setting)}`;
}

/** Reasons that are told before the service answers again: one that is worded anew each time must not fill the log. */
const MAX_LOGGED_REASONS = 5;

/** Writes to the log why the service could not be asked, each reason once, and that it answers again. */
export function logFailures(
  { loggedFailures, settings, connection }: Session,
  documents: readonly { readonly failures: ReadonlySet<string>; readonly isAnswered: boolean }[],
): void {
  if (settings.offline || settingThatStopsLookups(settings)) return;
  const reasons = new Set(documents.flatMap((it) => [...it.failures]));
  for (const reason of reasons) {
    if (loggedFailures.has(reason) || loggedFailures.size >= MAX_LOGGED_REASONS) continue;
    loggedFailures.add(reason);
    connection.console.warn(l10n.t('lookups failed: {0}', reason));
  }
  if (loggedFailures.size === 0 || reasons.size > 0 || !documents.some((it) => it.isAnswered)) return;
  loggedFailures.clear();
  connection.console.info(l10n.t('the service answers again'));
}

/** Whether what is known of a dependency is being asked for once more. */
export function isRefreshing({ version }: EvaluatedDependency): boolean {
  return refreshOf(version) === 'pending';
}

/** Whether the service has answered about a dependency, and that answer holds. */
export function isAnswered({ version }: EvaluatedDependency): boolean {
  return (version?.state === 'unknown' || version?.state === 'ready') && version.refresh === undefined;
}
