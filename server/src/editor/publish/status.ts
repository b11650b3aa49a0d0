import * as l10n from '@vscode/l10n';
import { leftOutBelow } from '../../engine/analysis/below/left-out.ts';
import { type DependencyFinding, findingsIn } from '../../engine/analysis/findings.ts';
import { bySeverity, ratedOf } from '../../engine/analysis/rules/advisory.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { type EvaluatedDependency, factsOf, failureOf, isPending } from '../../engine/model/evaluated-dependency.ts';
import { refreshOf } from '../../engine/model/facts.ts';
import type { ConnectionProblem } from '../../engine/model/ports.ts';
import { type InvalidSetting, type Settings, settingThatStopsLookups } from '../../engine/model/settings.ts';
import { allRatings, type Rating, ratingText } from '../../engine/model/severity-rating.ts';
import {
  countLookups,
  firstProblemLine,
  groupUnchecked,
  isUndecided,
  privateDependenciesIn,
} from '../../engine/report/build/coverage.ts';
import { belowOffText, reasonsText } from '../../engine/report/formats/texts.ts';
import { affectedBelow } from '../features/hint-labels.ts';
import { canBeAsked } from '../features/private-actions.ts';
import type { Engine } from '../state/engine.ts';
import type { ServerState } from '../state/server-state.ts';
import { throttle } from '../util/throttle.ts';

/** Sent to clients that announce `experimental.packageInsightsStatus`; shapes the status item. */
const statusNotification = 'packageInsights/status';

/** One open manifest, in numbers. */
export interface DocumentStatus {
  readonly uri: string;
  readonly dependencies: number;
  /** Without packages that the service does not know, where that is only a hint: `lookups` counts them. */
  readonly findings: number;
  /** Dependencies that bring affected packages along: not among `findings`. Absent for none. */
  readonly below?: number;
  /** The worst severity of these, in the language of the client: `high`, `malicious`. Absent where none has one. */
  readonly worst?: { readonly isMalicious: boolean; readonly text: string };
  readonly lookups: DocumentLookups;
  /** Dependencies whose facts are still requested. */
  readonly pending: number;
  /** Dependencies without facts, because the lookup failed. */
  readonly unanswered: number;
  /** Why the lookup fails; absent while the service answers. */
  readonly failed?: string;
  /** Why answers are late, although nothing has failed yet. */
  readonly delayed?: string;
  /** The first line (from 1) with a syntax problem; absent if the whole text was parsed. */
  readonly unclearFrom?: number;
  /** Why dependencies were not looked up, once no request is left; absent if all were. */
  readonly coverage?: string;
  /** The host of a private registry that could be asked, but is not because of the setting. */
  readonly askable?: string;
  /** Names are withheld because a browser cannot read the registry settings of the person's computer. */
  readonly isWithheldInBrowser?: true;
}

/** The dependencies from registries, in numbers: what is missing in their sum is still requested, or failed. */
export interface DocumentLookups {
  /** The service knows them. */
  readonly checked: number;
  /** Not looked up, because their names stay private. */
  readonly withheld: number;
  /** Of these: a browser waits for the person's permission. Absent for none. */
  readonly undecided?: number;
  /** Of these: a file that may name their registry cannot be read. Absent for none. */
  readonly unreadable?: number;
  /** Unknown to the service. */
  readonly unknown: number;
  /** Known to private registries, which were asked: their advisories are not checked. Absent for none. */
  readonly withoutAdvisories?: number;
  /** The service knows their versions, but not their vulnerabilities. */
  readonly listed?: number;
  /** Taken from the workspace, and so not looked up. Absent for none. */
  readonly fromWorkspace?: number;
  /** Without a version that could be looked up. */
  readonly unchecked: number;
}

/** The time during which lookups fail. */
export interface Outage {
  /** A clause: `connection refused`. */
  readonly reason: string;
  /** When the first lookup failed, in ms since the epoch. */
  readonly since: number;
  /** When it is tried again, in ms since the epoch; absent where that is at once, or not known. */
  readonly retryAt?: number;
}

export interface Status {
  readonly documents: readonly DocumentStatus[];
  /** Absent while the service answers, and while nothing may be sent. */
  readonly outage?: Outage;
  /** Until when no request is sent, because the service requested a wait; in ms since the epoch. */
  readonly heldUntil?: number;
  /** The person chose to work offline. */
  readonly offline?: true;
  /** Invalid settings. If one of them has `closes`, no request is sent. */
  readonly mistakes?: readonly InvalidSetting[];
}

/** In ms: the keystrokes of a word. */
const PAUSE_MS = 100;
/** In ms: the longest delay while a person types without a pause. */
const MAX_DELAY_MS = 1000;
/** In ms. No event reports that an answer is late, so the connection is checked this often while facts are pending. */
const CHECK_INTERVAL_MS = 1000;

/**
 * Publishes the status a moment after the last of a series of changes. It is not read while typing, and each keystroke
 * would find the evaluation for the previous one still running.
 * @param first work that can wait until then
 */
