import type { BuildOptions, ClaimsByName, ParsedManifest } from '../../model/manifest-chain.ts';
import type { Definitions } from './definitions.ts';

/** The definitions that references resolve to. */
export interface LinkScope {
  readonly definitions: Definitions;
  readonly options?: BuildOptions;
  readonly constraints: Definitions;
  readonly missing: readonly string[];
  readonly boms: readonly (readonly ParsedManifest[])[];
  /** The identities of the files of the chain and of the BOMs. */
  readonly identities: ReadonlySet<string | undefined>;
  readonly members?: ClaimsByName;
  readonly lockfiles?: readonly string[];
  /** The package manager of the project, as far as its files name one. */
  readonly client?: string;
  /** Set where no constraint applies, since each has a condition. */
  readonly isUnconstrained?: true;
  /** The published parents that are known. */
  readonly parents?: ReadonlySet<string>;
}
