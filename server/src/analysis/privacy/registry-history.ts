import { nameOf, pathOf, sameUri } from '../../base/uri.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { registryReaders } from '../../ecosystems/registry-readers.ts';
import { distinctRegistries } from '../../ecosystems/shared/registry-address.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { packageId } from '../../model/keys.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { type Clock, type Files, withReader } from '../../model/ports.ts';
import { machineAddress, machineAddresses, type Registry, type RegistrySource } from '../../model/registry.ts';
import { systems } from '../../model/system.ts';

const limits = {
  /**
   * How long a file must stand as it is, in ms, until it alone says which names stay. Whoever moves a line, or looks at
   * something without it, takes a second or two; a tool that writes a file anew empties it for some ms.
   */
  stable: 5000,
  /** Files of which it is remembered what they said. Those of one manifest are some ten. */
  files: 2000,
  /** Roots of which it is remembered what they made. Nearly all files of requirements and projects are one. */
  roots: 20_000,
} as const;

/** What the texts of a document say of a dependency. */
export type Route = (linked: LinkedDependency) => LinkedDependency;

/** What the texts of a document said before some of them were changed. */
export interface FormerRoutes {
  readonly route: Route;
  /** What was taken from a folder or a repository, by `packageId`. */
  readonly localSources: ReadonlySet<string>;
  /** The files that took part in it. */
  readonly files: readonly ParsedManifest[];
}

/** What belongs to one root of a workspace. */
export interface RootMembers {
  /** What the projects call themselves, by `packageId`. */
  readonly names: ReadonlySet<string>;
  /** Their files, by `sameUri`. */
  readonly files: ReadonlySet<string>;
}

interface RootRecord {
  readonly uri: string;
  /** What it made when it was last looked at. */
  current: RootMembers;
  /** With all that it made since it was last settled: the same as `last` where it is. */
  accumulated: RootMembers;
  /** When it was seen to make something else, or one of its files was saved. */
  changedAt: number;
}

interface FormerText {
  /** Undefined where there was no such file. */
  readonly text: string | undefined;
  /** When it was last changed, saved or seen to be another. */
  changedAt: number;
}

/**
 * Remembers what files that say where packages come from said before they were changed. A name that was sent cannot be
 * taken back: what they said counts beside what they say, until they are saved and have stood so for some seconds.
 */
export class RegistryHistory {
  readonly #clock: Clock;
  readonly #saved: Files;
  readonly #onSettled: (uris: readonly string[]) => void;
  /** What each said when it was last looked at, by `sameUri`. */
  readonly #texts = new Map<string, { readonly uri: string; readonly text: string | undefined }>();
  /** What those that are not settled said when they last were. */
  readonly #formerTexts = new Map<string, FormerText>();
  /** By document and systems: while nothing more is changed, what was said before stays the same. */
  readonly #formerRoutes = new Map<string, Promise<FormerRoutes>>();
  /** The registries that were found for the packages of a document since anything is not settled, by `packageId`. */
  readonly #foundRegistries = new Map<string, Map<string, readonly Registry[]>>();
  /** What the roots of workspaces make, by `sameUri`. */
  readonly #roots = new Map<string, RootRecord>();
  /** Those that are not settled. */
  readonly #unsettledRoots = new Set<RootRecord>();
  #isNotifying = false;
  #timer: (() => void) | undefined;

  /**
   * @param saved the files as they are saved
   * @param settled hears of files that alone count from now on
   */
  constructor(clock: Clock, saved: Files, settled: (uris: readonly string[]) => void) {
    this.#clock = clock;
    this.#saved = saved;
    this.#onSettled = settled;
  }