export function createStatusThrottle(server: ServerState, first: () => void): () => void {
  const { clock } = server.engine;
  const tell = async (): Promise<void> => {
    first();
    await publishStatus(server).catch((it: unknown) => server.client.log('the status', it));
  };
  const now = throttle(clock, tell, () => 0);
  /** When the first unpublished change happened, in ms since the epoch. */
  let since: number | undefined;
  let cancel = (): void => {};
  return () => {
    since ??= clock.now();
    cancel();
    const left = Math.max(0, since + MAX_DELAY_MS - clock.now());
    cancel = clock.after(Math.min(PAUSE_MS, left), () => {
      since = undefined;
      now();
    });
  };
}

/**
 * Logs failures of lookups, and sends the status to clients that support it. Ends where a document is opened, edited or
 * closed meanwhile: that leads to another status.
 */
export async function publishStatus(server: ServerState): Promise<void> {
  const { connection } = server.client;
  const { insights, workspace } = server.engine;
  const { documents } = workspace;
  const isNeeded = (): boolean => workspace.documents === documents;
  const snapshots = await Promise.all(documents.map((it) => workspace.snapshot(it.uri, isNeeded)));
  if (!isNeeded()) return;
  const trouble = insights.connectionProblem();
  const standings = snapshots.flatMap((it) =>
    it
      ? [withConnectionProblem(summarize(it, server.settings.for(it.uri), server.engine.mayOfferAsking), trouble)]
      : [],
  );
  logFailures(server, standings);
  if (!server.client.capabilities.experimental?.packageInsightsStatus) return;
  const backoff = insights.backoff();
  const outage = outageOf(server, standings);
  const status: Status = {
    documents: standings.map((it) => it.status),
    ...(outage && { outage }),
    ...(backoff?.asked && { heldUntil: backoff.until }),
    ...(server.settings.current.offline && { offline: true }),
    ...(server.settings.current.invalidSettings && { mistakes: server.settings.current.invalidSettings }),
  };
  const isWatched = outage !== undefined || standings.some((it) => it.status.pending > 0);
  watchConnectionProblem(server, isWatched ? { told: connectionState(server.engine) } : undefined);
  await connection.sendNotification(statusNotification, status);
}

/** Stops watching the connection of a server. */
export function stopStatus(server: ServerState): void {
  problemWatches.get(server)?.();
}

/** Cancels the next check of the connection, by server. */
const problemWatches = new WeakMap<ServerState, () => void>();

/**
 * Publishes the status again when the connection problem, or the time of the next try, appears, changes or ends.
 * @param asked absent while no request is pending, and none has failed
 */
function watchConnectionProblem(server: ServerState, asked: { readonly told: string } | undefined): void {
  const { clock } = server.engine;
  stopStatus(server);
  if (!asked) return;
  const look = (): void => {
    if (connectionState(server.engine) === asked.told) watchConnectionProblem(server, asked);
    else publishStatus(server).catch((it: unknown) => server.client.log('the status', it));
  };
  problemWatches.set(server, clock.after(CHECK_INTERVAL_MS, look));
}

/** What the status says of the connection, to compare. */
function connectionState({ insights, clock }: Engine): string {
  const { until = 0 } = insights.backoff() ?? {};
  return `${insights.connectionProblem()?.reason} ${until > clock.now() ? until : 0}`;
}

/** When the lookups of a server began to fail, in ms since the epoch. */
const outageStarts = new WeakMap<ServerState, number>();

function outageOf(server: ServerState, standings: readonly DocumentSummary[]): Outage | undefined {
  const { clock, insights } = server.engine;
  const reason = standings.map((it) => it.status.failed).find((it) => it !== undefined);
  if (reason === undefined || server.settings.current.offline || settingThatStopsLookups(server.settings.current)) {
    outageStarts.delete(server);
    return undefined;
  }
  const now = clock.now();
  const since = outageStarts.get(server) ?? now;
  outageStarts.set(server, since);
  const backoff = insights.backoff();
  return { reason, since, ...(backoff && backoff.until > now && { retryAt: backoff.until }) };
}

interface DocumentSummary {
  readonly status: DocumentStatus;
  readonly failures: ReadonlySet<string>;
  /** Whether the service has answered for any of its dependencies. */
  readonly isAnswered: boolean;
}

/** Adds why pending facts are late or their requests failed so far. */
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

/**
 * A snapshot is immutable, and a change of settings makes a new one. A keystroke changes one of many open documents.
 */
const summaries = new WeakMap<Snapshot, DocumentSummary>();

