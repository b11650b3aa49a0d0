import * as l10n from '@vscode/l10n';
import type { BelowCoverage } from '../../analysis/below/coverage.ts';
import type { WaysOut } from '../../analysis/below/ways-out.ts';
import { affectedOf } from '../../analysis/below/ways-search.ts';
import type { RegistryHistory } from '../../analysis/privacy/registry-history.ts';
import { settle } from '../../analysis/settle.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { factsOfSharing, type UpdateScope } from '../../analysis/update-plan.ts';
import { Workspace } from '../../analysis/workspace.ts';
import { targetFor } from '../../model/evaluated-dependency.ts';
import { versionOf } from '../../model/keys.ts';
import {
  type Clock,
  type ConnectedInsights,
  type Files,
  type Insights,
  readInsight,
  UnlistedFolders,
  type Wanted,
  withListings,
  withReader,
} from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { ExcludedManifests, Failure } from '../report.ts';
import { type ScanProgress, type StaleAnswers, trackProgress } from './progress.ts';

/** The facts, with the back-off and connection problems of their service. */
export type ScanInsights = Insights & Pick<ConnectedInsights, 'backoff' | 'connectionProblem'>;

/** The ports and settings of a scan. */
export interface ScanContext {
  readonly files: Files;
  readonly insights: ScanInsights;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Whether the person trusts the workspace; absent where they started the scan themselves. */
  readonly isTrusted?: boolean;
  /** Earlier registry settings, before edits; absent where nothing is edited. */
  readonly history?: RegistryHistory;
  /** URI of the project file for all manifests; absent where each manifest uses the nearest one. */
  readonly projectFile?: string;
  /** The texts of project files, by URI, before a change that may not loosen them; absent if no change is judged. */
  readonly projectsBefore?: ReadonlyMap<string, string>;
  /** As in `Environment`. */
  readonly buildsHere?: boolean;
  /** Total time to wait for the service, in ms. */
  readonly patience: number;
  /** Stale answers are accepted without waiting for fresh ones; absent where fresh ones are required. */
  readonly acceptsStale?: true;
  /** The facts that an update in this scope needs are looked up, too; absent where nothing is updated. */
  readonly updates?: UpdateScope;
  /** The ways out of affected packages below dependencies are searched, too. */
  readonly searchesWays?: true;
  readonly signal: AbortSignal;
  /** Called whenever some of the manifests were read. */
  readonly reading?: (done: number, total: number) => void;
  /** Called whenever facts arrived. */
  readonly progress: (counts: ScanProgress) => void;
}

export interface ScanResult {
  readonly snapshots: readonly Snapshot[];
  /** URIs that could not be read: too large, not permitted, or a link to a place outside. */
  readonly unread: readonly string[];
  /** Failed lookups, including those without an answer in time. */
  readonly failures: readonly Failure[];
  /** How much of what dependencies bring was checked; absent where nothing was looked up. */
  readonly below?: BelowCoverage;
  /** Repositories that the code host did not answer for; absent for none. */
  readonly repositories?: readonly Failure[];
  /** Stale answers without replacement; absent where all are fresh. */
  readonly old?: StaleAnswers;
  /** Number of manifests that were excluded on purpose; absent for none. */
  readonly excluded?: number;
  /** Number of manifests that were set aside and that the others are built from; absent for none. */
  readonly taken?: number;
  /** The manifests that an option or a project file excludes; absent for none. */
  readonly excludedBy?: readonly ExcludedManifests[];
}

/** Manifests that are read at a time: each may be a request over the network. */
const MAX_READS = 50;

/** The facts of a target decide whether other packages that share its version are asked for it. */
const UPDATE_ROUNDS = 2;

/** Which registries are public, the versions, their advisories, and as much again after a failure. Only a fault needs more. */
const BELOW_ROUNDS = 20;

/** A list of versions leads to versions, these to requirements, and so on down to the affected package. */
const WAYS_ROUNDS = 40;

