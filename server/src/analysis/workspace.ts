import { setImmediate as nextTurn } from 'node:timers/promises';
import { sameUri } from '../base/uri.ts';
import type { EvaluatedDependency, LinkedDependency } from '../model/evaluated-dependency.ts';
import type { PackageKey } from '../model/keys.ts';
import { type Files, type Insights, type ReceivedFact, readBy, type Wanted } from '../model/ports.ts';
import type { Settings } from '../model/settings.ts';
import type { Span } from '../model/span.ts';
import type { System } from '../model/system.ts';
import { type CountDependents, Dependents } from './dependents.ts';
import type { Environment } from './environment.ts';
import {
  dependenciesIn,
  type EvaluationInputs,
  evaluateDocument,
  evaluateSome,
  evaluationInputsFor,
  followUpRequests,
  packagesToFollow,
} from './evaluate/document.ts';
import { EvaluationCache } from './evaluate/evaluation-cache.ts';
import { type LinkedDocument, linkDocument, type Members } from './link/linked-document.ts';
import { type DocumentContext, loadContext, type OpenDocument, withMembers } from './load/context.ts';
import { ManifestReader } from './load/file-reader.ts';
import { readRegistries } from './load/registries.ts';
import { mayHaveMembers } from './members/workspace-members.ts';
import { IncompleteNames, knownPackageNames, type Looked } from './privacy/incomplete-names.ts';
import { createPoms } from './published/published-poms.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

type Reading = Promise<DocumentContext | undefined>;

/** What was read for each open document, or is being read. */
export class DocumentContexts {
  readonly #all = new Map<string, Reading>();
  /** The addresses that were looked at, once all of them are known. */
  readonly #touched = new WeakMap<Reading, ReadonlySet<string>>();
  /** What changed while it was being read, by `sameUri`. */
  readonly #changed = new Map<Reading, Set<string>>();

  get uris(): readonly string[] {
    return [...this.#all.keys()];
  }

  get(uri: string): Reading | undefined {
    return this.#all.get(uri);
  }

  /** Whether a document has been read, and nothing has changed since. */
  has(uri: string): boolean {
    const reading = this.#all.get(uri);
    return reading !== undefined && this.#touched.has(reading);
  }

  /** Reads a document, again where a file that takes part in it changes meanwhile. */
  read(uri: string, read: () => Reading): Reading {
    const reading: Reading = read().then((it) => {
      const touched = it?.touched ?? new Set<string>();
      const changed = this.#changed.get(reading);
      this.#changed.delete(reading);
      const isCurrent = this.#all.get(uri) === reading;
      if (isCurrent && changed && overlap(changed, touched)) return this.read(uri, read);
      this.#touched.set(reading, touched);
      return it;
    });
    this.#all.set(uri, reading);
    // Whoever needs it hears that it cannot be read.
    reading.catch(() => this.#changed.delete(reading));
    return reading;
  }

  /** A document gets other surroundings: no file is read again, but for one that is just being read. */
  renew(uri: string, renew: (context: DocumentContext) => DocumentContext): void {
    const before = this.#all.get(uri);
    if (before === undefined) return;
    if (this.#touched.has(before)) {
      this.read(uri, async () => {
        const it = await before;
        return it && renew(it);
      });
    } else this.#note(before, [sameUri(uri)]);
  }

  delete(uri: string): void {
    this.#all.delete(uri);
  }

  clear(): void {
    this.#all.clear();
  }

  /**
   * Forgets what some files take part in, since they have changed: it is read again when next needed. What is being read
   * is left to end: where a hundred documents are opened together, each would else begin all before it anew.
   * @returns the documents, those among them that are being read and may turn out not to be concerned
   */
  forget(files: readonly string[]): string[] {
    const same = new Set(files.map(sameUri));
    const concerned: string[] = [];
    for (const [uri, reading] of this.#all) {
      const touched = this.#touched.get(reading);
      if (touched && !overlap(same, touched)) continue;
      concerned.push(uri);
      if (touched) this.#all.delete(uri);
      else this.#note(reading, same);
    }
    return concerned;
  }

  #note(reading: Reading, files: Iterable<string>): void {
    const changed = this.#changed.get(reading) ?? new Set();
    for (const it of files) changed.add(it);
    this.#changed.set(reading, changed);
  }
}

function overlap(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [fewer, more] = some.size < others.size ? [some, others] : [others, some];
  for (const it of fewer) if (more.has(it)) return true;
  return false;
}

/** The open documents, however their addresses are spelt. */
export class OpenDocuments {
  readonly #all = new Map<string, OpenDocument>();
  /** How each address is spelt, by `sameUri`: every file that is read is looked for among them. */
  readonly #spelt = new Map<string, string>();
  readonly incompleteNames = new IncompleteNames();
  #list: readonly OpenDocument[] | undefined;