  /**
   * Some files were read for a document.
   * @param texts what they say, by address
   * @param touched all that was looked for, by `sameUri`
   */
  recordFiles(texts: ReadonlyMap<string, string>, touched: ReadonlySet<string>): void {
    for (const [uri, text] of texts) this.#recordText(uri, text);
    const there = new Set([...texts.keys()].map(sameUri));
    const gone = [...this.#texts].filter(([same]) => touched.has(same) && !there.has(same));
    for (const [, { uri }] of gone) this.#recordText(uri, undefined);
  }

  /** A file says this now, or is not there. */
  #recordText(uri: string, text: string | undefined): void {
    const same = sameUri(uri);
    const last = this.#texts.get(same);
    if (last === undefined && text === undefined) return;
    if (last?.text === text) return;
    if (last === undefined && this.#texts.size >= limits.files) this.#evictText();
    this.#texts.set(same, { uri, text });
    // What nobody has looked at before is as it was.
    if (last === undefined) return;
    const former = this.#formerTexts.get(same);
    if (former === undefined) this.#formerTexts.set(same, { text: last.text, changedAt: this.#clock.now() });
    else if (former.text === text) this.#formerTexts.delete(same);
    else former.changedAt = this.#clock.now();
    if (former === undefined || former.text === text) this.#clearFormerRoutes();
    this.#scheduleSettle();
  }

  /** An open document has another text. */
  recordEdit(uri: string, before: string, now: string): void {
    if (!mayNameRegistries(uri)) return;
    if (!this.#texts.has(sameUri(uri))) this.#recordText(uri, before);
    this.#recordText(uri, now);
  }

  /** Files were saved, changed or closed: they stand as they are from now on. */
  recordSaved(uris: readonly string[]): void {
    // A package manager may write hundreds of thousands.
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
   * A root makes this now: what it made since it was last settled is its own, too. One file that is away for a moment may
   * take the names of a whole workspace with it.
   */
  recordMembers(root: string, now: RootMembers): RootMembers {
    const same = sameUri(root);
    const before = this.#roots.get(same);
    if (before === undefined) {
      // Most are not there.
      if (now.files.size > 0 && this.#roots.size < limits.roots)
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

  /** Whether what a document says depends on a file that is not settled. */
  affects(touched: ReadonlySet<string>): boolean {
    for (const it of this.#formerTexts.keys()) if (touched.has(it)) return true;
    return false;
  }

  /** The text of a file when it was last settled. */
  formerText(uri: string, now: string): string {
    const former = this.#formerTexts.get(sameUri(uri));
    return former ? (former.text ?? '') : now;
  }

  /** The files as they were when they were last settled. */
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

  /** Reads what a document said before, once for as long as that stays the same. */
  formerRoutes(id: string, read: () => Promise<FormerRoutes>): Promise<FormerRoutes> {
    const before = this.#formerRoutes.get(id) ?? read();
    this.#formerRoutes.set(id, before);
    return before;
  }

  /** What a document says now, and what it said since the last time that all was settled. */
  mergeRoutes(uri: string, now: Route, { route, localSources }: Pick<FormerRoutes, 'route' | 'localSources'>): Route {
    const found = this.#foundRegistries.get(uri) ?? new Map<string, readonly Registry[]>();
    this.#foundRegistries.set(uri, found);
    return (linked) => {
      const said = now(linked);
      const id = packageId(linked.key);
      const own = said.registries ?? [];
      const former = [
        ...(route(linked).registries ?? []),
        ...(found.get(id) ?? []),
        ...(localSources.has(id) ? [{}] : []),
      ];
      if (own.length + former.length === 0) return said;
      const registries = distinctRegistries([...own, ...former.map((it): Registry => ({ ...it, isFormer: true }))]);
      found.set(id, registries);
      return { ...said, registries };
    };
  }

  #scheduleSettle(): void {
    if (this.#formerTexts.size === 0) this.#foundRegistries.clear();
    if (this.#formerTexts.size + this.#unsettledRoots.size > 0)
      this.#timer ??= this.#clock.after(limits.stable, () => this.#onTimer());
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.#settle().catch(() => this.#scheduleSettle());
  }

  /** Whatever stands on the disk as it is read, and has for long enough, counts alone. */
  async #settle(): Promise<void> {
    const settled: string[] = [];
    let next: number | undefined;
    for (const [same, former] of [...this.#formerTexts]) {
      const left = former.changedAt + limits.stable - this.#clock.now();
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
      // No editor tells of what is changed outside of its folders.
      else if (ofMachine !== undefined) this.#recordText(uri, text);
      else continue;
      settled.push(uri);
    }
    for (const making of [...this.#unsettledRoots]) {
      const left = making.changedAt + limits.stable - this.#clock.now();
      if (left > 0) {
        next = Math.min(next ?? left, left);
        continue;
      }
      making.accumulated = making.current;
      this.#unsettledRoots.delete(making);
      // Of what is gone for good nothing is remembered.
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

  /** Whoever hears of it has the files read again, which were not changed by that. */
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

/** Whether a file may say where packages come from, by its name. */
function mayNameRegistries(uri: string): boolean {
  const format = formatOf(pathOf(uri))?.id ?? '';
  return settingsFileNames.has(nameOf(uri)) || readers.some((it) => 'parts' in it && it.chainFormats?.has(format));
}

function covers(some: RootMembers, others: RootMembers): boolean {
  return isSubset(others.names, some.names) && isSubset(others.files, some.files);
}

function isSubset(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  if (some.size > all.size) return false;
  for (const it of some) if (!all.has(it)) return false;
  return true;
}

function unionOf(some: RootMembers, others: RootMembers): RootMembers {
  return { names: new Set([...some.names, ...others.names]), files: new Set([...some.files, ...others.files]) };
}

/** The machine's files are read every some seconds, and asked for with each keystroke. */
const machineTexts = new WeakMap<readonly RegistrySource[], string>();

export function serializeMachineFiles(files: readonly RegistrySource[]): string {
  const text = machineTexts.get(files) ?? JSON.stringify(files);
  machineTexts.set(files, text);
  return text;
}

/** What the machine's files say where all of them say this. */
function parseMachineFiles(text: string | undefined): readonly RegistrySource[] {
  return text === undefined ? [] : JSON.parse(text);
}

/** The text of the machine's files as they are now; undefined where the address is none of theirs. */
async function machineTextAt(uri: string, { machine }: Files): Promise<string | undefined> {
  const system = systems.find((it) => machineAddress(it) === uri);
  if (system === undefined) return undefined;
  return serializeMachineFiles((await machine?.(system))?.files ?? []);
}