/** Affected packages below dependencies whose ways are searched in one scan: each takes up to some hundred lookups. */
export const MAX_WAYS = 20;

/** How early, in ms, a timer may end, by the clock. */
const EARLY_TIMER = 5;

/** Quiet time, in ms, after a back-off before remaining failures are final. */
const RECOVERY_TIME = 10_000;

/** Scans many manifests as one workspace, so that shared facts are requested once. */
export interface Scanner {
  /**
   * Waits until all facts have arrived or failed. Files that are not manifests are omitted.
   * @param aside further manifests, which count only where the others are built from them
   * @param hidden likewise; nobody has counted these
   */
  scan(uris: readonly string[], aside?: readonly string[], hidden?: readonly string[]): Promise<ScanResult>;
}

export function createScanner(context: ScanContext): Scanner {
  const { insights, settings, clock, patience, signal, progress, projectFile, updates } = context;
  const acceptsStale = context.acceptsStale === true;
  const counted = trackProgress(
    insights,
    settings.offline || acceptsStale,
    updates !== undefined && updates !== 'safe',
  );
  const waitedFor = ({ pending, old }: ScanProgress): number => pending - (acceptsStale ? (old?.pending ?? 0) : 0);
  const environment = {
    now: () => clock.now(),
    isTrusted: () => context.isTrusted ?? true,
    buildsHere: context.buildsHere === true,
    ...(projectFile !== undefined && { projectFile }),
    ...(context.projectsBefore && { projectsBefore: context.projectsBefore }),
    ...(context.history && { history: context.history }),
  };

  /**
   * Resolves when no more facts will arrive, or the time is up.
   * @param deadline in ms since the epoch
   * @returns whether every manifest was evaluated once without an interruption
   */
  async function evaluateAll(workspace: Workspace, deadline: number): Promise<boolean> {
    let isBegun = false;
    /** The service requested a wait, and what failed meanwhile is requested again. */
    let isRecovering = false;
    let news: 'changed' | 'quiet' | 'late' = signal.aborted ? 'late' : 'changed';
    let wake = () => {};
    const report = (it: typeof news) => () => {
      if (news !== 'late') news = it;
      wake();
    };
    const end = report('late');
    const cancel = clock.after(Math.max(0, deadline - clock.now()), end);
    const changed = report('changed');
    const unsubscribe = insights.onDidChange((it) => it.kind === 'changed' && changed());
    signal.addEventListener('abort', end);
    await settle(
      async () => {
        if (news !== 'changed') return 0;
        news = 'quiet';
        // Evaluating a thousand manifests takes longer than the next answer: it waits for all that was requested.
        if (waitedFor(counted.progress()) === 0) {
          await workspace.reevaluateAll(isBegun ? undefined : signal);
          isBegun ||= !signal.aborted;
          counted.requestWanted();
        }
        const counts = counted.progress();
        const pending = waitedFor(counts);
        progress(counts);
        const backoff = counts.failures.length > 0 ? insights.backoff() : undefined;
        const isHeld = backoff?.asked === true && backoff.until < deadline;
        isRecovering = isHeld || (isRecovering && counts.failures.length > 0);
        if (pending > 0) return patience;
        return isRecovering ? Math.max(1, (backoff?.until ?? clock.now()) - clock.now() + RECOVERY_TIME) : 0;
      },
      (quiet) => (news === 'changed' ? 1 : news === 'late' ? 0 : quiet),
      (ms) =>
        new Promise((resolve) => {
          const cancelQuiet = clock.after(ms, resolve);
          wake = () => {
            cancelQuiet();
            resolve();
          };
          if (news !== 'quiet') wake();
        }),
    );
    cancel();
    unsubscribe();
    signal.removeEventListener('abort', end);
    return isBegun;
  }

  /**
   * Looks up what all dependencies bring along, after they themselves have been. A search that changes nothing is not the
   * last one while an answer is missing: it may have begun to wait for which registries are public, or for advisories.
   */
  async function lookBelow(workspace: Workspace, deadline: number): Promise<void> {
    const left = (): number => Math.max(0, deadline - clock.now());
    for (let round = 1; round <= BELOW_ROUNDS; round++) {
      const isOther = await workspace.lookBelow(0, signal);
      counted.requestWanted();
      const isWaiting = waitedFor(counted.progress()) + workspace.coverageBelow().pending > 0;
      if (left() === 0 || signal.aborted || !(isOther || isWaiting)) return;
      await evaluateAll(workspace, deadline);
      await workspace.whenBelowSettled(left(), signal);
    }
  }

  /** A lookup that fails here leaves no finding out: it does not count as a failure. */
  async function searchWays(workspace: Workspace, deadline: number): Promise<void> {
    for (let round = 0; round < WAYS_ROUNDS && !signal.aborted; round++) {
      const open = waysIn(await snapshotsIn(workspace)).filter((it) => it.isSearching);
      const left = deadline - clock.now();
      if (open.length === 0 || left <= 0) break;
      insights.request(
        'ways',
        open.flatMap((it) => it.wanted),
      );
      await insights.whenSettled('ways', left, signal);
    }
    insights.release('ways');
  }

  return {
    async scan(uris, aside = [], hidden = []) {
      const files = remembering(context.files);
      const workspace = new Workspace(files, counted, () => settings, environment);
      const unread: string[] = [];
      const open = async (some: readonly string[]): Promise<void> => {
        for (let from = 0; from < some.length && !signal.aborted; from += MAX_READS) {
          const uris = some.slice(from, from + MAX_READS);
          const texts = await Promise.all(uris.map((it) => files.read(it)));
          for (const [at, uri] of uris.entries()) {
            const text = texts[at];
            if (text === undefined) unread.push(uri);
            else workspace.update({ uri, version: 1, text });
          }
          context.reading?.(Math.min(some.length, from + MAX_READS), some.length);
        }
      };
      await open(uris);
      // Evaluating thousands of manifests takes seconds. An interrupted scan does not wait for it.
      const deadline = clock.now() + patience;
      if (!(await evaluateAll(workspace, deadline))) return interrupted(uris.length);
      unread.push(...(await closeUnclear(workspace)));
      const left = new Set([...aside, ...hidden]);
      for (let built = await builtAmong(workspace, left); built.length > 0; built = await builtAmong(workspace, left)) {
        for (const it of built) left.delete(it);
        await open(built);
        if (!(await evaluateAll(workspace, deadline))) return interrupted(uris.length);
      }
      await lookBelow(workspace, deadline);
      if (updates !== undefined && (await workspace.findManaged())) {
        if (!(await evaluateAll(workspace, deadline))) return interrupted(uris.length);
      }
      for (let round = 1; updates !== undefined && round <= UPDATE_ROUNDS; round++) {
        const wanted = factsForUpdates(await snapshotsIn(workspace), updates, insights);
        if (wanted.every((it) => readInsight(insights, it).state !== 'pending')) break;
        counted.request('updates', wanted);
        counted.requestWanted();
        if (!(await evaluateAll(workspace, deadline))) return interrupted(uris.length);
      }
      if (context.searchesWays) await searchWays(workspace, deadline);
      const counts = counted.progress();
      if (counts.pending > 0) {
        counted.conclude();
        await workspace.reevaluateAll();
      }
      const snapshots = await snapshotsIn(workspace);
      const below = workspace.coverageBelow();
      workspace.forgetBelow();
      const { failures, repositories, pendingRepositories } = counts;
      const old = olderOf(counts.old, below.old);
      const isRefreshRequired = !settings.offline && !acceptsStale;
      const lost = [...below.failed, ...(isRefreshRequired ? (below.old?.failed ?? []) : [])];
      const pending = waitedFor(counts) - pendingRepositories;
      const trouble = insights.connectionProblem();
      // That an answer takes long is no reason any more.
      const why = trouble?.isOnlySlow ? undefined : trouble?.reason;
      const isLate = clock.now() >= deadline - EARLY_TIMER;
      const unansweredFor = isLate ? l10n.t('no answer within {0} s', patience / 1000) : l10n.t('not answered');
      const reason = signal.aborted ? l10n.t('interrupted') : (why ?? unansweredFor);
      const unanswered = withMore(repositories, { reason, count: pendingRepositories });
      return {
        snapshots,
        unread: [...new Set([...unread, ...snapshots.flatMap((it) => it.closedLockfiles)])],
        failures: lost.reduce(
          (all, [why, count]) => withMore(all, { reason: why, count }),
          withMore(failures, { reason, count: pending + below.pending }),
        ),
        ...(aside.some((it) => !left.has(it)) && { taken: aside.filter((it) => !left.has(it)).length }),
        ...(below.total > 0 && { below }),
        ...(unanswered.length > 0 && { repositories: unanswered }),
        ...(old && { old }),
      };
    },
  };
}