  /** The same list until a document is opened, changed or closed. */
  get all(): readonly OpenDocument[] {
    this.#list ??= [...this.#all.values()];
    return this.#list;
  }

  /** By the address that it was opened with. */
  get(uri: string): OpenDocument | undefined {
    return this.#all.get(uri);
  }

  textOf(uri: string): string | undefined {
    return this.#all.get(this.#spelt.get(sameUri(uri)) ?? uri)?.text;
  }

  /**
   * @param concerned the others that mean something else now
   * @param named keeps what was named so far, the document being as it was
   */
  set(
    document: OpenDocument,
    concerned: readonly string[],
    named: (before: OpenDocument) => () => Iterable<PackageKey>,
  ): void {
    const before = this.#all.get(document.uri);
    const texts = before && { before: before.text, now: document.text };
    if (texts) this.incompleteNames.changed(document.uri, texts, concerned, named(before));
    this.#all.set(document.uri, document);
    this.#list = undefined;
    this.#spelt.set(sameUri(document.uri), document.uri);
  }

  delete(uri: string): void {
    this.#all.delete(uri);
    this.#list = undefined;
    this.incompleteNames.closed(uri);
    this.#spelt.delete(sameUri(uri));
  }
}

/** How many documents are looked at before others have their turn: some ms of work where each has 20 dependencies. */
const atOnce = 20;

/** Keeps the open documents, what was read for each, and asks for the facts they want. */
export class Workspace {
  readonly #files: Files;
  readonly #reader: ManifestReader;
  readonly #insights: Insights;
  readonly #settings: () => Settings;
  readonly #environment: Environment;
  readonly #dependents: Dependents;
  readonly #examiner: EvaluationCache;
  readonly #documents = new OpenDocuments();
  readonly #contexts = new DocumentContexts();
  /** What came of each, which published files that take part may change. */
  readonly #joined = new WeakMap<DocumentContext, LinkedDocument>();
  readonly #snapshots = new Map<string, Looked>();
  /** Looks that are under way. */
  readonly #looks = new Map<DocumentContext, Promise<void>>();
  /** What was asked because of answers since the last look began: what it had passed by then is wanted, too. */
  readonly #followed = new WeakMap<DocumentContext, Wanted[]>();
  /** Whether a file that may be a project is among the changed ones so far. */
  #isProjectChanged = false;
  /** Counts what makes snapshots old without touching a file: facts that arrived, settings that changed. */
  #learnt = 0;

  /** @param saved the files as they are saved: of those that are open, the text of the document counts in their place */
  constructor(saved: Files, insights: Insights, settings: () => Settings, environment: Environment) {
    this.#files = readBy(saved, (look) => async (uri) => this.textOf(uri) ?? look(uri));
    this.#reader = new ManifestReader(this.#files, environment, saved);
    this.#dependents = new Dependents(this.#files, this.#reader, insights);
    this.#insights = insights;
    this.#examiner = new EvaluationCache(insights);
    this.#settings = settings;
    this.#environment = environment;
  }

  get documents(): readonly OpenDocument[] {
    return this.#documents.all;
  }

  /** The text of an open document, however its address is spelt. */
  textOf(uri: string): string | undefined {
    return this.#documents.textOf(uri);
  }

