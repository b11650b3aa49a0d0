import { nameOf, pathOf, sameUri } from '../../base/uri.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { registryReaders } from '../../ecosystems/registries.ts';
import { distinctRegistries } from '../../ecosystems/shared/registry-address.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { packageId } from '../../model/keys.ts';
import type { Claim, ClaimsByName, ParsedManifest } from '../../model/manifest-chain.ts';
import { type Clock, type Files, withReader } from '../../model/ports.ts';
import { projectFileName } from '../../model/project.ts';
import type { Access } from '../../model/registries/access.ts';
import { isSameAccess } from '../../model/registries/asked-registries.ts';
import { machineAddress, machineAddresses, type Registry, type RegistrySource } from '../../model/registry.ts';
import { systems } from '../../model/system.ts';

/**
 * How long a file must stay unchanged, in ms, before its former text stops counting. Moving a line, or trying without it,
 * takes a person a second or two; a tool that rewrites a file empties it for some ms.
 */
const SETTLE_MS = 5000;
/** Files whose last text is kept. One manifest depends on about ten. */
const MAX_FILES = 2000;
/** Workspace roots whose members are kept. Nearly every requirements file and project is a root. */
const MAX_ROOTS = 20_000;

/** Where the files around a document say that a package comes from. */
export interface Origin {
  readonly registries: readonly Registry[];
  /** How they are asked; absent unless the settings permit it. */
  readonly access?: Access;
}

/** Finds where a dependency comes from. */
export type Route = (linked: LinkedDependency) => Origin;

/** A dependency with the registries that its origin names. */
export function withOrigin(linked: LinkedDependency, { registries, access }: Origin): LinkedDependency {
  return registries.length === 0 ? linked : { ...linked, registries, ...(access && { access }) };
}

const NONE: readonly Registry[] = [];

/** The routes and local sources of a document before some of its files changed. */
export interface FormerRoutes {
  readonly route: Route;
  /** Packages that came from a folder or a repository, by `packageId`. */
  readonly localSources: ReadonlySet<string>;
  /** The files of the former chain. */
  readonly files: readonly ParsedManifest[];
}

/** The members of one workspace root. */
export interface RootMembers {
  /** The names that the projects declare. */
  readonly names: ClaimsByName;
  /** Their files, by `sameUri`. */
  readonly files: ReadonlySet<string>;
}

interface RootRecord {
  readonly uri: string;
  /** The members that the last search found. */
  current: RootMembers;
  /** All members found since the root was last settled; the same object as `current` when it is settled. */
  accumulated: RootMembers;
  /** When the members last changed, or one of their files was saved. */
  changedAt: number;
}

interface FormerText {
  /** Undefined if the file did not exist. */
  readonly text: string | undefined;
  /** When the file was last changed, saved, or read with another text. */
  changedAt: number;
}

/**
 * Keeps the former text of files that configure registries. A name that was sent cannot be taken back, so the former
 * configuration counts beside the present one until the files are saved and unchanged for some seconds.
 */
export class RegistryHistory {
  readonly #clock: Clock;
  readonly #fileNames: (uri: string) => readonly string[];
  readonly #saved: Files;
  readonly #onSettled: (uris: readonly string[]) => void;
  /** The last known text of each file, by `sameUri`. */
  readonly #texts = new Map<string, { readonly uri: string; readonly text: string | undefined }>();
  /** The last settled text of each file that is not settled. */
  readonly #formerTexts = new Map<string, FormerText>();
  /** By document and systems. Valid until another file changes. */
  readonly #formerRoutes = new Map<string, Promise<FormerRoutes>>();
  /** The registries found for the packages of a document since a file became unsettled, by `packageId`. */
  readonly #foundRegistries = new Map<string, Map<string, readonly Registry[]>>();
  /** The members of workspace roots, by `sameUri`. */
  readonly #roots = new Map<string, RootRecord>();
  /** The roots that are not settled. */
  readonly #unsettledRoots = new Set<RootRecord>();
  #isNotifying = false;
  #timer: (() => void) | undefined;