async function builtAmong(workspace: Workspace, uris: ReadonlySet<string>): Promise<readonly string[]> {
  return uris.size === 0 ? [] : workspace.builtAmong([...uris]);
}

function olderOf(one: StaleAnswers | undefined, below: BelowCoverage['old']): StaleAnswers | undefined {
  if (below === undefined) return one;
  const { count, since } = below;
  if (one === undefined) return { count, since, pending: 0 };
  return { count: one.count + count, since: Math.min(one.since, since), pending: one.pending };
}

async function snapshotsIn(workspace: Workspace): Promise<Snapshot[]> {
  const snapshots: Snapshot[] = [];
  for (const { uri } of workspace.documents) {
    const snapshot = await workspace.snapshot(uri);
    if (snapshot) snapshots.push(snapshot);
  }
  return snapshots;
}

/** Closes the documents of which it is not known which names stay on the machine. @returns their URIs */
async function closeUnclear(workspace: Workspace): Promise<readonly string[]> {
  const unclear: string[] = [];
  for (const { uri } of workspace.documents) {
    await workspace.snapshot(uri).catch((error: unknown) => {
      if (!(error instanceof UnlistedFolders)) throw error;
      unclear.push(uri);
    });
  }
  for (const it of unclear) workspace.close(it);
  return unclear;
}

