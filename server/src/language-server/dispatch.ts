import type { CancellationToken } from 'vscode-languageserver';
import { settle } from '../analysis/settle.ts';
import type { Snapshot } from '../analysis/snapshot.ts';
import { packageId } from '../model/keys.ts';
import { readInsight, type Wanted } from '../model/ports.ts';
import type { Span } from '../model/span.ts';
import type { Feature } from './features/feature.ts';
import type { Session } from './session.ts';

/**
 * How long a request is postponed for its first facts, in ms. Editors wait with further requests about as long as the last
 * ones took (VS Code: the mean of six), so it must not be much longer than a service that is well takes.
 */
const FIRST_FACTS_TIMEOUT_MS = 500;

/** What a request needs to be answered. */
export type DispatchContext = Pick<
  Session,
  'log' | 'workspace' | 'insights' | 'deferred' | 'clock' | 'contextFor' | 'settingsKnown'
>;

/**
 * The one way a request takes: its snapshot, a wait for facts where the feature has patience, the answer. Whatever
 * goes wrong on the way is logged, and the client gets the feature's empty answer.
 */
export function dispatch<Params, Answer>(feature: Feature<Params, Answer>, answering: DispatchContext) {
  return async (params: Params, token: CancellationToken): Promise<Answer> => {
    try {
      await answering.settingsKnown;
      const snapshot = await awaitSnapshot(feature, params, answering, token);
      if (snapshot === undefined || token.isCancellationRequested) return feature.emptyAnswer(params);
      const context = answering.contextFor(snapshot);
      const moved = feature.movable?.(snapshot, params, context) ?? [];
      if (moved.length === 0) return feature.answer(snapshot, params, context);
      const dependents = await answering.workspace.dependents(snapshot, moved);
      // An edit that names no version would be made in whatever has been typed meanwhile.
      if (!context.client.documentChanges && isReplaced(snapshot, answering)) return feature.emptyAnswer(params);
      return feature.answer(snapshot, params, { ...context, dependents });
    } catch (error) {
      answering.log(feature.method, error);
      return feature.emptyAnswer(params);
    }
  };
}

/** Whether a document has another text by now, or was closed. */
function isReplaced({ uri, version }: Snapshot, { workspace }: DispatchContext): boolean {
  return workspace.documents.find((it) => it.uri === uri)?.version !== version;
}

/** The snapshot once it holds what the answer needs, or the patience has run out. */
async function awaitSnapshot<Params, Answer>(
  feature: Feature<Params, Answer>,
  params: Params,
  answering: DispatchContext,
  token: CancellationToken,
): Promise<Snapshot | undefined> {
  const { workspace, insights, deferred, clock } = answering;
  const { inView } = feature;
  const uri = feature.uri(params);
  const seen = inView && ((it: Snapshot): Span => inView(params, answering.contextFor(it).positions(uri)));
  const read = (): Promise<Snapshot | undefined> =>
    seen ? workspace.snapshotOfRange(uri, seen) : workspace.snapshot(uri);
  const signal = signalOf(token);
  let snapshot = await read();
  if (snapshot && seen) prioritizeInView(snapshot, seen(snapshot), answering);
  const began = clock.now();
  await settle(
    () => snapshot && feature.awaitedFacts?.(snapshot, params, answering.contextFor(snapshot)),
    (missing) => {
      if (missing === undefined || token.isCancellationRequested) return 0;
      return began + (missing === 'first' ? FIRST_FACTS_TIMEOUT_MS : feature.patience) - clock.now();
    },
    async (ms, missing) => {
      if (missing !== 'all') await deferred.untilResumed(ms, token);
      else {
        await insights.whenSettled(uri, ms, signal);
        await workspace.reevaluate(uri);
      }
      snapshot = await read();
    },
  );
  if (snapshot && feature.neededFacts)
    await awaitNeededFacts(feature, params, snapshot, answering, began + feature.patience, signal);
  return snapshot;
}

/** What a person looks at goes first, unless that is all there is. */
function prioritizeInView(
  { uri, dependencies, chain }: Snapshot,
  { start, end }: Span,
  { insights }: DispatchContext,
): void {
  const looked = dependencies.filter(({ linked: { span } }) => span.end >= start && span.start <= end);
  const all = chain.files[0]?.manifest.dependencies.length ?? 0;
  if (looked.length > 0 && looked.length < all) {
    insights.prioritize(uri, new Set(looked.map((it) => packageId(it.linked.key))));
  }
}

/**
 * Asks for what an answer needs beyond what its document wants. What is not there in time is asked for further, until
 * the next request of the kind wants something else: it may be the same one again.
 */
async function awaitNeededFacts<Params, Answer>(
  { method, neededFacts }: Feature<Params, Answer>,
  params: Params,
  snapshot: Snapshot,
  answering: DispatchContext,
  until: number,
  signal: AbortSignal,
): Promise<void> {
  const { insights, clock } = answering;
  const isPending = (it: Wanted): boolean => readInsight(insights, it).state === 'pending';
  const missing = await settle(
    () => {
      const wanted = neededFacts?.(snapshot, params, answering.contextFor(snapshot)) ?? [];
      return wanted.some(isPending) ? wanted : undefined;
    },
    (it) => (it && !signal.aborted ? until - clock.now() : 0),
    (ms, it = []) => {
      insights.request(method, it);
      return insights.whenSettled(method, ms, signal);
    },
  );
  if (missing === undefined) insights.release(method);
}

/** A request's cancellation, as everything that asks takes it. */
export function signalOf(token: CancellationToken): AbortSignal {
  const aborting = new AbortController();
  if (token.isCancellationRequested) aborting.abort();
  token.onCancellationRequested(() => aborting.abort());
  return aborting.signal;
}
