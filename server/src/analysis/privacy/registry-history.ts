import { nameOf, pathOf, sameUri } from '../../base/uri.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import { registryReaders } from '../../ecosystems/registry-readers.ts';
import { distinctRegistries } from '../../ecosystems/shared/registry-address.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { packageId } from '../../model/keys.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import { type Clock, type Files, readBy } from '../../model/ports.ts';
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
  readonly elsewhere: ReadonlySet<string>;
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

interface Making {
  readonly uri: string;
  /** What it made when it was last looked at. */
  last: RootMembers;
  /** With all that it made since it was last settled: the same as `last` where it is. */
  all: RootMembers;
  /** When it was seen to make something else, or one of its files was saved. */
  since: number;
}

interface Former {
  /** Undefined where there was no such file. */
  readonly text: string | undefined;
  /** When it was last changed, saved or seen to be another. */
  since: number;
}

/**
 * Remembers what files that say where packages come from said before they were changed. A name that was sent cannot be
 * taken back: what they said counts beside what they say, until they are saved and have stood so for some seconds.
 */
export class RegistryHistory {
  readonly #clock: Clock;
  readonly #saved: Files;
  readonly #settled: (uris: readonly string[]) => void;
  /** What each said when it was last looked at, by `sameUri`. */
  readonly #last = new Map<string, { readonly uri: string; readonly text: string | undefined }>();
  /** What those that are not settled said when they last were. */
  readonly #former = new Map<string, Former>();
  /** By document and systems: while nothing more is changed, what was said before stays the same. */
  readonly #before = new Map<string, Promise<FormerRoutes>>();
  /** The registries that were found for the packages of a document since anything is not settled, by `packageId`. */
  readonly #found = new Map<string, Map<string, readonly Registry[]>>();
  /** What the roots of workspaces make, by `sameUri`. */
  readonly #made = new Map<string, Making>();
  /** Those that are not settled. */
  readonly #making = new Set<Making>();
  #isTelling = false;
  #timer: (() => void) | undefined;

  /**
   * @param saved the files as they are saved
   * @param settled hears of files that alone count from now on
   */
  constructor(clock: Clock, saved: Files, settled: (uris: readonly string[]) => void) {
    this.#clock = clock;
    this.#saved = saved;
    this.#settled = settled;
  }