function waysIn(snapshots: readonly Snapshot[]): WaysOut[] {
  const all = snapshots.flatMap((snapshot) =>
    snapshot.dependencies.flatMap((it) => affectedOf(it).map((affected) => () => snapshot.findWaysOut(it, affected))),
  );
  return all.slice(0, MAX_WAYS).map((find) => find());
}

/** The facts without which a target may have problems: an evaluation requests them only for what it shows. */
function factsForUpdates(
  snapshots: readonly Snapshot[],
  scope: UpdateScope,
  insights: Pick<Insights, 'version' | 'package' | 'advisory'>,
): Wanted[] {
  const all = snapshots.flatMap((it) => [it, ...it.included]).flatMap((it) => it.dependencies);
  const shared = factsOfSharing(all, scope, insights);
  if (scope === 'safe') return shared;
  const targets = all.flatMap((it): Wanted[] => {
    const target = targetFor(it, scope);
    return target ? [{ kind: 'version', key: versionOf(it.linked.key, target.version) }] : [];
  });
  return [...targets, ...shared];
}

function interrupted(count: number): ScanResult {
  return { snapshots: [], unread: [], failures: [{ reason: l10n.t('interrupted'), count }] };
}

function withMore(failures: readonly Failure[], { reason, count }: Failure): readonly Failure[] {
  if (count === 0) return failures;
  const same = failures.find((it) => it.reason === reason)?.count ?? 0;
  return [...failures.filter((it) => it.reason !== reason), { reason, count: same + count }];
}

/** Lists each folder once, and reads each file once: a hundred projects share the files above them. */
export function remembering(files: Files): Files {
  return withReader(withListings(files), (look) => {
    const known = new Map<string, ReturnType<typeof look>>();
    return (uri) => {
      const reading = known.get(uri) ?? look(uri);
      known.set(uri, reading);
      return reading;
    };
  });
}
