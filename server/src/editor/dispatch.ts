import type { CancellationToken } from 'vscode-languageserver';
import { settle } from '../engine/analysis/settle.ts';
import type { Snapshot } from '../engine/analysis/snapshot.ts';
import type { CallPriority } from '../engine/model/connection.ts';
import { packageId } from '../engine/model/keys.ts';
import { type LinkSafety, uncheckedAmong } from '../engine/model/links.ts';
import { readInsight, type Wanted } from '../engine/model/ports.ts';
import type { Span } from '../engine/model/span.ts';
import type { Feature } from './features/feature.ts';
import type { Providers } from './providers.ts';
import type { Engine } from './state/engine.ts';
import type { ServerState } from './state/server-state.ts';

/**
 * How long a request waits for its first facts, in ms. Editors delay further requests by about the time of the last
 * ones (VS Code: the mean of six), so it must not be much longer than a healthy service takes.
 */
const FIRST_FACTS_TIMEOUT_MS = 500;

/**
 * How long a request that waited for its first facts waits for the others in view, in ms: they were requested together,
 * and an editor that is busy opening a window shows what a refresh brings half a second later.
 */
const REST_TIMEOUT_MS = 200;
/** Between two looks at them, in ms. */
const REST_STEP_MS = 10;

/** Dependencies of a manifest that may be in view as a whole: no screen has more lines. */
const MAX_ON_SCREEN = 100;

/**
 * Handles every feature's request: its snapshot, a wait for facts if the feature has patience, the answer. An error is
 * logged, and the client gets the feature's empty answer.
 */
export function dispatch<Params, Answer>(feature: Feature<Params, Answer>, server: ServerState) {
  const { client, settings, engine, providers } = server;
  return async (params: Params, token: CancellationToken): Promise<Answer> => {
    try {
      await settings.known;
      const began = engine.clock.now();
      const snapshot = await awaitSnapshot(feature, params, engine, token);
      if (token.isCancellationRequested) return feature.emptyAnswer(params);
      if (snapshot === undefined) return await answerOfOthers(feature, params, providers, token);
      await awaitAddresses(feature, snapshot, params, engine, began);
      const context = engine.contextFor(snapshot);
      const moved = feature.movable?.(snapshot, params, context) ?? [];
      if (moved.length === 0) return feature.answer(snapshot, params, context);
      const dependents = await engine.workspace.dependents(snapshot, moved);
      // Without a version the client would apply the edit to a newer text.
      if (!context.client.documentChanges && isReplaced(snapshot, engine)) return feature.emptyAnswer(params);
      return feature.answer(snapshot, params, { ...context, dependents });
    } catch (error) {
      client.log(feature.method, error);
      return feature.emptyAnswer(params);
    }
  };
}

/** The answer for a document that is no manifest: empty, unless it belongs to a provider. */
async function answerOfOthers<Params, Answer>(
  feature: Feature<Params, Answer>,
  params: Params,
  providers: Providers,
  token: CancellationToken,
): Promise<Answer> {
  return (await providers.answer(feature, params, signalOf(token))) ?? feature.emptyAnswer(params);
}

/** Waits for the checks of the addresses in an answer, for what is left of the patience. */
async function awaitAddresses<Params, Answer>(
  { addresses, patience, isAsked }: Feature<Params, Answer>,
  snapshot: Snapshot,
  params: Params,
  engine: Engine,
  began: number,
): Promise<void> {
  const context = engine.contextFor(snapshot);
  if (context.links === undefined || addresses === undefined) return;
  const left = began + patience - engine.clock.now();
  const urls = addresses(snapshot, params, context);
  await awaitChecks(urls, context.links, left, engine, isAsked ? 'asked' : 'background');
  if (uncheckedAmong(urls, context.links).length > 0) engine.hasUncheckedLinks = true;
}

/**
 * Requests the checks of addresses. Late ones continue, for the next request.
 * @param ms how long to wait
 */
export function awaitChecks(
  urls: readonly string[],
  links: LinkSafety,
  ms: number,
  { clock }: Pick<Engine, 'clock'>,
  priority: CallPriority = 'background',
): Promise<void> {
  const unchecked = uncheckedAmong(urls, links);
  if (unchecked.length === 0) return Promise.resolve();
  return new Promise((resolve) => {
    const cancel = clock.after(Math.max(ms, 0), resolve);
    const end = (): void => {
      cancel();
      resolve();
    };
    links.request(unchecked, priority).then(end, end);
  });
}