  /**
   * Opens a document, or gives an open one its new text.
   * @returns the other open documents that mean something else now
   */
  update(document: OpenDocument): string[] {
    const before = this.textOf(document.uri);
    if (before !== undefined) this.#environment.history?.recordEdit(document.uri, before, document.text);
    this.#contexts.delete(document.uri);
    const others = this.#stale([document.uri]).filter((it) => it !== document.uri);
    // Those, and what was stale before. What nobody has looked at has no names yet that new ones could be told from.
    const concerned = [...this.#snapshots.keys()].filter((it) => !this.#contexts.has(it));
    this.#documents.set(document, concerned, (it) => knownPackageNames(this.#snapshots, this.#joined, it));
    return others;
  }

  /**
   * Closes a document: what stands in its file counts again.
   * @returns the open documents that mean something else now
   */
  close(uri: string): string[] {
    this.#environment.history?.saved([uri]);
    this.#documents.delete(uri);
    this.#contexts.delete(uri);
    this.#snapshots.delete(uri);
    this.#reader.forget(uri);
    this.#insights.release(uri);
    return this.#stale([uri]);
  }

  /**
   * Files changed, appeared or went away.
   * @param isLast whether no more follow at once: what the workspace makes itself is found anew behind the last ones
   * @returns the open documents that mean something else now
   */
  changed(uris: readonly string[], isLast = true): string[] {
    this.#isProjectChanged = this.saved(uris) || this.#isProjectChanged;
    const stale = this.#stale(uris);
    if (!isLast || !this.#isProjectChanged) return stale;
    this.#isProjectChanged = false;
    return [...stale, ...this.#renewMembers()];
  }

  /** Tells that documents were saved, and learns whether one may be a project: it may have another name now. */
  saved(uris: readonly string[]): boolean {
    this.#environment.history?.saved(uris);
    return this.#reader.members.forget(uris);
  }

  /** What a workspace makes itself is found anew, and nothing else is read again. */
  #renewMembers(): string[] {
    const concerned: string[] = [];
    for (const [uri, { context }] of this.#snapshots) {
      if (!this.#contexts.get(uri) || !mayHaveMembers(context.format)) continue;
      this.#contexts.renew(uri, (it) => withMembers(it, this.#reader));
      concerned.push(uri);
    }
    return concerned;
  }

  #stale(uris: readonly string[]): string[] {
    this.#dependents.forget();
    return this.#contexts.forget(uris);
  }

  /** How many dependencies of other files stand on the definitions that some of a document's dependencies stand on. */
  dependents({ chain }: Snapshot, dependencies: readonly EvaluatedDependency[]): Promise<CountDependents> {
    return this.#dependents.of(chain, dependencies);
  }

  /** Nobody is typing: names are whole. @returns whether one was not, so that documents are to be looked at again */
  rested(): boolean {
    return this.#documents.incompleteNames.rest();
  }

  /** Everything read from files is read again when next needed. */
  changedAll(): void {
    this.#contexts.clear();
    this.#reader.members.forgetAll();
    this.#dependents.forget();
  }

  /** Facts arrived, or settings changed: each document is looked at again, and asks for what it wants now. */
  async reevaluateAll(signal?: AbortSignal): Promise<void> {
    this.#learnt++;
    const uris = this.#documents.all.map((it) => it.uri);
    for (let from = 0; from < uris.length && !signal?.aborted; from += atOnce) {
      // Of a scan's thousands a few at a time: what an editor asks for meanwhile is answered in between.
      if (from > 0) await nextTurn();
      // One document that cannot be read keeps the others from nothing; whoever asks for it hears of it.
      await Promise.allSettled(uris.slice(from, from + atOnce).map((it) => this.snapshot(it)));
    }
  }

  /** Answers came: asks for what follows from them, before everything is looked at again. */
  async requestFollowUps(answered: readonly ReceivedFact[]): Promise<void> {
    const concerned = packagesToFollow(answered);
    if (concerned.size === 0) return;
    await Promise.allSettled(this.#contexts.uris.map((it) => this.#followIn(it, concerned)));
  }

  async #followIn(uri: string, concerned: ReadonlySet<string>): Promise<void> {
    const context = await this.#contexts.get(uri);
    const members = await context?.members;
    if (context === undefined || (await this.#contexts.get(uri)) !== context) return;
    const { linked, inputs } = this.#begin(context, members);
    const wanted = followUpRequests(concerned, linked, inputs);
    this.#followed.get(context)?.push(...wanted);
    this.#insights.requestAlso(uri, wanted, false);
  }

  /** Looks at one document again without waiting for word that facts arrived. */
  async look(uri: string): Promise<Snapshot | undefined> {
    this.#snapshots.delete(uri);
    return this.snapshot(uri);
  }

  /** What is known of an open document now; undefined where it is not open or no manifest of a kind we know. */
  async snapshot(uri: string): Promise<Snapshot | undefined> {
    const context = await this.#context(uri);
    if (context === undefined) return undefined;
    const known = this.#snapshots.get(uri);
    if (known?.context === context && known.learnt === this.#learnt) return known.snapshot;
    const look = this.#looks.get(context) ?? this.#look(context).finally(() => this.#looks.delete(context));
    this.#looks.set(context, look);
    await look;
    return this.snapshot(uri);
  }

  /**
   * The same of what stands in view, and a dependency on either side, before the rest is looked at. Asks for nothing, so
   * that it need not be known yet what the workspace makes itself.
   */
  async snapshotOfRange(uri: string, inView: (document: Snapshot) => Span): Promise<Snapshot | undefined> {
    const context = await this.#context(uri);
    if (context === undefined) return undefined;
    const { linked, inputs } = this.#begin(context, (await Promise.race([context.members, nextTurn()])) ?? undefined);
    const document = snapshotOf(context, { dependencies: [], included: [] });
    const some = dependenciesIn(inView(document), linked);
    if (some === undefined) return this.snapshot(uri);
    return { ...document, dependencies: evaluateSome(some, linked, inputs) };
  }

  /** Adds to a dependency that stands in no manifest the registries named for it where a document lies. */
  async routing(uri: string, system: System): Promise<(linked: LinkedDependency) => LinkedDependency> {
    const { history } = this.#environment;
    const systems = new Set([system]);
    const reading = this.#reader.begin();
    const { route, texts } = await readRegistries(uri, systems, reading, this.#files);
    history?.recordFiles(texts, reading.touched);
    if (!history?.affects(reading.touched)) return route;
    const files = history.formerFiles(this.#files);
    const before = await readRegistries(uri, systems, this.#reader.begin(files), files);
    return history.mergeRoutes(uri, route, { ...before, elsewhere: new Set() });
  }

  #context(uri: string): Promise<DocumentContext | undefined> {
    const document = this.#documents.get(uri);
    if (document === undefined) return Promise.resolve(undefined);
    const isOpen = (it: string): boolean => this.textOf(it) !== undefined;
    const { history } = this.#environment;
    return (
      this.#contexts.get(uri) ??
      this.#contexts.read(uri, () => loadContext(document, this.#reader, this.#files, isOpen, history))
    );
  }

  /** Others have their turn in between, whoever asked for less first; what a first look has to ask goes out meanwhile. */
  async #look(context: DocumentContext): Promise<void> {
    const { uri } = context.document;
    const isFirst = !this.#snapshots.has(uri);
    const steps = this.#examine(context, await context.members);
    let learnt: number | undefined;
    for (;;) {
      await nextTurn();
      // It was closed or changed: whoever wants to know of it begins with what it is now.
      if ((await this.#contexts.get(uri)) !== context) return;
      learnt ??= this.#learnt;
      const step = steps.next();
      if (step.done) return void this.#snapshots.set(uri, { context, learnt, snapshot: step.value });
      if (isFirst && step.value.length > 0) this.#insights.requestAlso(uri, step.value, true);
    }
  }

  #begin(
    context: DocumentContext,
    members: Members,
  ): { readonly linked: LinkedDocument; readonly inputs: EvaluationInputs } {
    const { incompleteNames } = this.#documents;
    const inputs = evaluationInputsFor(
      context,
      this.#examiner,
      this.#insights,
      this.#settings(),
      this.#environment,
      incompleteNames,
    );
    const known = this.#joined.get(context);
    const poms = () => createPoms(this.#insights, inputs.filter, context.route);
    const linked = known?.isCurrent(inputs.filter, members) ? known : linkDocument(context, poms(), members);
    this.#joined.set(context, linked);
    return { linked, inputs };
  }

  *#examine(context: DocumentContext, members: Members): Generator<readonly Wanted[], Snapshot> {
    const followed: Wanted[] = [];
    this.#followed.set(context, followed);
    const { linked, inputs } = this.#begin(context, members);
    const { wanted, background, ...seen } = yield* evaluateDocument(linked, inputs);
    this.#insights.request(context.document.uri, [...wanted, ...followed], background);
    return snapshotOf(context, seen);
  }
}
