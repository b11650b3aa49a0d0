import type { Dependency, Source } from '../manifest.ts';

/**
 * The packages of a lockfile and what each of them requires: from the manifest over its direct dependencies down to the
 * last transitive one. Cycles are normal. Nodes are numbers, and edges lie in arrays by the node that they leave, since a
 * monorepo has 20,000 nodes and 100,000 edges:
 *
 *     nodes       express 4.19.2    qs 6.11.0    side-channel 1.0.6
 *     firstEdge   0                 2            3                    3
 *     targets     1  2              2
 *     kinds       0  0              0
 */
export interface LockedGraph {
  readonly nodes: readonly LockedNode[];
  /** By node: a number that all nodes of one version of one package share. npm installs a version at several places. */
  readonly releases: Uint32Array;
  /** By node: where its edges begin; one more at the end. */
  readonly firstEdge: Uint32Array;
  /** By edge: the node that it leads to. */
  readonly targets: Uint32Array;
  /** By edge: an index of `edgeKinds`. */
  readonly kinds: Uint8Array;
  /** By edge: when it applies, as the file says it. Most have none. */
  readonly conditions: ReadonlyMap<number, string>;
  /** The direct dependencies by directory of the manifest, `''` beside the lockfile. Empty where the file has none. */
  readonly importers: ReadonlyMap<string, readonly LockedRoot[]>;
  /**
   * The nodes of a direct dependency: several where it is locked for several environments, none where it is not locked.
   * @param importer as in `importers`
   */
  readonly direct: (dependency: Dependency, importer: string) => readonly number[];
  /** Whether something is missing: a required package is not in the file, or a limit was reached. */
  readonly isPartial: boolean;
}

/** `unrecorded` for a lockfile that lists packages without what they require: of Pipenv and of Gradle. */
export type GraphOfLockfile = LockedGraph | 'unrecorded';

/** A package at one place of a lockfile. */
export interface LockedNode {
  /** In the spelling of our keys; for an alias, the package that it stands for. */
  readonly name: string;
  /** Empty for a member of the workspace without a version. For a package with a `source`, what the file says. */
  readonly version: string;
  /** Set where it comes from elsewhere than a registry. */
  readonly source?: Source | undefined;
  /** An address in its registry, where the file names it. */
  readonly registry?: string | undefined;
  /** When it is installed: `os: darwin, cpu: arm64`, a target framework. */
  readonly condition?: string | undefined;
  /** Whether the file says that only development, optional or peer dependencies need it. */
  readonly only?: 'dev' | 'optional' | 'peer' | undefined;
  /** Whether the file says that it runs a script when it is installed. Many files do not say it of any package. */
  readonly hasInstallScript?: boolean | undefined;
  /** Set where the node has what an extra requires besides, for a direct dependency with it. Several: `socks,toml`. */
  readonly extra?: string | undefined;
}

/** A direct dependency of a manifest. */
export interface LockedRoot {
  /** The name in the manifest, which may be an alias. In canonical spelling where the file has no other. */
  readonly name: string;
  readonly kind: EdgeKind;
  readonly node: number;
}

/** Why a package requires another one. An optional peer is used where it is installed, and brings nothing. */
export const edgeKinds = ['runtime', 'optional', 'peer', 'optionalPeer', 'dev'] as const;
export type EdgeKind = (typeof edgeKinds)[number];
