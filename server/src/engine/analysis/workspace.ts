import { nextTurn } from '../base/next-turn.ts';
import { directoryOf, sameUri } from '../base/uri.ts';
import type { EvaluatedDependency, LinkedDependency } from '../model/evaluated-dependency.ts';
import type { PackageKey } from '../model/keys.ts';
import type { OpenDocument } from '../model/manifest-chain.ts';
import { type Files, type Insights, type ReceivedFact, withReader } from '../model/ports.ts';
import type { BuiltInRegistries } from '../model/registries/built-in.ts';
import type { Settings } from '../model/settings.ts';
import type { Span } from '../model/span.ts';
import type { System } from '../model/system.ts';
import { type BelowCoverage, coverageBelow } from './below/coverage.ts';
import { Dependents, type DependentsOf } from './dependents.ts';
import { DocumentState } from './document-state.ts';
import { packagesToFollowUp } from './evaluate/document.ts';
import { EvaluationCache } from './evaluate/evaluation-cache.ts';
import type { LinkedDocument } from './link/linked-document.ts';
import type { Environment } from './load/environment.ts';
import { startReading } from './load/file-chain.ts';
import { ManifestReader, parseManifest } from './load/file-reader.ts';
import { readRegistries } from './load/registries.ts';
import { hiddenFoldersIn, localFoldersOf } from './local-folders.ts';
import type { Navigated } from './navigation/navigated.ts';
import { ProjectChains } from './navigation/project-chains.ts';
import { IncompleteNames } from './privacy/incomplete-names.ts';
import { withOrigin } from './privacy/registry-history.ts';
import type { SharedParts } from './shared-parts.ts';
import type { Snapshot } from './snapshot.ts';

/** How many documents are evaluated before other requests are answered: some ms of work at 20 dependencies each. */
const DOCUMENTS_AT_ONCE = 20;

/** The open documents: routes changes of texts, files, facts and settings to their states. */
export class Workspace {
  readonly #shared: SharedParts;
  readonly #dependents: Dependents;
  /** By the URI that a document was opened with. */
  readonly #states = new Map<string, DocumentState>();
  /** The spelling of each URI, by `sameUri`: each file that is read is first looked for among the open documents. */
  readonly #spellings = new Map<string, string>();
  #documents: readonly OpenDocument[] | undefined;
  /** Whether a file that may be a project is among those that have changed so far. */
  #isProjectChanged = false;
  /** Documents whose definitions may have other users than were found. */
  readonly #unsearched = new Set<string>();
  #searching: Promise<boolean> | undefined;
  /** Grows when facts arrive or settings change: snapshots become out of date without a change of files. */
  #generation = 0;

