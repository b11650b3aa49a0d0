import type { System } from '../system.ts';
import type { Step } from '../versioning.ts';

/** How young a version may be; in ms, `before` since the epoch. */
export type CooldownLimit =
  | { readonly kind: 'age'; readonly age: number }
  | { readonly kind: 'date'; readonly before: number }
  /** The service keeps this version back. */
  | { readonly kind: 'until'; readonly end: number }
  /** It cannot be read: every version may be too young. */
  | { readonly kind: 'unclear'; readonly text: string };

/** Names of packages, some of them in some versions only. */
export interface CooldownPattern {
  readonly name: string;
  /** What `*` in the name stands for: any characters, or any but a slash. Absent where it has no meaning. */
  readonly wildcard?: 'any' | 'part';
  /** A range, in the syntax of the system. Absent for all versions. */
  readonly range?: string;
}

/** A setting that keeps young versions back. Only data: equal ones have the same JSON. */
export interface CooldownRule {
  /** Whose setting it is: `min-release-age`. */
  readonly key: string;
  /** The file or variable that contains it. Absent for settings of a person. */
  readonly from?: string;
  /** Absent for all systems. */
  readonly system?: System;
  readonly limit: CooldownLimit;
  /** Other limits for some steps. */
  readonly steps?: Readonly<Partial<Record<Step, CooldownLimit>>>;
  /** Absent for all packages. */
  readonly only?: readonly CooldownPattern[];
  readonly except?: readonly CooldownPattern[];
  /** A package manager installs nothing younger: no fix either. Other rules let fixes pass. */
  readonly refuses?: true;
  /** A change that is checked removes it, or makes it shorter. */
  readonly isLoosened?: true;
  /** Nobody wrote it. With `refuses`, it holds whatever else is written. */
  readonly isDefault?: true;
}

/** The cooldown of a document. */
export interface Cooldown {
  /** In ms since the epoch, at a full hour, so that evaluations stay valid for a while. */
  readonly now: number;
  readonly rules: readonly CooldownRule[];
  /** For versions that repair something: only package managers keep them back. */
  readonly isForFixes?: true;
}

/** A version that a rule keeps back. */
export interface HeldBack {
  readonly version: string;
  /** In ms since the epoch. */
  readonly publishedAt: number;
  /** The one that keeps it back for the longest time. */
  readonly rule: CooldownRule;
  /** What applies of the rule. */
  readonly limit: CooldownLimit;
}

/** A text with settings of a tool. */
export interface CooldownSource {
  readonly name: string;
  readonly text: string;
  /** The directory of the manifest, relative to that of the file: `packages/a`; empty for the same. */
  readonly directory?: string;
}

/** Reads the cooldown from the settings of one tool. A row of the table in `ecosystems/cooldowns.ts`. */
export interface CooldownReader {
  readonly systems: readonly System[] | 'all';
  /** The names of its files and variables. Files among them that registry readers do not read are looked for as well. */
  readonly names: readonly string[];
  /** Never throws. */
  readonly read: (source: CooldownSource, system: System) => readonly WrittenCooldown[];
  /** The exceptions of a source, where these replace those of its other sources; undefined where it says none. */
  readonly exceptions?: (source: CooldownSource) => readonly CooldownPattern[] | undefined;
}

/** What a package manager refuses without any configuration. */
export interface BuiltInCooldown {
  /** The file that shows that the manager is in use. */
  readonly lockfile: string;
  readonly isFor: (lockfile: string) => boolean;
  /** The keys of the settings that replace it. */
  readonly keys: readonly string[];
  readonly rule: CooldownRule;
}

/** A rule without what its source says. */
export type WrittenCooldown = Omit<CooldownRule, 'from' | 'system' | 'isDefault'>;
