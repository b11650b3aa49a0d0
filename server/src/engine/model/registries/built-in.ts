import type { System } from '../system.ts';

/**
 * The registries that package managers on this machine have built in: what their own program files name, never a
 * configuration. They are asked where nothing is configured, so they are public.
 */
export interface BuiltInRegistries {
  /** Their hosts, in lower case; undefined while they have not been read. */
  readonly hosts: (system: System) => ReadonlySet<string> | undefined;
  /** Reads those that were asked for in vain. Never rejects. */
  readonly readAsked: () => Promise<void>;
  /** Grows with each reading: what was decided before it is to be decided again. */
  readonly revision: () => number;
}
