import type { EffectiveRequirement } from '../model/evaluated-dependency.ts';
import type { PackageKey, VersionKey } from '../model/keys.ts';
import type { Requirements } from '../model/lookups.ts';
import type { Scope } from '../model/manifest.ts';

/** The requirements of a version for one purpose. */
export interface RequirementGroup {
  /** The name in its system: `devDependencies`, `test`, `profile ci: test`, `net8.0`; `''` for every framework. */
  readonly name: string;
  readonly scope: GroupScope;
  readonly entries: readonly DeclaredRequirement[];
}

export type GroupScope = Scope | 'parent' | 'managed' | 'bundled';

/** One requirement, as declared. */
export interface DeclaredRequirement {
  /** The required package; for an alias, its target. */
  readonly key: PackageKey;
  /** As written; `''` where there is no text. */
  readonly requirement: string;
  readonly effective: EffectiveRequirement;
  /** Further remarks: `optional`. */
  readonly notes: readonly string[];
}

/** A published POM. */
export type Pom = { readonly key: VersionKey; readonly declared: Extract<Requirements, { readonly system: 'MAVEN' }> };
