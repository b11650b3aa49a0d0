import type { PackageKey } from '../keys.ts';

/** The packages that run a script when they are installed: a dependency, and what it brings by its lockfile. */
export interface InstallScripts {
  /** Whether the dependency itself runs one. */
  readonly isOwn: boolean;
  /** What it brings; the nearest first, each version once. */
  readonly below: readonly ScriptBelow[];
}

export interface ScriptBelow {
  readonly key: PackageKey;
  /** A shortest path from the dependency: `vite → rollup → esbuild 0.21.5` */
  readonly path: string;
}
