import { nextTurn } from '../base/next-turn.ts';
import { sameUri } from '../base/uri.ts';
import { type EvaluatedDependency, placeOf, placeThatManages } from '../model/evaluated-dependency.ts';
import type { Dependency } from '../model/manifest.ts';
import type { OpenDocument } from '../model/manifest-chain.ts';
import type { Wanted } from '../model/ports.ts';
import type { Span } from '../model/span.ts';
import { DocumentBelow } from './below/document-below.ts';
import { type BroughtRelease, withBelow } from './below/known-below.ts';
import { leftOutBelow } from './below/left-out.ts';
import { createWaysSearch, noWaysOut } from './below/ways-search.ts';
import {
  evaluateUsers,
  type FoundUser,
  findManagedElsewhere,
  findUsers,
  type ManagedElsewhere,
} from './definition-users.ts';
import {
  type DefinitionsEvaluation,
  evaluateDefinitions,
  type VersionDefinition,
  versionDefinitionsIn,
} from './definitions.ts';
import type { Dependents } from './dependents.ts';
import {
  dependenciesIn,
  type EvaluationInputs,
  evaluateDependencies,
  evaluateDocument,
  evaluationInputsFor,
  followUpRequests,
} from './evaluate/document.ts';
import { withoutMalwareAlong } from './evaluate/managed-along.ts';
import { fixPolicyOf } from './evaluate/update-policy.ts';
import { type GraphOf, graphReader } from './graphs.ts';
import { type LinkedDocument, linkDocument, type Members } from './link/linked-document.ts';
import { createPoms } from './link/published-poms.ts';
import { type DocumentContext, loadContext, withMembers } from './load/context.ts';
import { createManagingSearch, noManagingFixes } from './managing-fixes.ts';
import { mayHaveMembers } from './members/workspace-members.ts';
import type { Linked, Navigated } from './navigation/navigated.ts';
import { withNewNames } from './new-names.ts';
import type { SharedParts } from './shared-parts.ts';
import { withSharedTargets } from './shared-target.ts';
import { withSignals } from './signals.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';

type LoadingContext = Promise<DocumentContext | undefined>;

/** The last evaluation of a document, which may be out of date. */
export interface Evaluated {
  readonly context: DocumentContext;
  readonly linked: LinkedDocument;
  readonly generation: number;
  readonly snapshot: Snapshot;
}

/**
 * One open document on its way from text to snapshot. Each stage is made when it is first needed, and kept until what it
 * was made from changes:
 *
 *     text ──► context ──► linked ──► evaluation ──► snapshot
 *     edit     files       published  facts,
 *              around it   POMs       settings
 */
export class DocumentState {
  readonly #shared: SharedParts;
  #document: OpenDocument;
  #isClosed = false;
  /** Absent where the files have to be read again. */
  #loading: LoadingContext | undefined;
  /** The files that were looked for, by `sameUri`; absent while they are being read. */
  #touched: ReadonlySet<string> | undefined;
  /** The files that changed while they were being read, by `sameUri`. */
  #changed = new Set<string>();
  #linked: { readonly context: DocumentContext; readonly document: LinkedDocument } | undefined;
  #evaluated: Evaluated | undefined;
  #evaluating: { readonly context: DocumentContext; readonly done: Promise<void> } | undefined;
  /** The files for which everything was requested last: only facts have changed since. */
  #requestedFor: DocumentContext | undefined;
  /** What was requested in response to facts since the last evaluation began, which had passed those dependencies by then. */
  #followUps: Wanted[] = [];
  /** The dependencies of other manifests that use its definitions. They stay until they are found again. */
  #users: readonly FoundUser[] = [];
  /** The dependencies of other manifests that its parents and BOMs manage, or what manages its own. */
  #managedElsewhere: ManagedElsewhere = { users: [], wanted: [] };
  readonly #below: DocumentBelow;
  /** A person has switched such lookups off. */
  #leavesBelowOut = false;
  /** The evaluation does not wait for the graph of a large lockfile. */
  readonly #graphOf: GraphOf;

