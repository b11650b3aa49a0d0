import { sameUri } from '../base/uri.ts';
import { type Insight, type PackageFacts, refreshOf, type VersionFacts } from './facts.ts';
import type { Below } from './graph/below.ts';
import type { InstallScripts } from './graph/install-scripts.ts';
import { type PackageKey, packageId, type VersionKey } from './keys.ts';
import type { Dependency, Source } from './manifest.ts';
import type { Project } from './project.ts';
import type { Access } from './registries/access.ts';
import type { Cooldown, HeldBack } from './registries/cooldown.ts';
import type { Registry } from './registry.ts';
import type { Advisory } from './signals/advisory.ts';
import type { SourceProject } from './signals/project.ts';
import type { NamedRepository, RepositoryFacts } from './signals/repository.ts';
import type { SimilarFacts, SimilarName } from './signals/similar.ts';
import type { Literal, Span } from './span.ts';
import type { BoundedRanges } from './versioning.ts';

/** A dependency with what other files define for it. */
export interface LinkedDependency {
  readonly dependency: Dependency;
  /** The file that declares it. */
  readonly uri: string;
  readonly key: PackageKey;
  readonly requirement: EffectiveRequirement;
  /** Narrows the requirement, from a constraints file. */
  readonly constraint?: { readonly text: string; readonly place?: Place };
  /** Of a peer: the range in another group of the same file, which decides what is installed. */
  readonly installedBy?: string;
  /** What its project is for, as far as its files say: versions of Python, target frameworks of .NET. */
  readonly builtFor?: readonly string[];
  /** The ranges of the same package in other lines, which narrow it without a lockfile. */
  readonly joined?: string;
  /** What other lines of the same package require where both apply: a move has to suit them, too. */
  readonly beside?: readonly { readonly text: string; readonly place?: Place }[];
  /** Set if the lockfile has something else in its place than a version of a registry, which the requirement asks for. */
  readonly exchanged?: Exchanged;
  /** The requirement as written in `uri`, or the name if there is none. */
  readonly span: Span;
  /** Its role, where that follows from the scripts of its build: the build does not use a library of its catalog for itself. */
  readonly roleInBuild?: 'library';
  /** Of a member of the workspace: why its client may take it from a registry all the same; a clause. */
  readonly contested?: string;
  /** Set if it has several versions under different conditions, of which this is one: what all of them are declared as. */
  readonly of?: Dependency;
  /** The version of something else in its build that its own begins with, and keeps: `1.9.22` of `1.9.22-1.0.16`. */
  readonly leading?: string;
  /** Declared in a lockfile or an SBOM, which a tool writes: it is never edited. */
  readonly isRecorded?: true;
  /** The registries that configuration names for it; absent if it uses the default one. */
  readonly registries?: readonly Registry[];
  /** How its private registries are asked; absent unless the settings permit it. */
  readonly access?: Access;
}

/** A literal in a file, which an edit can change. */
export interface Place {
  readonly uri: string;
  readonly at: Literal;
  /** Id of the definition whose value it is; absent if it is part of the dependency itself. */
  readonly definition?: string;
  readonly frozen?: string;
}

/** A published package whose definitions count in a file of the workspace. */
export interface Published {
  readonly key: VersionKey;
  /** The dependency that includes it, by its name in the workspace: an update of that one changes it. */
  readonly through: string;
  /** The dependency on it, in the workspace or in `includedBy`; absent if it is looked up alone. */
  readonly named?: LinkedDependency;
  /** The published package that includes it; absent if a file of the workspace does. */
  readonly includedBy?: Published;
}

/** The requirement of a dependency after references were followed. */
export type EffectiveRequirement =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Absent if the text is composed of several places. */
      readonly place?: Place;
      /** The labels of the references that were followed: `${spring.version}`. */
      readonly via: readonly string[];
      /** The published package that defines it; `place` is absent then. */
      readonly managedBy?: Published;
    }
  | { readonly kind: 'any' }
  /** A published package that may define it is still requested. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'unresolved'; readonly reason: string };

/** The entry of a lockfile for a dependency. */
export interface Locked {
  /** The lockfile's name. */
  readonly lockfile: string;
  readonly version: string;
  /** The command that updates the lockfile. */
  readonly update: string;
}

/** What a lockfile has in the place of the version of a registry. */
export interface Exchanged {
  /** The lockfile's name. */
  readonly lockfile: string;
  /** `evil 1.0.0`, `git+ssh://git@host.example/x.git#00` */
  readonly text: string;
}

/** The version that a dependency resolves to. */
export type Resolution =
  | {
      readonly kind: 'version';
      readonly version: string;
      readonly from: 'lockfile' | 'range' | 'pin';
      /** File name of the lockfile that decided. */
      readonly lockfile?: string;
      /** Set if a lockfile holds a version that the requirement excludes. */
      readonly stale?: Locked;
    }
  | { readonly kind: 'pending' }
  | { readonly kind: 'no-match'; readonly range: string }
  /** The service knows only some versions, which are not enough to choose the one for the requirement. */
  | { readonly kind: 'unlisted'; readonly range: string }
  /** The service does not know the package. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Not looked up: a path, a repository, an incomplete requirement. `reason` is a clause for the hover. */
  | {
      readonly kind: 'none';
      readonly reason: string;
      /** The registry because of which the name is private. */
      readonly withheld?: Registry;
      /** The service does not report which registries are public, so each named registry counts as private. */
      readonly isPublicHostUnknown?: true;
      /** The name may be incomplete: it is looked up after a pause in typing. */
      readonly isBeingTyped?: true;
      /** The requirement, where its client refuses it. */
      readonly refused?: string;
    };

