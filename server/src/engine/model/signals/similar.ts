/** The packages that the service calls similarly named. */
export interface SimilarFacts {
  /** In the order of the service, without the package itself. */
  readonly names: readonly string[];
}

/** Another package that a name may be mistaken for. */
export type SimilarName =
  /** The service names it. */
  | { readonly by: 'service'; readonly name: string }
  /** A lockfile has it, and not the dependency. */
  | { readonly by: 'lockfile'; readonly name: string; readonly lockfile: string };
