import type { RegistrySource, RoutedPackage, Routing } from '../registry.ts';
import type { Access, AccessInputs, AccessSource } from './access.ts';

/**
 * How the clients of a system are told of registries: a row of the table in `ecosystems/registries.ts`. Settings answer two
 * questions. `ownersOf` decides what may be looked up in public: what any client of the system would do, if it got these
 * settings, counts. `accessTo` decides what is asked and sent, as the one client does that a project uses. What a client
 * may ask is always among the owners.
 */
export interface RegistryReader {
  /** Names of files in the directory of a manifest and in all directories above. */
  readonly above: readonly string[];
  /** Further names of such files, from an environment variable. */
  readonly filesNamedByVariable?: (variable: RegistrySource) => readonly Pick<RegistrySource, 'name' | 'label'>[];
  /** The files that such a file includes, relative to its directory, with the names that select their syntax. */
  readonly filesNamedBy?: (source: RegistrySource) => readonly Pick<RegistrySource, 'name' | 'label'>[];
  /**
   * Formats of chain files that may configure registries, with the names that select their syntax: an included file may
   * have any name.
   */
  readonly chainFormats?: ReadonlyMap<string, string>;
  /** Whether a chain file belongs to another build than the document. */
  readonly isOfOtherBuild?: (
    uri: string,
    document: string,
    files: readonly { readonly uri: string; readonly text: string }[],
  ) => boolean;
  /**
   * Where a package may come from. Variables are not replaced. Never throws.
   * @param sources the strongest first: the environment, the nearest file, the farthest
   */
  readonly ownersOf: (sources: readonly AccessSource[]) => Routing;
  /**
   * Where its client asks for a package, and with which credential. Undefined for one for which no setting names a
   * registry. Public registries are listed, too: the caller knows which are public. Without registries where the client
   * is told to ask none. Never throws.
   */
  readonly accessTo: (inputs: AccessInputs) => (asked: RoutedPackage) => Access | undefined;
}
