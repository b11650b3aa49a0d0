import { sameUri } from '../base/uri.ts';
import { type AdvisoryFacts, type Insight, type PackageFacts, refreshOf, type VersionFacts } from './facts.ts';
import { type AdvisoryId, type PackageKey, packageId, type VersionKey } from './keys.ts';
import type { Dependency, Source } from './manifest.ts';
import type { Project } from './project.ts';
import type { Registry } from './registry.ts';
import type { Literal, Span } from './span.ts';

/** A dependency with everything that other files say about it. */
export interface LinkedDependency {
  readonly dependency: Dependency;
  /** The file it is declared in. */
  readonly uri: string;
  readonly key: PackageKey;
  readonly requirement: EffectiveRequirement;
  /** Narrows what is asked, from a constraints file. */
  readonly constraint?: { readonly text: string; readonly place?: Place };
  /** What to point at in `uri`: the requirement as it stands there, or the name where nothing is written. */
  readonly span: Span;
  /** Stands in a record of what is there, a lockfile or a bill of materials: nobody wrote it, and nobody moves it there. */
  readonly isRecorded?: true;
  /** The registries that configuration names for it; absent where it is left to the usual one. */
  readonly registries?: readonly Registry[];
}

/** A literal in a certain file: what an edit would touch. */
export interface Place {
  readonly uri: string;
  readonly at: Literal;
  /** Id of the definition it is the value of; absent where it stands in the dependency itself. */
  readonly definition?: string;
  readonly frozen?: string;
}

/** A published package whose definitions count in a file of the workspace. */
export interface Published {
  readonly key: VersionKey;
  /** The package that brings it along, by the name that a file at hand has for it: what to move to move it. */
  readonly through: string;
}

/** What a dependency asks for, once references have been followed. */
export type EffectiveRequirement =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** Absent where the text is put together from several places. */
      readonly place?: Place;
      /** The references followed, as a person would say them: `${spring.version}`. */
      readonly via: readonly string[];
      /** The published package that says it; there is no place then. */
      readonly managedBy?: Published;
    }
  | { readonly kind: 'any' }
  /** A published package that may say it is still being asked for. */
  | { readonly kind: 'pending' }
  | { readonly kind: 'source'; readonly source: Source }
  | { readonly kind: 'unresolved'; readonly reason: string };

/** What a lockfile says of one dependency. */
export interface Locked {
  /** The lockfile's name. */
  readonly lockfile: string;
  readonly version: string;
  /** The command that brings it up to date. */
  readonly update: string;
}

/** The version a dependency comes to. */
export type Resolution =
  | {
      readonly kind: 'version';
      readonly version: string;
      readonly from: 'lockfile' | 'range' | 'pin';
      /** File name of the lockfile that decided. */
      readonly lockfile?: string;
      /** A lockfile holds a version that the requirement no longer allows. */
      readonly stale?: Locked;
    }
  | { readonly kind: 'pending' }
  | { readonly kind: 'no-match'; readonly range: string }
  /** The service knows only some of the versions, and none that is sure to be the one that meets the requirement. */
  | { readonly kind: 'unlisted'; readonly range: string }
  /** The service does not know the package. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** Nothing to look up: a path, a repository, a half-typed requirement. `reason` is a clause for the hover. */
  | {
      readonly kind: 'none';
      readonly reason: string;
      /** Its name is kept from the service, because it is private as far as is known. */
      readonly withheld?: Registry;
      /** The service does not say which registries are public, so each that is named counts as private. */
      readonly isPublicHostUnknown?: true;
      /** Its name is not asked about until nobody types it any longer. */
      readonly isBeingTyped?: true;
    };

/** One flaw, however many identifiers it has. */
export interface Advisory {
  /** The identifier to show: GHSA before the others. */
  readonly id: AdvisoryId;
  /** Its other identifiers. */
  readonly aliases: readonly AdvisoryId[];
  readonly facts: Insight<AdvisoryFacts>;
}