/** The repository that a version names, at the connected code host. */
export interface SourceRepository extends NamedRepository {
  /** `github.com` */
  readonly host: string;
  /** Pending without a request where there is no credential, until a person looks at it. */
  readonly facts: Insight<RepositoryFacts>;
}

/** A dependency with its facts: the input of rules and features. */
export interface EvaluatedDependency {
  readonly linked: LinkedDependency;
  readonly resolution: Resolution;
  /** The facts of the resolved version; absent if there is none. */
  readonly version?: Insight<VersionFacts>;
  /** Absent if it was not requested. */
  readonly package?: Insight<PackageFacts>;
  readonly advisories: readonly Advisory[];
  /**
   * What it brings along by its lockfile. Absent while that is not read, where no lockfile records it, and if such lookups
   * are switched off. Includes what the project file ignores: `activeBelow` in policy/ignores.ts leaves it out.
   */
  readonly below?: Below;
  /** The source repository of the resolved version; absent unless the connected code host has it. */
  readonly repository?: SourceRepository;
  /**
   * The versions it can move to, in the order of `targetKinds`, each once. Empty while its list of versions is not known.
   */
  readonly targets: readonly Target[];
  /** Versions that are malware, or may be, and that a range could take that is moved to a target. */
  readonly malicious?: readonly string[];
  /** Set while facts are missing to find the safe target. */
  readonly isSearchingSafe?: true;
  /** Set if each higher version of the list is known to have advisories or to be deprecated. */
  readonly isWithoutSafe?: true;
  /** Set with `isWithoutSafe` if a version that is not suggested has no known advisory. */
  readonly unusualFix?: UnusualFix;
  /** Set if the default version has another flavor: the newest version of the same flavor is the target in its place. */
  readonly otherFlavor?: OtherFlavor;
  /**
   * The default version while a cooldown applies to it: the highest version without problems that is outside the
   * cooldown is the target in its place.
   */
  readonly heldBack?: HeldBack;
  /** The nearest fix, where the package manager refuses it as too young. */
  readonly heldFix?: HeldBack;
  /** Present only while projects are looked up. */
  readonly sourceProject?: SourceProject;
  /** Present only while similar names are looked up. */
  readonly similar?: Insight<SimilarFacts>;
  /** A name that it may be mistaken for. */
  readonly similarName?: SimilarName;
  /**
   * Set for a name without a known owner: the service does not know it, anybody could publish it, nothing says that
   * such names are private here, and the last commit does not have it in this file.
   */
  readonly isNewName?: true;
  /** Present only while the finding about them is on. */
  readonly installScripts?: InstallScripts;
  /** Set if the resolved version is younger than a configured cooldown. */
  readonly young?: HeldBack;
  /** Absent for dependencies without a document. */
  readonly cooldown?: Cooldown;
  /** The effective part of its project file; absent if there is none. */
  readonly project?: Project;
  /** What a fix does to a range that ends below its version; absent for the default. */
  readonly boundedRanges?: BoundedRanges;
  /** Set if it represents the dependencies that share a version, at the definition of that version. */
  readonly shared?: SharedVersion;
  /** Set if other packages share its version: what suits all of them is recommended in place of its own choice. */
  readonly sharing?: Sharing;
}

/** A fixed version that is a pre-release, deprecated, or for other interpreters or frameworks than the project. */
export interface UnusualFix {
  readonly version: string;
  readonly kind: 'pre-release' | 'deprecated' | 'unsupported';
  /** With `unsupported`, what it is for: `Python >=3.10`. */
  readonly requires?: string;
}

/** The version for all packages that share one. */
export interface Sharing {
  /** One of the targets; absent while it is open, and if no version suits all. */
  readonly version?: string;
  readonly conflict?: SharedConflict;
}

/** The dependencies that share a version. Their problems and one target for all of them are joined. */
export interface SharedVersion {
  /** Each package once, those with problems first. Some may not be looked up. */
  readonly users: readonly EvaluatedDependency[];
  /** How many dependencies of this and other files it moves. */
  readonly count: number;
  /** The names of the packages of which nothing is known in the target version. */
  readonly unchecked: readonly string[];
  /** Set if it is known that no version suits all. */
  readonly conflict?: SharedConflict;
}

/** Why packages that share a version stay. */
export interface SharedConflict {
  /** The version that they would move to: the lowest that those with problems need, or the newest. */
  readonly version: string;
  /** Clauses: `org.lib:second has no 1.1; newest of both: 1.0.5` */
  readonly reason: string;
}