/** Whether a document has changed or was closed. */
function isReplaced({ uri, version }: Snapshot, { workspace }: Engine): boolean {
  return workspace.documents.find((it) => it.uri === uri)?.version !== version;
}

/** The snapshot when it contains the facts for the answer, or when the patience has run out. */
async function awaitSnapshot<Params, Answer>(
  feature: Feature<Params, Answer>,
  params: Params,
  engine: Engine,
  token: CancellationToken,
): Promise<Snapshot | undefined> {
  const { workspace, insights, deferred, clock } = engine;
  const { inView } = feature;
  const uri = feature.uri(params);
  const seen = inView && ((it: Snapshot): Span => inView(params, engine.contextFor(it).positions(uri)));
  const read = (): Promise<Snapshot | undefined> =>
    seen ? workspace.snapshotOfRange(uri, seen) : workspace.snapshot(uri, () => !token.isCancellationRequested);
  const signal = signalOf(token);
  let snapshot = await read();
  if (snapshot && seen) prioritizeInView(snapshot, seen(snapshot), engine);
  const began = clock.now();
  let hadNone = false;
  let hadFirst: number | undefined;
  await settle(
    () => snapshot && feature.awaitedFacts?.(snapshot, params, engine.contextFor(snapshot)),
    (missing) => {
      if (missing === undefined || token.isCancellationRequested) return 0;
      if (missing === 'rest') {
        hadFirst ??= clock.now();
        return hadNone ? hadFirst + REST_TIMEOUT_MS - clock.now() : 0;
      }
      hadNone ||= missing === 'first';
      return began + (missing === 'first' ? FIRST_FACTS_TIMEOUT_MS : feature.patience) - clock.now();
    },
    async (ms, missing) => {
      if (missing === 'rest') await deferred.pause(Math.min(ms, REST_STEP_MS), token);
      else if (missing !== 'all') await deferred.untilResumed(ms, token);
      else {
        await insights.whenSettled(uri, ms, signal);
        await workspace.reevaluate(uri);
      }
      snapshot = await read();
    },
  );
  if (snapshot && feature.neededFacts) {
    const until = began + feature.patience;
    const hasNew = await awaitNeededFacts(feature, params, snapshot, engine, { until, signal });
    if (hasNew) snapshot = await workspace.reevaluate(uri);
  }
  return snapshot;
}

/** Requests the dependencies in view first: for a client that requests the hints of a whole document, none are. */
function prioritizeInView({ uri, dependencies, chain }: Snapshot, { start, end }: Span, { insights }: Engine): void {
  const looked = dependencies.filter(({ linked: { span } }) => span.end >= start && span.start <= end);
  const all = chain.files[0]?.manifest.dependencies.length ?? 0;
  if (looked.length > 0 && (looked.length < all || all <= MAX_ON_SCREEN)) {
    insights.prioritize(uri, new Set(looked.map((it) => packageId(it.linked.key))));
  }
}

/**
 * Waits for facts that the answer needs in addition to the document's. Facts that are late stay requested until the
 * next request of the kind needs others: it may be the same one again.
 * @returns whether some were missing at first
 */
async function awaitNeededFacts<Params, Answer>(
  { method, neededFacts }: Feature<Params, Answer>,
  params: Params,
  snapshot: Snapshot,
  engine: Engine,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const { insights, clock } = engine;
  let wasMissing = false;
  const first = neededFacts?.(snapshot, params, engine.contextFor(snapshot)) ?? [];
  // A stale answer of the code host is requested again when a person looks at it.
  const isLookedAt = first.some((it) => it.kind === 'repository');
  if (isLookedAt) insights.request(method, first);
  const isPending = (it: Wanted): boolean => readInsight(insights, it).state === 'pending';
  const missing = await settle(
    () => {
      const wanted = neededFacts?.(snapshot, params, engine.contextFor(snapshot)) ?? [];
      return wanted.some(isPending) ? wanted : undefined;
    },
    (it) => (it && !signal.aborted ? until - clock.now() : 0),
    (ms, it = []) => {
      wasMissing = true;
      insights.request(method, it);
      return insights.whenSettled(method, ms, signal);
    },
  );
  if (missing === undefined && (wasMissing || !isLookedAt)) insights.release(method);
  return wasMissing;
}

/** An `AbortSignal` for the cancellation of a request. */
export function signalOf(token: CancellationToken): AbortSignal {
  const aborting = new AbortController();
  if (token.isCancellationRequested) aborting.abort();
  token.onCancellationRequested(() => aborting.abort());
  return aborting.signal;
}