  /**
   * Some files were read for a document.
   * @param texts what they say, by address
   * @param touched all that was looked for, by `sameUri`
   */
  recordFiles(texts: ReadonlyMap<string, string>, touched: ReadonlySet<string>): void {
    for (const [uri, text] of texts) this.#met(uri, text);
    const there = new Set([...texts.keys()].map(sameUri));
    const gone = [...this.#last].filter(([same]) => touched.has(same) && !there.has(same));
    for (const [, { uri }] of gone) this.#met(uri, undefined);
  }

  /** A file says this now, or is not there. */
  #met(uri: string, text: string | undefined): void {
    const same = sameUri(uri);
    const last = this.#last.get(same);
    if (last === undefined && text === undefined) return;
    if (last?.text === text) return;
    if (last === undefined && this.#last.size >= limits.files) this.#forgetOne();
    this.#last.set(same, { uri, text });
    // What nobody has looked at before is as it was.
    if (last === undefined) return;
    const former = this.#former.get(same);
    if (former === undefined) this.#former.set(same, { text: last.text, since: this.#clock.now() });
    else if (former.text === text) this.#former.delete(same);
    else former.since = this.#clock.now();
    if (former === undefined || former.text === text) this.#forgetBefore();
    this.#arm();
  }

  /** An open document has another text. */
  recordEdit(uri: string, before: string, now: string): void {
    if (!speaks(uri)) return;
    if (!this.#last.has(sameUri(uri))) this.#met(uri, before);
    this.#met(uri, now);
  }

  /** Files were saved, changed or closed: they stand as they are from now on. */
  recordSaved(uris: readonly string[]): void {
    // A package manager may write hundreds of thousands.
    if (this.#isTelling || this.#former.size + this.#making.size === 0) return;
    for (const it of uris) {
      const same = sameUri(it);
      const former = this.#former.get(same);
      if (former) former.since = this.#clock.now();
      for (const making of this.#making) if (making.all.files.has(same)) making.since = this.#clock.now();
    }
    this.#arm();
  }

  /**
   * A root makes this now: what it made since it was last settled is its own, too. One file that is away for a moment may
   * take the names of a whole workspace with it.
   */
  recordMembers(root: string, now: RootMembers): RootMembers {
    const same = sameUri(root);
    const before = this.#made.get(same);
    if (before === undefined) {
      // Most are not there.
      if (now.files.size > 0 && this.#made.size < limits.roots)
        this.#made.set(same, { uri: root, last: now, all: now, since: this.#clock.now() });
      return now;
    }
    if (covers(before.last, now) && covers(now, before.last)) return before.all;
    before.last = now;
    before.all = covers(now, before.all) ? now : linked(before.all, now);
    before.since = this.#clock.now();
    if (before.all === now) this.#making.delete(before);
    else this.#making.add(before);
    this.#arm();
    return before.all;
  }

  /** Whether what a document says depends on a file that is not settled. */
  affects(touched: ReadonlySet<string>): boolean {
    for (const it of this.#former.keys()) if (touched.has(it)) return true;
    return false;
  }

  /** The text of a file when it was last settled. */
  formerText(uri: string, now: string): string {
    const former = this.#former.get(sameUri(uri));
    return former ? (former.text ?? '') : now;
  }

  /** The files as they were when they were last settled. */
  formerFiles(files: Files): Files {
    const before = readBy(files, (look) => async (uri) => {
      const former = this.#former.get(sameUri(uri));
      return former ? former.text : look(uri);
    });
    const { machine } = files;
    if (machine === undefined) return before;
    return {
      ...before,
      machine: async (system) => {
        const now = await machine(system);
        const former = this.#former.get(machineAddress(system));
        return former ? { ...now, files: readMachineText(former.text) } : now;
      },
    };
  }

  /** Reads what a document said before, once for as long as that stays the same. */
  formerRoutes(id: string, read: () => Promise<FormerRoutes>): Promise<FormerRoutes> {
    const before = this.#before.get(id) ?? read();
    this.#before.set(id, before);
    return before;
  }

  /** What a document says now, and what it said since the last time that all was settled. */
  mergeRoutes(uri: string, now: Route, { route, elsewhere }: Pick<FormerRoutes, 'route' | 'elsewhere'>): Route {
    const found = this.#found.get(uri) ?? new Map<string, readonly Registry[]>();
    this.#found.set(uri, found);
    return (linked) => {
      const said = now(linked);
      const id = packageId(linked.key);
      const own = said.registries ?? [];
      const former = [
        ...(route(linked).registries ?? []),
        ...(found.get(id) ?? []),
        ...(elsewhere.has(id) ? [{}] : []),
      ];
      if (own.length + former.length === 0) return said;
      const registries = distinctRegistries([...own, ...former.map((it): Registry => ({ ...it, before: true }))]);
      found.set(id, registries);
      return { ...said, registries };
    };
  }

  #arm(): void {
    if (this.#former.size === 0) this.#found.clear();
    if (this.#former.size + this.#making.size > 0) this.#timer ??= this.#clock.after(limits.stable, () => this.#look());
  }

  #look(): void {
    this.#timer = undefined;
    this.#settle().catch(() => this.#arm());
  }

  /** Whatever stands on the disk as it is read, and has for long enough, counts alone. */
  async #settle(): Promise<void> {
    const settled: string[] = [];
    let next: number | undefined;
    for (const [same, former] of [...this.#former]) {
      const left = former.since + limits.stable - this.#clock.now();
      if (left > 0) {
        next = Math.min(next ?? left, left);
        continue;
      }
      const last = this.#last.get(same);
      const uri = last?.uri ?? same;
      const ofMachine = await machineTextAt(uri, this.#saved);
      const text = ofMachine ?? (await (this.#saved.around ?? this.#saved).read(uri));
      if (this.#former.get(same) !== former || this.#last.get(same) !== last) continue;
      if (text === last?.text) this.#former.delete(same);
      // No editor tells of what is changed outside of its folders.
      else if (ofMachine !== undefined) this.#met(uri, text);
      else continue;
      settled.push(uri);
    }
    for (const making of [...this.#making]) {
      const left = making.since + limits.stable - this.#clock.now();
      if (left > 0) {
        next = Math.min(next ?? left, left);
        continue;
      }
      making.all = making.last;
      this.#making.delete(making);
      // Of what is gone for good nothing is remembered.
      if (making.last.files.size === 0) this.#made.delete(sameUri(making.uri));
      settled.push(making.uri);
    }
    if (settled.length > 0) {
      this.#forgetBefore();
      if (this.#former.size === 0) this.#found.clear();
      this.#tell(settled);
    }
    if (next !== undefined) this.#timer ??= this.#clock.after(next, () => this.#look());
  }

  /** Whoever hears of it has the files read again, which were not changed by that. */
  #tell(settled: readonly string[]): void {
    this.#isTelling = true;
    try {
      this.#settled(settled);
    } finally {
      this.#isTelling = false;
    }
  }

  #forgetBefore(): void {
    this.#before.clear();
  }

  #forgetOne(): void {
    for (const it of this.#last.keys()) {
      if (this.#former.has(it) || machineAddresses.has(it)) continue;
      this.#last.delete(it);
      return;
    }
  }
}

const readers = Object.values(registryReaders);
const settings: ReadonlySet<string> = new Set(
  readers.flatMap((it) => it.above.map((path) => path.replace(/^.*\//, ''))),
);

/** Whether a file may say where packages come from, by its name. */
function speaks(uri: string): boolean {
  const format = formatOf(pathOf(uri))?.id ?? '';
  return settings.has(nameOf(uri)) || readers.some((it) => 'parts' in it && it.parts?.has(format));
}

function covers(some: RootMembers, others: RootMembers): boolean {
  return isWithin(others.names, some.names) && isWithin(others.files, some.files);
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  if (some.size > all.size) return false;
  for (const it of some) if (!all.has(it)) return false;
  return true;
}

function linked(some: RootMembers, others: RootMembers): RootMembers {
  return { names: new Set([...some.names, ...others.names]), files: new Set([...some.files, ...others.files]) };
}

/** The machine's files are read every some seconds, and asked for with each keystroke. */
const machineTexts = new WeakMap<readonly RegistrySource[], string>();

export function machineText(files: readonly RegistrySource[]): string {
  const text = machineTexts.get(files) ?? JSON.stringify(files);
  machineTexts.set(files, text);
  return text;
}

/** What the machine's files say where all of them say this. */
function readMachineText(text: string | undefined): readonly RegistrySource[] {
  return text === undefined ? [] : JSON.parse(text);
}

/** The text of the machine's files as they are now; undefined where the address is none of theirs. */
async function machineTextAt(uri: string, { machine }: Files): Promise<string | undefined> {
  const system = systems.find((it) => machineAddress(it) === uri);
  if (system === undefined) return undefined;
  return machineText((await machine?.(system))?.files ?? []);
}