/**
 * The reasons to move to a version:
 * `safe` the nearest higher one that is not deprecated and has no known advisory; only for a version with a problem, or
 *   if packages that share the version have one.
 * `in-range` the newest one that the requirement allows already.
 * `in-major` the newest one that is no major step away.
 * `stable` the newest one that is no pre-release; only if the default version is one and the version in use is none.
 * `default` the version that is installed without a requirement, or what replaces it (`otherFlavor`, `heldBack`).
 */
export const targetKinds = ['safe', 'in-range', 'in-major', 'stable', 'default'] as const;
export type TargetKind = (typeof targetKinds)[number];

/** A version that a dependency can move to. */
export interface Target {
  readonly version: string;
  /** Not empty, in the order of `targetKinds`. */
  readonly kinds: readonly TargetKind[];
  /** Pending without a request for a dependency without problems: nothing shown needs more than the version. */
  readonly facts: Insight<VersionFacts>;
  /** Milliseconds since the epoch; absent if the list of versions has no date. */
  readonly publishedAt?: number;
}

/** A default version with another flavor than the written version. */
export interface OtherFlavor {
  readonly version: string;
  /** The flavor of the written version: `android`. */
  readonly flavor: string;
}

export function factsOf(evaluated: EvaluatedDependency): VersionFacts | undefined {
  return evaluated.version?.state === 'ready' ? evaluated.version.value : undefined;
}

/** Why no version suits all packages that share the version of a dependency or definition. */
export function conflictOf({ shared, sharing }: EvaluatedDependency): SharedConflict | undefined {
  return (shared ?? sharing)?.conflict;
}

export function isFlagged(facts: VersionFacts): boolean {
  return facts.isDeprecated || facts.advisories.length > 0;
}

/**
 * Whether a visible fact is still requested. The facts of the background, such as the default version of a dependency
 * without problems, do not count.
 */
export function isPending(evaluated: EvaluatedDependency): boolean {
  const { resolution, version, advisories, targets, isSearchingSafe } = evaluated;
  const facts = factsOf(evaluated);
  return (
    resolution.kind === 'pending' ||
    version?.state === 'pending' ||
    isSearchingSafe === true ||
    ((facts === undefined || isFlagged(facts)) && targets.some((it) => it.facts.state === 'pending')) ||
    advisories.some((it) => it.facts.state === 'pending')
  );
}

/** The target of a kind, if there is one. */
export function targetFor({ targets }: Pick<EvaluatedDependency, 'targets'>, kind: TargetKind): Target | undefined {
  return targets.find((it) => it.kinds.includes(kind));
}

/** Why the lookup of a dependency failed, even if older facts are known. */
export function failureOf({ resolution, version }: EvaluatedDependency): string | undefined {
  if (resolution.kind === 'failed') return resolution.reason;
  if (version?.state === 'failed') return version.reason;
  const refresh = refreshOf(version);
  return typeof refresh === 'object' ? refresh.failed : undefined;
}

/** The published package behind an alias: `preact` for `"react": "npm:preact@10"`; undefined without an alias. */
export function aliasedName({ dependency, key }: LinkedDependency): string | undefined {
  return packageId({ ...key, name: dependency.name }) === packageId(key) ? undefined : key.name;
}

/**
 * The name as its authors spell it, or as the file does if both name the same package: `Newtonsoft.Json`, which the
 * service reports as `newtonsoft.json`.
 */
export function spelledName({ key, dependency }: LinkedDependency, facts?: VersionFacts): string {
  const spellings = [...(facts?.upstream ?? []).map((it) => it.packageName), dependency.name];
  return spellings.find((name) => packageId({ ...key, name }) === packageId(key)) ?? key.name;
}

/** The literal that an edit of a dependency changes first. */
export function placeOf({ requirement, constraint }: LinkedDependency): Place | undefined {
  return requirement.kind === 'text' ? requirement.place : constraint?.place;
}

/** Whether it only may take part, as the code of the build decides. */
export function isAssumed({ named, includedBy }: Published): boolean {
  return named?.dependency.inherits?.isPossible === true || (includedBy !== undefined && isAssumed(includedBy));
}

/** The published package that manages the version; undefined if the workspace states it. */
export function managedBy({ requirement }: LinkedDependency): Published | undefined {
  return requirement.kind === 'text' ? requirement.managedBy : undefined;
}

/** The parent or BOM whose version, in the workspace, decides about a managed version. */
export function decidingDependency({ named, includedBy }: Published): LinkedDependency | undefined {
  const isWritten = named !== undefined && placeOf(named) !== undefined;
  return isWritten || includedBy === undefined ? named : decidingDependency(includedBy);
}

/** The literal of that version, which an update changes. */
export function placeThatManages(linked: LinkedDependency): Place | undefined {
  const manager = managedBy(linked);
  const deciding = manager && decidingDependency(manager);
  return deciding && placeOf(deciding);
}

export function isSamePlace(a: Place | undefined, b: Place | undefined): boolean {
  return a !== undefined && b !== undefined && a.at.span.start === b.at.span.start && sameUri(a.uri) === sameUri(b.uri);
}
