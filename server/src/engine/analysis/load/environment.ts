import type { ReadGraph } from '../../model/graph/read-graph.ts';
import type { RegistryHistory } from '../privacy/registry-history.ts';

/** The inputs of an evaluation besides files, facts and settings. */
export interface Environment {
  /** The names of manifests that the person has chosen, for an address; absent without any. */
  readonly fileNames?: (uri: string) => readonly string[];
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether the person trusts the workspace: otherwise ignores of its project file do not apply. */
  isTrusted(): boolean;
  /**
   * Whether the environment is that of a build: in a terminal. An editor's depends on how it was started, which is not visible.
   */
  readonly buildsHere?: boolean;
  /** The project file for every manifest; absent if the nearest one applies. */
  readonly projectFile?: string;
  /**
   * The texts of all project files, by URI, before a change that may not loosen them, and of settings files that may have a
   * cooldown; absent if there is no such change.
   */
  readonly projectsBefore?: ReadonlyMap<string, string>;
  /** Former registry configuration; absent if files never change. */
  readonly history?: RegistryHistory;
  /** Reads the graph of a lockfile without a pause of the caller; absent where pauses do not matter. */
  readonly readGraph?: ReadGraph;
  /** Called once a graph that an evaluation did without is read. */
  readonly onGraphRead?: () => void;
}