  constructor(document: OpenDocument, shared: SharedParts) {
    this.#document = document;
    this.#shared = shared;
    const { readGraph, onGraphRead } = shared.environment;
    this.#below = new DocumentBelow(document.uri, shared.insights, readGraph);
    this.#graphOf = graphReader(readGraph, () => {
      this.#evaluated = undefined;
      onGraphRead?.();
    });
  }

  get document(): OpenDocument {
    return this.#document;
  }

  get lastEvaluation(): Evaluated | undefined {
    return this.#evaluated;
  }

  /** Whether the files have been read and none has changed since. */
  get isLoaded(): boolean {
    return this.#touched !== undefined;
  }

  edit(document: OpenDocument): void {
    this.#document = document;
    this.forgetFiles();
  }

  close(): void {
    this.#isClosed = true;
    this.forgetFiles();
    this.#below.forget();
  }

  /** Reads the files again when they are next needed. */
  forgetFiles(): void {
    this.#loading = undefined;
    this.#touched = undefined;
    this.#changed = new Set();
    this.#below.hold();
  }

  /**
   * Some files have changed. Reading that is under way goes on, and starts again at its end if it was concerned: a hundred
   * documents that open together would otherwise restart each other.
   * @param files by `sameUri`
   * @returns whether the document is concerned, or may be
   */
  invalidate(files: ReadonlySet<string>): boolean {
    if (this.#loading === undefined) return false;
    if (this.#touched === undefined) {
      for (const it of files) this.#changed.add(it);
      return true;
    }
    if (!concerns(files, this.#touched)) return false;
    this.forgetFiles();
    return true;
  }

  /** Finds the members of the workspace again, without reading the document's files. @returns whether it may have any */
  renewMembers(): boolean {
    const before = this.#loading;
    if (before === undefined || !this.#evaluated || !mayHaveMembers(this.#evaluated.context.format)) return false;
    if (this.#touched === undefined) this.#changed.add(sameUri(this.#document.uri));
    else {
      this.#load(async () => {
        const context = await before;
        return context && withMembers(context, this.#shared.reader);
      });
    }
    return true;
  }

  /** Undefined where the document is closed, or not a manifest. */
  context(): LoadingContext {
    if (this.#isClosed || this.#isLeftAlone()) return Promise.resolve(undefined);
    const { reader, files, isOpen, environment, settings } = this.#shared;
    if (this.#loading) return this.#loading;
    return this.#load(() => {
      const asks = settings().privateRegistries === 'ask' ? { isTrusted: environment.isTrusted() } : undefined;
      return loadContext(this.#document, reader, files, isOpen, environment.history, asks);
    });
  }

  /** Whether the person has switched its system off. */
  #isLeftAlone(): boolean {
    const { settings, reader } = this.#shared;
    const { disabledSystems } = settings();
    if (disabledSystems.length === 0) return false;
    const { uri, language } = this.#document;
    return disabledSystems.some((it) => it === reader.formatOfDocument(uri, language)?.system);
  }

  #load(read: () => LoadingContext): LoadingContext {
    this.forgetFiles();
    const changed = this.#changed;
    const loading: LoadingContext = read().then((context) => {
      if (this.#loading !== loading) return context;
      const touched = context?.touched ?? new Set();
      if (concerns(changed, touched)) return this.#load(read);
      this.#touched = touched;
      return context;
    });
    this.#loading = loading;
    // The callers that need the context handle the error.
    loading.catch(() => undefined);
    return loading;
  }

  async #isCurrent(context: DocumentContext): Promise<boolean> {
    return (await this.#loading) === context;
  }

  /**
   * The document as it is known now; undefined where it is closed, or not a manifest. Each edit meanwhile begins the
   * evaluation again.
   * @param isNeeded undefined once it is not: nothing is evaluated for it any more
   */
  async snapshot(isNeeded = always): Promise<Snapshot | undefined> {
    while (isNeeded()) {
      const context = await this.context();
      if (context === undefined) return undefined;
      const known = this.#evaluated;
      if (known?.context === context && known.generation === this.#shared.generation()) return known.snapshot;
      await this.#evaluate(context);
    }
    return undefined;
  }

  /** For work in the background: undefined if it is edited before it is evaluated. The end of the word leads to more. */
  snapshotUnlessEdited(): Promise<Snapshot | undefined> {
    const document = this.#document;
    return this.snapshot(() => this.#document === document);
  }

  /** The same, with the facts of this very moment. */
  reevaluate(): Promise<Snapshot | undefined> {
    this.#evaluated = undefined;
    return this.snapshot();
  }

  /** What its references resolve in. Nothing is evaluated, and nothing is requested. */
  async navigated(root: string): Promise<Navigated | undefined> {
    const context = await this.context();
    const [file] = context?.chain.files ?? [];
    if (context === undefined || file === undefined) return undefined;
    const { reader, chains, files, insights } = this.#shared;
    const linked = async (): Promise<Linked> => {
      const { own, scope } = this.#link(context, await context.members).linked;
      return { scope: scope(), link: own.link };
    };
    return { context, file, linked, reader, chains, files, insights, root };
  }

  /**
   * The dependencies in view, and one more on either side, before the rest is evaluated. Requests nothing, so it does not
   * wait for the members of the workspace.
   */
  async snapshotOfRange(inView: (document: Snapshot) => Span): Promise<Snapshot | undefined> {
    const context = await this.context();
    if (context === undefined) return undefined;
    const { linked, inputs } = this.#link(context, (await Promise.race([context.members, nextTurn()])) ?? undefined);
    const document = snapshotOf(context, {
      dependencies: [],
      definitions: [],
      included: [],
      findManagingFixes: () => noManagingFixes,
      findWaysOut: () => noWaysOut,
    });
    const span = inView(document);
    const some = dependenciesIn(span, linked);
    if (some === undefined) return this.snapshot();
    const defined = definitionsOf(context).filter(({ at }) => at.span.start <= span.end && at.span.end >= span.start);
    const isShared = defined.length > 0 || some.some(isReference);
    const users = isShared ? evaluateDependencies(linked.own.dependencies.filter(isReference), linked, inputs) : [];
    const { definitions } = this.#evaluateDefinitions(context, defined, users, inputs);
    const evaluated = evaluateDependencies(some, linked, inputs);
    const shared = withSharedTargets(evaluated, users, definitions, this.#shared.insights, inputs.policy);
    const all = this.#evaluated?.snapshot.dependencies;
    const own = await withNewNames(context, shared.dependencies, this.#shared, all);
    return { ...document, dependencies: this.#withBelow(own), definitions };
  }

  /** @param own the dependencies that may use them */
  #evaluateDefinitions(
    { document: { uri, text }, chain }: DocumentContext,
    defined: readonly VersionDefinition[],
    own: readonly EvaluatedDependency[],
    { policy }: EvaluationInputs,
  ): DefinitionsEvaluation {
    const [file] = chain.files;
    if (file === undefined || defined.length === 0) return { definitions: [], wanted: [], background: [] };
    const others = evaluateUsers(this.#users, defined, this.#shared);
    const joined = evaluateDefinitions(
      { uri, text, manifest: file.manifest },
      defined,
      own,
      others.users,
      this.#shared.insights,
      policy,
    );
    return {
      ...joined,
      wanted: [...others.wanted, ...joined.wanted],
      background: [...others.background, ...joined.background],
    };
  }

  /**
   * Finds the dependencies of other manifests that use the document's definitions. Reads all manifests below it.
   * @returns whether they have changed
   */
  async findUsers(dependents: Dependents): Promise<boolean> {
    const context = await this.context();
    const [document] = context?.chain.files ?? [];
    if (context === undefined || document === undefined) return false;
    const before = this.#users;
    const users = await findUsers(document, dependents, this.#shared);
    if (this.#isClosed || (before.length === 0 && users.length === 0)) return false;
    this.#users = users;
    return this.#renewed();
  }

  /**
   * Finds the dependencies of other manifests that move along with what manages dependencies here.
   * @returns whether they have changed
   */
  async findManaged(dependents: Dependents): Promise<boolean> {
    const snapshot = await this.snapshotUnlessEdited();
    const [document] = snapshot?.chain.files ?? [];
    if (snapshot === undefined || document === undefined) return false;
    const managing = snapshot.dependencies.flatMap(({ linked }) => {
      const place = linked.dependency.inherits ? placeOf(linked) : placeThatManages(linked);
      return place ? [{ uri: place.uri, system: linked.key.system }] : [];
    });
    // What others import by a version that is defined here.
    if (document.format.system === 'MAVEN' && document.manifest.definitions.length > 0)
      managing.push({ uri: document.uri, system: 'MAVEN' });
    const { users, wanted } = this.#managedElsewhere;
    const found = await findManagedElsewhere(document, managing, dependents, this.#shared);
    const isNone = [users, wanted, found.users, found.wanted].every((it) => it.length === 0);
    if (this.#isClosed || isNone) return false;
    this.#managedElsewhere = found;
    return this.#renewed();
  }

  /**
   * Looks up what its dependencies bring along. It may take long, and pauses.
   * @returns whether anything shown has changed
   */
  async lookBelow(patience: number, signal?: AbortSignal): Promise<boolean> {
    const { insights, settings, environment, files } = this.#shared;
    const { lookUpBelow, publicRegistries } = settings(this.#document.uri);
    this.#leavesBelowOut = !lookUpBelow;
    if (!lookUpBelow) return this.#below.forget() && this.#renewed();
    const document = this.#document;
    const snapshot = await this.snapshotUnlessEdited();
    if (this.#document !== document) return false;
    const evaluated = this.#evaluated;
    if (snapshot === undefined || evaluated === undefined || snapshot.format.record !== undefined)
      return this.#below.forget() && this.#renewed();
    // What it has itself comes first.
    await insights.whenSettled(this.#document.uri, patience, signal);
    const { context } = evaluated;
    const members = await context.members;
    if (this.#isClosed || !(await this.#isCurrent(context))) return false;
    const { filter } = this.#link(context, members).inputs;
    const { uri, lockfiles, dependencies } = snapshot;
    const { builtIn } = files;
    const looked = { uri, lockfiles, dependencies, route: context.route, members, filter, publicRegistries };
    const now = environment.now();
    return (await this.#below.look({ ...looked, now, ...(builtIn && { builtIn }) })) && this.#renewed();
  }

  /** What its dependencies bring, as far as it was looked up, or is left out. */
  brought(): readonly BroughtRelease[] {
    const snapshot = this.#leavesBelowOut ? this.#evaluated?.snapshot : undefined;
    if (snapshot === undefined) return this.#below.brought();
    return leftOutBelow(snapshot).map((key) => ({ key, release: undefined, isLeftOut: true }));
  }

  forgetBelow(): void {
    this.#below.forget();
  }

  /** Resolves when everything that its dependencies bring along has an answer, or the time is up. */
  whenBelowSettled(patience: number, signal?: AbortSignal): Promise<void> {
    return this.#below.whenSettled(patience, signal);
  }

  #renewed(): true {
    this.#evaluated = undefined;
    return true;
  }

  #withBelow(dependencies: readonly EvaluatedDependency[]): readonly EvaluatedDependency[] {
    return dependencies.map((it) => withBelow(it, this.#below.of(it)));
  }

  /** Facts about some packages arrived: requests what follows from them, before the whole document is evaluated again. */
  async followUp(packages: ReadonlySet<string>): Promise<void> {
    const context = await this.#loading;
    const members = await context?.members;
    if (context === undefined || !(await this.#isCurrent(context))) return;
    const { linked, inputs } = this.#link(context, members);
    const wanted = followUpRequests(packages, linked, inputs);
    this.#followUps.push(...wanted);
    this.#shared.insights.requestAlso(this.#document.uri, wanted, false);
  }

  #link(
    context: DocumentContext,
    members: Members,
  ): { readonly linked: LinkedDocument; readonly inputs: EvaluationInputs } {
    const { insights, settings, environment, cache, incompleteNames, files } = this.#shared;
    const inputs = evaluationInputsFor(
      context,
      cache,
      insights,
      settings(),
      environment,
      incompleteNames,
      files.builtIn,
    );
    const known = this.#linked?.context === context ? this.#linked.document : undefined;
    if (known?.isCurrent(inputs.filter, members)) return { linked: known, inputs };
    const linked = linkDocument(context, createPoms(insights, inputs.filter, context.route), members);
    this.#linked = { context, document: linked };
    return { linked, inputs };
  }

  async #evaluate(context: DocumentContext): Promise<void> {
    if (this.#evaluating?.context !== context) {
      const evaluating = { context, done: this.#evaluateInTurns(context) };
      this.#evaluating = evaluating;
      const end = (): void => {
        if (this.#evaluating === evaluating) this.#evaluating = undefined;
      };
      evaluating.done.then(end, end);
    }
    await this.#evaluating?.done;
  }

  /**
   * Adds what the lockfiles say of dependencies beyond their versions. What is off costs nothing. Undefined where the
   * document has changed meanwhile.
   */
  async #withSignals(
    context: DocumentContext,
    dependencies: readonly EvaluatedDependency[],
  ): Promise<readonly EvaluatedDependency[] | undefined> {
    const { uri } = this.#document;
    const around = { uri, lockfiles: context.lockfiles, graphOf: this.#graphOf };
    const signaled = await this.#inTurns(context, withSignals(around, dependencies, this.#shared.settings(uri)));
    return signaled && withNewNames(context, signaled, this.#shared);
  }

  /** Undefined where the document has changed meanwhile. */
  async #inTurns<T>(context: DocumentContext, steps: Generator<void, T>): Promise<T | undefined> {
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
      await nextTurn();
      if (!(await this.#isCurrent(context))) return undefined;
    }
  }

  /** Pauses between portions, so that other requests are answered. A first evaluation sends its requests meanwhile. */
  async #evaluateInTurns(context: DocumentContext): Promise<void> {
    const { insights, generation, files } = this.#shared;
    const isFirst = this.#evaluated === undefined;
    const members = await context.members;
    await nextTurn();
    if (!(await this.#isCurrent(context))) return;
    const begun = generation();
    const builtIn = files.builtIn?.revision();
    const followUps: Wanted[] = [];
    this.#followUps = followUps;
    const { linked, inputs } = this.#link(context, members);
    const steps = evaluateDocument(linked, inputs);
    for (;;) {
      const step = steps.next();
      if (step.done) {
        const { wanted, background, ...evaluation } = step.value;
        const { definitions: joined, ...more } = this.#evaluateDefinitions(
          context,
          definitionsOf(context),
          evaluation.dependencies,
          inputs,
        );
        // Some wait for what package managers have built in: that is read once.
        await files.builtIn?.readAsked();
        if (files.builtIn?.revision() !== builtIn) {
          if (await this.#isCurrent(context)) await this.#evaluateInTurns(context);
          return;
        }
        const { dependencies: own } = evaluation;
        const shared = withSharedTargets(own, own, joined, insights, inputs.policy);
        const poms = createPoms(insights, inputs.filter, context.route);
        const moving = { dependencies: shared.dependencies, definitions: joined };
        const { definitions, ...sound } = withoutMalwareAlong(moving, this.#managedElsewhere.users, poms, insights);
        insights.request(
          this.#document.uri,
          [...wanted, ...more.wanted, ...shared.wanted, ...sound.wanted, ...followUps],
          [
            ...background,
            ...more.background,
            ...shared.background,
            ...sound.background,
            ...this.#managedElsewhere.wanted,
          ],
          this.#requestedFor === context,
        );
        this.#requestedFor = context;
        const signaled = await this.#withSignals(context, sound.dependencies);
        if (signaled === undefined) return;
        const dependencies = this.#withBelow(signaled);
        const policy = fixPolicyOf(inputs.policy);
        const findManagingFixes = createManagingSearch({
          files: context,
          members,
          insights,
          inputs: { ...inputs, policy },
          dependencies,
          elsewhere: this.#managedElsewhere.users,
        });
        const named = {
          lockfiles: context.lockfiles,
          dependencies,
          route: context.route,
          members,
          filter: inputs.filter,
        };
        const searches = { findManagingFixes, findWaysOut: createWaysSearch(named, insights, policy) };
        const snapshot = snapshotOf(context, { ...evaluation, dependencies, definitions, ...searches });
        this.#evaluated = { context, linked, generation: begun, snapshot };
        return;
      }
      if (isFirst && step.value.length > 0) insights.requestAlso(this.#document.uri, step.value, true);
      await nextTurn();
      if (!(await this.#isCurrent(context))) return;
    }
  }
}

function definitionsOf({ chain }: DocumentContext): readonly VersionDefinition[] {
  const [document] = chain.files;
  return document && document.format.record === undefined ? versionDefinitionsIn(document.manifest) : [];
}

function always(): boolean {
  return true;
}

function isReference({ requirement }: Dependency): boolean {
  return requirement.kind === 'reference';
}

/** Whether files that changed were read, or lie below a folder that was: its address ends with a slash. */
function concerns(files: ReadonlySet<string>, touched: ReadonlySet<string>): boolean {
  if (files.size === 0 || intersects(files, touched)) return files.size > 0;
  const folders = [...touched].filter((it) => it.endsWith('/'));
  return folders.length > 0 && [...files].some((it) => folders.some((folder) => it.startsWith(folder)));
}

function intersects(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  const [fewer, more] = some.size < others.size ? [some, others] : [others, some];
  for (const it of fewer) if (more.has(it)) return true;
  return false;
}
