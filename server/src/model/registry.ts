import type { Unreadable } from './ports.ts';
import { type System, systems } from './system.ts';

/** A registry that configuration names for a package, in the place of its system's public one or beside it. */
export interface Registry {
  /** In lower case. Absent where the configuration only says that the package is private: GOPRIVATE. */
  readonly host?: string;
  /** What names it, as a person would say it: `.npmrc`, `PIP_INDEX_URL`. Absent where the package's own file does. */
  readonly from?: string;
  /** Set where `from` may name a registry for the package, and nobody knows which, since it cannot be read. */
  readonly unreadable?: Unreadable;
  /** It was named before a text was changed, which has not been saved yet, or not for long. */
  readonly isFormer?: true;
  /** The package may as well come from another registry: an extra index, a further repository. */
  readonly isAdditional?: true;
}

/** A text that may say where packages come from: a file, or the value of a variable of the environment. */
export interface RegistrySource {
  /** The file's own name or the variable's, by which readers know it: `.npmrc`, `PIP_INDEX_URL`. */
  readonly name: string;
  /** As a person would say it: `~/.npmrc`. */
  readonly label: string;
  /** As far as it could be read. */
  readonly text: string;
  /** Set where it could not be read to its end: what the rest says may be about any package. */
  readonly unreadable?: Unreadable;
}

/** What this machine says of registries, outside of any workspace; the strongest word first. */
export interface MachineRegistries {
  readonly variables: readonly RegistrySource[];
  readonly files: readonly RegistrySource[];
}

/** The address under which what the machine's files say of a system is told from what they said before. */
export function machineAddress(system: System): string {
  return `machine:${system}`;
}

export const machineAddresses: ReadonlySet<string> = new Set(systems.map(machineAddress));

/** Reads what the machine says of one system. Never rejects. */
export type ReadMachine = (system: System) => Promise<MachineRegistries>;

/** A package that somebody asks for. */
export interface RoutedPackage {
  readonly name: string;
  /** The registries that its own file names for it: addresses, or names that configuration explains. */
  readonly registries?: readonly string[];
}

/** The registries that configuration names for a package; none where it is left to the usual one. */
export type Routing = (asked: RoutedPackage) => readonly Registry[];

/** How one system is told of registries: a row of the table in `ecosystems/registry-readers.ts`. */
export interface RegistryReader {
  /** Files looked for in the directory of a manifest and in those above it. */
  readonly above: readonly string[];
  /** Files that are looked for in those directories, too, since a variable of the environment says so. */
  readonly filesNamedByVariable?: (variable: RegistrySource) => readonly Pick<RegistrySource, 'name' | 'label'>[];
  /** The files that one of those names, relative to the directory it was looked for in, and what readers know each by. */
  readonly filesNamedBy?: (source: RegistrySource) => readonly Pick<RegistrySource, 'name' | 'label'>[];
  /**
   * The formats whose files speak of registries where they take part in a manifest, and what the reader knows each by: a
   * file that is included may have any name.
   */
  readonly chainFormats?: ReadonlyMap<string, string>;
  /** Never throws. The strongest word comes first: the environment, the nearest file, the farthest. */
  readonly read: (sources: readonly RegistrySource[]) => Routing;
}