  /** @param documentsSaved the files as they are saved; the texts of open documents take precedence */
  constructor(
    documentsSaved: Files,
    insights: Insights,
    settings: (uri?: string) => Settings,
    environment: Environment,
  ) {
    const files = withReader(documentsSaved, (look) => async (uri) => this.textOf(uri) ?? look(uri));
    const fileNames = (uri: string): readonly string[] => settings(uri).fileNames;
    const reader = new ManifestReader(files, { ...environment, fileNames }, documentsSaved);
    this.#dependents = new Dependents(files, reader, insights);
    this.#shared = {
      files,
      reader,
      chains: new ProjectChains(() => environment.now()),
      insights,
      settings,
      environment,
      cache: new EvaluationCache(insights),
      incompleteNames: new IncompleteNames(),
      isOpen: (uri) => this.textOf(uri) !== undefined,
      generation: () => this.#generation,
    };
  }

  /** The registries that package managers of the machine have built in. */
  get builtIn(): BuiltInRegistries | undefined {
    return this.#shared.files.builtIn;
  }

  /** The same list until a document is opened, changed or closed. */
  get documents(): readonly OpenDocument[] {
    this.#documents ??= [...this.#states.values()].map((it) => it.document);
    return this.#documents;
  }

  /** The text of an open document, however its URI is spelled. */
  textOf(uri: string): string | undefined {
    return this.#states.get(this.#spellings.get(sameUri(uri)) ?? uri)?.document.text;
  }

  /**
   * Opens a document, or gives an open one its new text.
   * @returns the other open documents that are concerned
   */
  update(document: OpenDocument): string[] {
    const { uri } = document;
    const { environment, incompleteNames } = this.#shared;
    const before = this.textOf(uri);
    if (before !== undefined) environment.history?.recordEdit(uri, before, document.text);
    const state = this.#states.get(uri);
    const previous = state?.document;
    state?.edit(document);
    const others = this.#invalidate([uri]);
    if (state && previous) {
      const evaluated = [...this.#states.values()].filter((it) => it.lastEvaluation);
      const concerned = evaluated.filter((it) => !it.isLoaded).map((it) => it.document.uri);
      const evaluations = evaluated.flatMap((it) => it.lastEvaluation ?? []);
      const named = knownPackageNames(evaluations, state.lastEvaluation ? undefined : previous, this.#shared.reader);
      incompleteNames.recordChange(uri, { before: previous.text, now: document.text }, concerned, named);
    } else {
      this.#states.set(uri, new DocumentState(document, this.#shared));
      this.#unsearched.add(uri);
      this.#spellings.set(sameUri(uri), uri);
    }
    this.#documents = undefined;
    return others;
  }

  /**
   * Closes a document: its file counts again.
   * @returns the open documents that are concerned
   */
  close(uri: string): string[] {
    const { environment, incompleteNames, reader, insights } = this.#shared;
    environment.history?.recordSaved([uri]);
    this.#states.get(uri)?.close();
    this.#states.delete(uri);
    this.#unsearched.delete(uri);
    this.#spellings.delete(sameUri(uri));
    this.#documents = undefined;
    incompleteNames.forget(uri);
    reader.forget(uri);
    insights.release(uri);
    return this.#invalidate([uri]);
  }

  /**
   * Files were changed, created or deleted.
   * @param isLast whether no more follow at once: the members of the workspace are found again after the last ones
   * @returns the open documents that are concerned
   */
  filesChanged(uris: readonly string[], isLast = true): string[] {
    // What was new since the last commit is new no more.
    if (uris.some((it) => it.endsWith('/logs/HEAD'))) {
      this.#generation++;
      return [...this.#filesChanged(uris, isLast), ...this.#states.keys()];
    }
    return this.#filesChanged(uris, isLast);
  }

  #filesChanged(uris: readonly string[], isLast: boolean): string[] {
    this.#isProjectChanged = this.saved(uris) || this.#isProjectChanged;
    const concerned = this.#invalidate(uris);
    if (!isLast || !this.#isProjectChanged) return concerned;
    this.#isProjectChanged = false;
    const members = [...this.#states.values()].filter((it) => it.renewMembers()).map((it) => it.document.uri);
    return [...concerned, ...members];
  }

  /** Documents were saved. @returns whether one may be a project, which may have another name now */
  saved(uris: readonly string[]): boolean {
    const { environment, reader } = this.#shared;
    environment.history?.recordSaved(uris);
    return reader.members.forget(uris);
  }

  #invalidate(uris: readonly string[]): string[] {
    this.#dependents.forget();
    this.#shared.chains.forget(uris);
    this.#shared.reader.builds.forget(uris);
    const [first, ...others] = uris;
    if (uris.some((it) => this.#shared.reader.formatOf(it) !== undefined)) {
      // A file does not use its own definitions in another place.
      for (const it of this.#states.keys()) if (others.length > 0 || it !== first) this.#unsearched.add(it);
    }
    const files = new Set(uris.map(sameUri));
    return [...this.#states.values()].filter((it) => it.invalidate(files)).map((it) => it.document.uri);
  }

  /** Finds the dependencies of other files that use the definitions that some dependencies of a document use. */
  dependents({ chain }: Snapshot, dependencies: readonly EvaluatedDependency[]): Promise<DependentsOf> {
    return this.#dependents.finderFor(chain, dependencies);
  }

  /**
   * Finds the dependencies of other manifests that use the definitions of the open documents, if any may have changed. Slow
   * in a workspace with hundreds of manifests: it is for pauses.
   * @returns whether there are others than before, so that documents are to be shown again
   */
  findUsers(): Promise<boolean> {
    this.#searching ??= this.#findUsers().finally(() => {
      this.#searching = undefined;
    });
    return this.#searching;
  }

  /** What the last search missed can be found now. @returns whether there is any */
  searchAgain(): boolean {
    if (!this.#dependents.isOutdated) return false;
    this.#dependents.forget();
    for (const it of this.#states.keys()) this.#unsearched.add(it);
    return true;
  }

  /**
   * Finds the dependencies that move along with what manages them, in all open documents.
   * @returns whether there are some in other documents
   */
  async findManaged(): Promise<boolean> {
    this.#dependents.forget();
    let hasNew = false;
    for (const it of [...this.#states.values()]) if (await it.findManaged(this.#dependents)) hasNew = true;
    return hasNew;
  }

  /** Those of some files that the projects of the open documents are built from. */
  async builtAmong(uris: readonly string[]): Promise<readonly string[]> {
    const folders = new Set<string>();
    for (const uri of this.#states.keys()) {
      const snapshot = await this.snapshot(uri);
      if (snapshot === undefined) continue;
      for (const it of localFoldersOf(snapshot)) folders.add(sameUri(it));
      for (const it of hiddenFoldersIn(snapshot, uris)) folders.add(sameUri(it));
    }
    const members = new Set(await this.#shared.reader.members.reachedAmong(uris));
    return uris.filter((it) => members.has(it) || folders.has(sameUri(directoryOf(it))));
  }

  /**
   * Looks up what the dependencies of the open documents bring along, one document after the other. Slow where lockfiles
   * are large: it is for pauses.
   * @param patience how long to wait for the dependencies of a document themselves, in ms
   * @returns whether documents are to be shown again
   */
  async lookBelow(patience: number, signal?: AbortSignal): Promise<boolean> {
    let hasNew = false;
    for (const it of [...this.#states.values()]) {
      if (signal?.aborted) break;
      if (await it.lookBelow(patience, signal)) hasNew = true;
    }
    return hasNew;
  }

  /** How much of what the dependencies bring was checked. */
  coverageBelow(): BelowCoverage {
    return coverageBelow([...this.#states.values()].flatMap((it) => it.brought()));
  }

  /** Forgets what was looked up below: a scan has its result. Snapshots keep what they have. */
  forgetBelow(): void {
    for (const it of this.#states.values()) it.forgetBelow();
  }

  /** Resolves when everything that was looked up below has an answer, or the time is up, in ms. */
  async whenBelowSettled(patience: number, signal?: AbortSignal): Promise<void> {
    await Promise.all([...this.#states.values()].map((it) => it.whenBelowSettled(patience, signal)));
  }

  async #findUsers(): Promise<boolean> {
    let hasNew = false;
    for (const uri of this.#unsearched) {
      this.#unsearched.delete(uri);
      const state = this.#states.get(uri);
      // Its own dependencies come first.
      await state?.snapshotUnlessEdited();
      if (await state?.findUsers(this.#dependents)) hasNew = true;
      if (await state?.findManaged(this.#dependents)) hasNew = true;
    }
    return hasNew;
  }

  /** Typing has paused: names are complete. @returns whether one was not, so that documents are to be evaluated again */
  endTyping(): boolean {
    return this.#shared.incompleteNames.endTyping();
  }

  /** Reads all files again when they are next needed. */
  forgetAllFiles(): void {
    for (const [uri, it] of this.#states) {
      it.forgetFiles();
      this.#unsearched.add(uri);
    }
    this.#shared.reader.members.forgetAll();
    this.#shared.reader.builds.forgetAll();
    this.#shared.chains.forgetAll();
    this.#dependents.forget();
  }

  /**
   * Facts arrived, or settings changed: evaluates each document again, and requests what it wants now; one that is edited
   * meanwhile at the end of the word.
   */
  async reevaluateAll(signal?: AbortSignal): Promise<void> {
    this.#generation++;
    const states = [...this.#states.values()];
    for (let from = 0; from < states.length && !signal?.aborted; from += DOCUMENTS_AT_ONCE) {
      // A scan has thousands of documents: the requests of an editor are answered in between.
      if (from > 0) await nextTurn();
      // A document that cannot be read does not stop the others. Its own requests report the error.
      await Promise.allSettled(states.slice(from, from + DOCUMENTS_AT_ONCE).map((it) => it.snapshotUnlessEdited()));
    }
  }

  /** Requests what follows from received facts, before the documents are evaluated again. */
  async requestFollowUps(received: readonly ReceivedFact[]): Promise<void> {
    const packages = packagesToFollowUp(received);
    if (packages.size === 0) return;
    await Promise.allSettled([...this.#states.values()].map((it) => it.followUp(packages)));
  }

  /** An open document with the facts of this very moment. */
  reevaluate(uri: string): Promise<Snapshot | undefined> {
    return this.#read(uri, (it) => it.reevaluate());
  }

  /**
   * An open document as it is known now; undefined where it is not open or not a manifest.
   * @param isNeeded undefined once it is not: nothing is evaluated for it any more
   */
  snapshot(uri: string, isNeeded?: () => boolean): Promise<Snapshot | undefined> {
    return this.#read(uri, (it) => it.snapshot(isNeeded));
  }

  /** The dependencies in view alone, with the facts of this very moment. Requests nothing. */
  snapshotOfRange(uri: string, inView: (document: Snapshot) => Span): Promise<Snapshot | undefined> {
    return this.#read(uri, (it) => it.snapshotOfRange(inView));
  }

  /**
   * An open document with what its references resolve in; undefined where it is not open or not a manifest.
   * @param root the folder whose files may belong to the same project
   */
  async navigated(uri: string, root: string): Promise<Navigated | undefined> {
    return this.#states.get(uri)?.navigated(root);
  }

  async #read(
    uri: string,
    read: (state: DocumentState) => Promise<Snapshot | undefined>,
  ): Promise<Snapshot | undefined> {
    const state = this.#states.get(uri);
    const snapshot = state && (await read(state));
    // It may have been closed and opened again meanwhile.
    return this.#states.get(uri) === state ? snapshot : this.#read(uri, read);
  }

  /** Adds the registries that configuration around a file names for a dependency that is not declared in a manifest. */
  async loadRouting(uri: string, system: System): Promise<(linked: LinkedDependency) => LinkedDependency> {
    const { environment, reader, files } = this.#shared;
    const { history } = environment;
    const systems = new Set([system]);
    const reading = startReading(reader);
    const { route: now, texts } = await readRegistries(uri, systems, reading, files);
    history?.recordFiles(texts, reading.touched);
    if (!history?.affects(reading.touched)) return (it) => withOrigin(it, now(it));
    const former = history.formerFiles(files);
    const before = await readRegistries(uri, systems, startReading(reader, former), former);
    const route = history.mergeRoutes(uri, now, { ...before, localSources: new Set() });
    return (it) => withOrigin(it, route(it));
  }
}

/**
 * The packages that open documents name at this moment: their dependencies, and the published files that take part, which
 * may be other packages (the BOM that a plugin imports). Read when they are needed.
 * @param unseen a document without an evaluation, of which the text counts
 */
function knownPackageNames(
  evaluations: readonly { readonly snapshot: Snapshot; readonly linked: LinkedDocument }[],
  unseen: OpenDocument | undefined,
  reader: ManifestReader,
): () => Iterable<PackageKey> {
  return function* () {
    for (const { snapshot, linked } of evaluations) {
      for (const it of snapshot.dependencies) yield it.linked.key;
      for (const it of linked.wanted) if (it.kind === 'requirements') yield it.key;
    }
    const format = unseen && reader.formatOfDocument(unseen.uri, unseen.language);
    if (format) for (const it of parseManifest(format, unseen.text).dependencies) yield it.key;
  };
}