/** A dependency with what is known of it: what rules and features look at. */
export interface EvaluatedDependency {
  readonly linked: LinkedDependency;
  readonly resolution: Resolution;
  /** Of the resolved version; absent where none is resolved. */
  readonly version?: Insight<VersionFacts>;
  /** Absent where nobody asked for it. */
  readonly package?: Insight<PackageFacts>;
  readonly advisories: readonly Advisory[];
  /** The default version, where the list of versions is known and it is not the resolved one. */
  readonly target?: { readonly version: string; readonly facts: Insight<VersionFacts> };
  /** Set where the default version is built for something else; `default` is then the newest that is not. */
  readonly otherFlavor?: OtherFlavor;
  /** The default version while it is too young to be moved to; there is no `default` then. */
  readonly heldBack?: HeldBack;
  /** The highest sound version that is old enough, offered in place of the one held back. */
  readonly matureVersion?: VersionFacts;
  /** The nearest higher version without a known advisory, neither deprecated nor a pre-release. */
  readonly nearestSafe?: VersionFacts;
  /** What of its project file is in force; absent where there is none. */
  readonly project?: Project;
}

/** A default version that is built for something else than what is written. */
export interface OtherFlavor {
  readonly version: string;
  /** Of what is written: `android`. */
  readonly flavor: string;
}

/** A version that a cooldown keeps from being offered. */
export interface HeldBack {
  readonly version: string;
  /** In ms since the epoch. */
  readonly publishedAt: number;
  /** How old it has to be. */
  readonly days: number;
}

/** The facts of the resolved version, when they are there. */
export function factsOf(evaluated: EvaluatedDependency): VersionFacts | undefined {
  return evaluated.version?.state === 'ready' ? evaluated.version.value : undefined;
}

export function isFlagged(facts: VersionFacts): boolean {
  return facts.isDeprecated || facts.advisories.length > 0;
}

/**
 * Whether something that a person would be shown is still being asked for. What is asked in the background, the default
 * version of a dependency that has nothing wrong, does not count: nobody waits for it.
 */
export function isPending(evaluated: EvaluatedDependency): boolean {
  const { resolution, version, advisories, target } = evaluated;
  const facts = factsOf(evaluated);
  return (
    resolution.kind === 'pending' ||
    version?.state === 'pending' ||
    ((facts === undefined || isFlagged(facts)) && target?.facts.state === 'pending') ||
    advisories.some((it) => it.facts.state === 'pending')
  );
}

/** Why it could not be asked about a dependency, even if something older is known of it. */
export function failureOf({ resolution, version }: EvaluatedDependency): string | undefined {
  if (resolution.kind === 'failed') return resolution.reason;
  if (version?.state === 'failed') return version.reason;
  const refresh = refreshOf(version);
  return typeof refresh === 'object' ? refresh.failed : undefined;
}

/** The package that is meant by a name that is not its own: `preact` of `"react": "npm:preact@10"`. */
export function aliasedName({ dependency, key }: LinkedDependency): string | undefined {
  return packageId({ ...key, name: dependency.name }) === packageId(key) ? undefined : key.name;
}

/**
 * A package's name as its authors spell it, else as the file does, where that is the same package: `Newtonsoft.Json`,
 * for which the service says `newtonsoft.json`.
 */
export function spelledName({ key, dependency }: LinkedDependency, facts?: VersionFacts): string {
  const spellings = [...(facts?.upstream ?? []).map((it) => it.packageName), dependency.name];
  return spellings.find((name) => packageId({ ...key, name }) === packageId(key)) ?? key.name;
}

/** The literal that an edit of a dependency would touch first. */
export function placeOf({ requirement, constraint }: LinkedDependency): Place | undefined {
  return requirement.kind === 'text' ? requirement.place : constraint?.place;
}

export function isSamePlace(a: Place | undefined, b: Place | undefined): boolean {
  return a !== undefined && b !== undefined && a.at.span.start === b.at.span.start && sameUri(a.uri) === sameUri(b.uri);
}
