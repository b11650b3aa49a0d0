import type { Unreadable } from '../base/unreadable.ts';
import type { Role } from './manifest.ts';
import { type System, systems } from './system.ts';

/** A registry that configuration names for a package, in place of the public one or beside it. */
export interface Registry {
  /** In lower case. Absent if the configuration only declares the package private: GOPRIVATE. */
  readonly host?: string;
  /** The label of its source: `.npmrc`, `PIP_INDEX_URL`. Absent if the manifest itself names it. */
  readonly from?: string;
  /** Set if `from` cannot be read: it may name any registry for the package. */
  readonly unreadable?: Unreadable;
  /** A former text named it. The change has not been saved, or not for long enough. */
  readonly isFormer?: true;
  /** The project file declares the package private, whatever its registry; `perhaps`, where its list has an error. */
  readonly declared?: 'surely' | 'perhaps';
  /** The offset in `from` of what names it, where its reader tells. */
  readonly at?: number;
  /** The line, from 0, that names it; absent where `from` is no file of its own. */
  readonly place?: { readonly uri: string; readonly line: number };
  /** The package may also come from another registry: this is an extra index, a further repository. */
  readonly isAdditional?: true;
  /** It has snapshots alone, and it is not known whether one is asked for. */
  readonly hasSnapshotsAlone?: true;
  /** It is not known that there is one: the package may be a member of the workspace. Why it may not be one; a clause. */
  readonly contested?: string;
  /** Further hosts, each of which keeps the name private by itself. */
  readonly otherHosts?: readonly string[];
  /** Only the lockfile beside the manifest names it: by the present settings its client would ask another one. */
  readonly isLocked?: true;
  /** Why it is not asked, where the person permits to ask private registries; a clause. */
  readonly refusal?: string;
}

/** The host of a registry; undefined also for a variable in its place: `https://${NPM_HOST}/`. */
export function knownHost({ host }: Pick<Registry, 'host'>): string | undefined {
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? host : undefined;
}

/** A text that may configure registries: a file, or the value of an environment variable. */
export interface RegistrySource {
  /** The name of the file or variable, which selects the syntax: `.npmrc`, `PIP_INDEX_URL`. */
  readonly name: string;
  /** For people: `~/.npmrc`. */
  readonly label: string;
  /** The part that could be read. */
  readonly text: string;
  /** Set if the text is incomplete: the rest may name a registry for any package. */
  readonly unreadable?: Unreadable;
  /**
   * Set where a setting of the machine leads to a file that is not the person's own. `workspace`: it lies in an open folder
   * or its repository, so a stranger may have written it. `PATH`: only PATH leads to it. It may withhold names, and no
   * registry is asked because of it.
   */
  readonly foundIn?: 'workspace' | 'PATH';
  /** It belongs to another build than the document, which takes plugins from it. */
  readonly isOfOtherBuild?: true;
}

/** The registry configuration of this machine outside any workspace, highest precedence first. */
export interface MachineRegistries {
  readonly variables: readonly RegistrySource[];
  readonly files: readonly RegistrySource[];
}

/** The pseudo address of the machine's files for a system, to compare them with their former text. */
export function machineAddress(system: System): string {
  return `machine:${system}`;
}

export const machineAddresses: ReadonlySet<string> = new Set(systems.map(machineAddress));

/** Reads the machine's configuration for a system. Never rejects. */
export type ReadMachine = (system: System) => Promise<MachineRegistries>;

/** A package to find the registries of. */
export interface RoutedPackage {
  readonly name: string;
  /** Absent where it may have either role. */
  readonly role?: Role;
  /** Only a profile of Maven requires it, whether that is active or not. */
  readonly isInProfile?: true;
  /** The one version that its client asks for; absent for a range, and where it is unknown. */
  readonly version?: string;
  /** The registries that its manifest names: addresses, or names that configuration defines. */
  readonly registries?: readonly string[];
}

/** The registries that configuration names for a package; empty for the default one. */
export type Routing = (asked: RoutedPackage) => readonly Registry[];