function summarize(snapshot: Snapshot, settings: Settings, mayOfferAsking: boolean): DocumentSummary {
  const before = summaries.get(snapshot);
  if (before) return before;
  const { uri, dependencies } = snapshot;
  const unclear = firstProblemLine(snapshot);
  const failures = new Set(dependencies.map(failureOf).filter((it) => it !== undefined));
  const [failed] = failures;
  const pending = dependencies.filter((it) => isPending(it) || isRefreshing(it)).length;
  const left = settings.lookUpBelow ? 0 : leftOutBelow(snapshot).length;
  const own = pending > 0 ? undefined : coverageOf(dependencies, settings);
  const coverage =
    left === 0 || pending > 0 ? own : [...(own === undefined ? [] : [own]), belowOffText(left)].join('. ');
  const askable = mayOfferAsking ? askableIn(dependencies) : undefined;
  const found = findingsIn(dependencies, settings).filter((it) => it.code !== 'not-found' || it.severity !== 'hint');
  const below = found.filter((it) => it.code === 'advisory-below').length;
  const worst = worstOf(found);
  const status = {
    uri,
    dependencies: dependencies.length,
    findings: found.length - below,
    ...(below > 0 && { below }),
    ...(worst !== undefined && { worst: { isMalicious: worst === 'malicious', text: ratingText(worst) } }),
    lookups: lookupsOf(dependencies),
    pending,
    unanswered: dependencies.filter((it) => factsOf(it) === undefined && failureOf(it) !== undefined).length,
    ...(failed !== undefined && { failed }),
    ...(unclear !== undefined && { unclearFrom: unclear }),
    ...(coverage !== undefined && { coverage }),
    ...(askable !== undefined && { askable }),
    ...(dependencies.some(isUndecided) && { isWithheldInBrowser: true as const }),
  };
  const standing = { status, failures, isAnswered: dependencies.some(isAnswered) };
  summaries.set(snapshot, standing);
  return standing;
}

function askableIn(dependencies: readonly EvaluatedDependency[]): string | undefined {
  for (const { resolution } of dependencies) {
    const registry = resolution.kind === 'none' ? resolution.withheld : undefined;
    if (registry && canBeAsked(registry) && registry.host !== undefined) return registry.host;
  }
  return undefined;
}

/** Of what has a severity: vulnerabilities and malware, also of what dependencies bring along. */
function worstOf(found: readonly DependencyFinding[]): Rating | undefined {
  const rated = found.flatMap(({ code, evaluated }): readonly (Rating | undefined)[] => {
    if (code === 'malicious') return ['malicious'];
    if (code === 'advisory') return [verdictOf(evaluated).worst?.rating];
    if (code !== 'advisory-below') return [];
    const [worst] = bySeverity(affectedBelow(evaluated).flatMap((it) => it.advisories));
    return [worst && ratedOf(worst).rating];
  });
  return allRatings.find((it) => it !== 'unrated' && rated.includes(it));
}

function lookupsOf(dependencies: readonly EvaluatedDependency[]): DocumentLookups {
  const counts = countLookups(dependencies.filter(isComplete));
  const {
    lookedUp,
    withheld,
    undecided,
    unreadable,
    unknown,
    withoutAdvisories = 0,
    listed = 0,
    fromWorkspace = 0,
    unchecked,
  } = counts;
  const checked = lookedUp - unknown - withoutAdvisories - listed;
  return {
    checked,
    withheld,
    unknown,
    unchecked,
    ...(undecided && { undecided }),
    ...(unreadable && { unreadable }),
    ...(withoutAdvisories > 0 && { withoutAdvisories }),
    ...(listed > 0 && { listed }),
    ...(fromWorkspace > 0 && { fromWorkspace }),
  };
}

/** A name that is still being typed does not count, because it is about to be looked up. */
function isComplete({ resolution: it }: EvaluatedDependency): boolean {
  return it.kind !== 'none' || it.isBeingTyped !== true;
}

/** Why dependencies were not looked up, with the setting that helps. `lookups` has the numbers. */
function coverageOf(all: readonly EvaluatedDependency[], settings: Settings): string | undefined {
  const dependencies = all.filter(isComplete);
  if (countLookups(dependencies).failed > 0 && (settings.offline || settingThatStopsLookups(settings)))
    return l10n.t('Nothing was requested');
  // Of the permission that a browser waits for a note of its own tells.
  const withheld = privateDependenciesIn(dependencies).filter((it) => !it.isUndecided);
  const text = reasonsText({ withheld, unchecked: groupUnchecked(dependencies) });
  if (text === undefined || !withheld.some((it) => it.isPublicUnsaid)) return text;
  const setting = 'packageInsights.publicRegistries';
  return `${text}. ${l10n.t('The service reports no public registries. List them in {0}', setting)}`;
}

/**
 * Reasons logged until the service answers again: a service that words each reason differently must not fill the log.
 */
const MAX_LOGGED_REASONS = 5;

/** Logs each reason for failed lookups once, and when the service answers again. */
export function logFailures(
  { settings, client: { loggedFailures, connection } }: ServerState,
  documents: readonly { readonly failures: ReadonlySet<string>; readonly isAnswered: boolean }[],
): void {
  if (settings.current.offline || settingThatStopsLookups(settings.current)) return;
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

/** Whether the facts of a dependency are being refreshed. */
export function isRefreshing({ version }: EvaluatedDependency): boolean {
  return refreshOf(version) === 'pending';
}

/** Whether the facts of a dependency are fresh. */
export function isAnswered({ version }: EvaluatedDependency): boolean {
  return (version?.state === 'unknown' || version?.state === 'ready') && version.refresh === undefined;
}