  /**
   * @param saved the files as they are on disk
   * @param settled called with the files whose former text no longer counts
   */
  constructor(
    clock: Clock,
    saved: Files,
    settled: (uris: readonly string[]) => void,
    fileNames: (uri: string) => readonly string[] = () => [],
  ) {
    this.#fileNames = fileNames;
    this.#clock = clock;
    this.#saved = saved;
    this.#onSettled = settled;
  }

  /**
   * Records the files that were read for a document.
   * @param texts their texts, by address
   * @param touched every address that was read or found missing, by `sameUri`
   */
  recordFiles(texts: ReadonlyMap<string, string>, touched: ReadonlySet<string>): void {
    for (const [uri, text] of texts) this.#recordText(uri, text);
    const there = new Set([...texts.keys()].map(sameUri));
    const gone = [...this.#texts].filter(([same]) => touched.has(same) && !there.has(same));
    for (const [, { uri }] of gone) this.#recordText(uri, undefined);
  }

  /** @param text undefined if the file does not exist */
  #recordText(uri: string, text: string | undefined): void {
    const same = sameUri(uri);
    const last = this.#texts.get(same);
    if (last === undefined && text === undefined) return;
    if (last?.text === text) return;
    if (last === undefined && this.#texts.size >= MAX_FILES) this.#evictText();
    this.#texts.set(same, { uri, text });
    // The first text of a file has no former one.
    if (last === undefined) return;
    const former = this.#formerTexts.get(same);
    if (former === undefined) this.#formerTexts.set(same, { text: last.text, changedAt: this.#clock.now() });
    else if (former.text === text) this.#formerTexts.delete(same);
    else former.changedAt = this.#clock.now();
    if (former === undefined || former.text === text) this.#clearFormerRoutes();
    this.#scheduleSettle();
  }

  /** Records an edit of an open document. */
  recordEdit(uri: string, before: string, now: string): void {
    if (!mayNameRegistries(uri, this.#fileNames(uri))) return;
    if (!this.#texts.has(sameUri(uri))) this.#recordText(uri, before);
    this.#recordText(uri, now);
  }

  /** Files were saved, changed on disk or closed: restarts their waiting time. */
  recordSaved(uris: readonly string[]): void {
    // A package manager may write hundreds of thousands of files.
    if (this.#isNotifying || this.#formerTexts.size + this.#unsettledRoots.size === 0) return;
    for (const it of uris) {
      const same = sameUri(it);
      const former = this.#formerTexts.get(same);
      if (former) former.changedAt = this.#clock.now();
      for (const making of this.#unsettledRoots)
        if (making.accumulated.files.has(same)) making.changedAt = this.#clock.now();
    }
    this.#scheduleSettle();
  }

  /**
   * Records the members of a root, and returns them together with all members since it was last settled. One file that
   * is missing for a moment could otherwise remove the names of a whole workspace.
   */
  recordMembers(root: string, now: RootMembers): RootMembers {
    const same = sameUri(root);
    const before = this.#roots.get(same);
    if (before === undefined) {
      // Most roots do not exist.
      if (now.files.size > 0 && this.#roots.size < MAX_ROOTS)
        this.#roots.set(same, { uri: root, current: now, accumulated: now, changedAt: this.#clock.now() });
      return now;
    }
    if (covers(before.current, now) && covers(now, before.current)) return before.accumulated;
    before.current = now;
    before.accumulated = covers(now, before.accumulated) ? now : unionOf(before.accumulated, now);
    before.changedAt = this.#clock.now();
    if (before.accumulated === now) this.#unsettledRoots.delete(before);
    else this.#unsettledRoots.add(before);
    this.#scheduleSettle();
    return before.accumulated;
  }

  /** Whether a document depends on a file that is not settled. */
  affects(touched: ReadonlySet<string>): boolean {
    for (const it of this.#formerTexts.keys()) if (touched.has(it)) return true;
    return false;
  }

  /** The last settled text of a file. */
  formerText(uri: string, now: string): string {
    const former = this.#formerTexts.get(sameUri(uri));
    return former ? (former.text ?? '') : now;
  }

  /** The files with their last settled texts. */
  formerFiles(files: Files): Files {
    const before = withReader(files, (look) => async (uri) => {
      const former = this.#formerTexts.get(sameUri(uri));
      return former ? former.text : look(uri);
    });
    const { machine } = files;
    if (machine === undefined) return before;
    return {
      ...before,
      machine: async (system) => {
        const now = await machine(system);
        const former = this.#formerTexts.get(machineAddress(system));
        return former ? { ...now, files: parseMachineFiles(former.text) } : now;
      },
    };
  }

  /** Computes the former routes of a document once, until another file changes. */
  formerRoutes(id: string, read: () => Promise<FormerRoutes>): Promise<FormerRoutes> {
    const before = this.#formerRoutes.get(id) ?? read();
    this.#formerRoutes.set(id, before);
    return before;
  }

  /** Routes a dependency by the present and all former configuration since everything was settled. */
  mergeRoutes(uri: string, now: Route, { route, localSources }: Pick<FormerRoutes, 'route' | 'localSources'>): Route {
    const found = this.#foundRegistries.get(uri) ?? new Map<string, readonly Registry[]>();
    this.#foundRegistries.set(uri, found);
    return (linked) => {
      const said = now(linked);
      const id = packageId(linked.key);
      const own = said.registries;
      const before = route(linked);
      const former = before.registries;
      const earlier = found.get(id) ?? NONE;
      const isFromElsewhere = localSources.has(id);
      // Nearly always the same: a new list for each dependency at each keystroke would take longer than the rest.
      const isSame = !isFromElsewhere && isAmong(former, own) && isAmong(earlier, own);
      const others = isSame ? NONE : [...former, ...earlier, ...(isFromElsewhere ? [{}] : [])];
      const registries = isSame
        ? own
        : distinctRegistries([...own, ...others.map((it): Registry => ({ ...it, isFormer: true }))]);
      if (registries.length === 0) return said;
      found.set(id, registries);
      if (said.access === undefined || isSameAccess(said.access, before.access))
        return registries === own ? said : { ...said, registries };
      // The same host may have another path, another port or another credential now.
      return { ...said, registries: [...registries, { isFormer: true }] };
    };
  }

  #scheduleSettle(): void {
    if (this.#formerTexts.size === 0) this.#foundRegistries.clear();
    if (this.#formerTexts.size + this.#unsettledRoots.size > 0)
      this.#timer ??= this.#clock.after(SETTLE_MS, () => this.#onTimer());
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.#settle().catch(() => this.#scheduleSettle());
  }

  /** Drops the former text of files that are on disk as they were last read, and have been for long enough. */
  async #settle(): Promise<void> {
    const settled: string[] = [];
    let next: number | undefined;
    for (const [same, former] of [...this.#formerTexts]) {
      const left = former.changedAt + SETTLE_MS - this.#clock.now();
      if (left > 0) {
        next = Math.min(next ?? left, left);
        continue;
      }
      const last = this.#texts.get(same);
      const uri = last?.uri ?? same;
      const ofMachine = await machineTextAt(uri, this.#saved);
      const text = ofMachine ?? (await (this.#saved.inRepository ?? this.#saved).read(uri));
      if (this.#formerTexts.get(same) !== former || this.#texts.get(same) !== last) continue;
      if (text === last?.text) this.#formerTexts.delete(same);
      // Editors do not report changes outside their folders.
      else if (ofMachine !== undefined) this.#recordText(uri, text);
      else continue;
      settled.push(uri);
    }
    for (const making of [...this.#unsettledRoots]) {
      const left = making.changedAt + SETTLE_MS - this.#clock.now();
      if (left > 0) {
        next = Math.min(next ?? left, left);
        continue;
      }
      making.accumulated = making.current;
      this.#unsettledRoots.delete(making);
      // Forgets a root that no longer exists.
      if (making.current.files.size === 0) this.#roots.delete(sameUri(making.uri));
      settled.push(making.uri);
    }
    if (settled.length > 0) {
      this.#clearFormerRoutes();
      if (this.#formerTexts.size === 0) this.#foundRegistries.clear();
      this.#notify(settled);
    }
    if (next !== undefined) this.#timer ??= this.#clock.after(next, () => this.#onTimer());
  }

  /** Listeners read the files again. That is not a change. */
  #notify(settled: readonly string[]): void {
    this.#isNotifying = true;
    try {
      this.#onSettled(settled);
    } finally {
      this.#isNotifying = false;
    }
  }

  #clearFormerRoutes(): void {
    this.#formerRoutes.clear();
  }

  #evictText(): void {
    for (const it of this.#texts.keys()) {
      if (this.#formerTexts.has(it) || machineAddresses.has(it)) continue;
      this.#texts.delete(it);
      return;
    }
  }
}

const readers = Object.values(registryReaders);
const settingsFileNames: ReadonlySet<string> = new Set(
  readers.flatMap((it) => it.above.map((path) => path.replace(/^.*\//, ''))),
);

/** Whether a file may configure registries, by its name. */
function mayNameRegistries(uri: string, own: readonly string[]): boolean {
  const format = formatOf(pathOf(uri), own);
  return (
    format?.record === 'lockfile' ||
    nameOf(uri) === projectFileName ||
    settingsFileNames.has(nameOf(uri)) ||
    readers.some((it) => it.chainFormats?.has(format?.id ?? ''))
  );
}

/** Whether all registries of a list are in another one. */
function isAmong(some: readonly Registry[], all: readonly Registry[]): boolean {
  return (
    some === all ||
    some.length === 0 ||
    some.every((it) => all.some(({ host, from }) => host === it.host && from === it.from))
  );
}

function covers(some: RootMembers, others: RootMembers): boolean {
  return joinMembers(some.names, others.names) === some.names && isSubset(others.files, some.files);
}

/** All claims of both; the first itself, where the other has no more. */
export function joinMembers(some: ClaimsByName, others: ClaimsByName): ClaimsByName {
  const more = new Map<string, readonly Claim[]>();
  for (const [name, claims] of others) {
    const known = some.get(name) ?? [];
    const added = claims.filter((it) => !known.some((one) => isSameClaim(one, it)));
    if (added.length > 0) more.set(name, [...known, ...added]);
  }
  return more.size === 0 ? some : new Map([...some, ...more]);
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  if (some.size > all.size) return false;
  for (const it of some) if (!all.has(it)) return false;
  return true;
}

function unionOf(some: RootMembers, others: RootMembers): RootMembers {
  return { names: joinMembers(some.names, others.names), files: new Set([...some.files, ...others.files]) };
}

function isSameClaim(a: Claim, b: Claim): boolean {
  const fields = [a, b].map((it) => it.fields?.join(' '));
  const isSame = a.version === b.version && a.client === b.client && a.needs === b.needs && a.address === b.address;
  return a === b || (isSame && fields[0] === fields[1]);
}

/** The machine's files are read every few seconds, but their text is compared at each keystroke. */
const machineTexts = new WeakMap<readonly RegistrySource[], string>();

export function serializeMachineFiles(files: readonly RegistrySource[]): string {
  const text = machineTexts.get(files) ?? JSON.stringify(files);
  machineTexts.set(files, text);
  return text;
}

/** Parses the text made by `serializeMachineFiles`. */
function parseMachineFiles(text: string | undefined): readonly RegistrySource[] {
  return text === undefined ? [] : JSON.parse(text);
}

/** The serialized files of the machine; undefined if the address is not `machineAddress`. */
async function machineTextAt(uri: string, { machine }: Files): Promise<string | undefined> {
  const system = systems.find((it) => machineAddress(it) === uri);
  if (system === undefined) return undefined;
  return serializeMachineFiles((await machine?.(system))?.files ?? []);
}
