import { type FindingCode, type Severity, severities } from '../model/finding.ts';
import { type LicensePolicy, licenseVerdicts } from '../model/license-policy.ts';
import type { Ignore, Project } from '../model/project.ts';
import { defaultUnrated, type Level, levels } from '../model/severity-rating.ts';

/** The members of a project file that can hide a finding or let a name leave. */
export type LooseMember =
  | 'ignores'
  | 'private'
  | 'licenses'
  | 'severity'
  | 'cooldownDays'
  | 'allowPrivate'
  | 'exclude'
  | 'failOn'
  | 'unratedCountsAs';

/** A project file that may not loosen another one, and the members in which it tries to. */
export interface StrictProject {
  readonly project: Project;
  readonly loosened: readonly LooseMember[];
}

/** What applies without a project file. */
export const noProject: Omit<Project, 'uri'> = {
  ignores: [],
  severity: {},
  allowPrivate: false,
  failOn: [],
  exclude: [],
  privatePackages: [],
};

/** The stricter of two project files in each member: what the change tightens applies, what it loosens does not. */
export function strictest(base: Omit<Project, 'uri'>, change: Project): StrictProject {
  const ignores = inBoth(base.ignores, change.ignores, covers);
  const exclude = change.exclude.filter((it) => base.exclude.includes(it));
  const removedPrivate = base.privatePackages.filter(
    ({ pattern }) => !change.privatePackages.some((it) => it.pattern === pattern),
  );
  const severity = strictestSeverities(base.severity, change.severity);
  const licenses = base.licenses ? strictestLicenses(base.licenses, change.licenses) : change.licenses;
  const cooldownDays = [base.cooldownDays ?? [], change.cooldownDays ?? []].flat();
  const isLoose: Readonly<Record<LooseMember, boolean>> = {
    ignores: change.ignores.some((it) => !base.ignores.some((other) => covers(other, it))),
    private: removedPrivate.length > 0,
    licenses: base.licenses !== undefined && isLooserPolicy(base.licenses, change.licenses),
    severity: Object.entries(severity).some(([code, it]) => isLower(change.severity[code as FindingCode], it)),
    cooldownDays: base.cooldownDays !== undefined && (change.cooldownDays ?? 0) < base.cooldownDays,
    allowPrivate: change.allowPrivate && !base.allowPrivate,
    exclude: exclude.length < change.exclude.length,
    unratedCountsAs: levels.indexOf(unratedIn(change)) > levels.indexOf(unratedIn(base)),
    failOn: base.failOn.some((it) => !change.failOn.includes(it)),
  };
  const { unratedCountsAs: unrated } = isLoose.unratedCountsAs ? base : change;
  return {
    project: {
      uri: change.uri,
      ignores,
      ...(licenses && { licenses }),
      severity,
      ...(cooldownDays.length > 0 && { cooldownDays: Math.max(...cooldownDays) }),
      allowPrivate: base.allowPrivate && change.allowPrivate,
      failOn: union(base.failOn, change.failOn),
      ...(unrated && { unratedCountsAs: unrated }),
      exclude,
      privatePackages: [...change.privatePackages, ...removedPrivate],
    },
    loosened: (Object.keys(isLoose) as LooseMember[]).filter((it) => isLoose[it]),
  };
}

function unratedIn({ unratedCountsAs = defaultUnrated }: Pick<Project, 'unratedCountsAs'>): Level {
  return unratedCountsAs;
}

/** Whether an ignore accepts all that another one does. */
function covers(wide: Ignore, narrow: Ignore): boolean {
  if (wide.id !== narrow.id || (wide.package !== undefined && wide.package !== narrow.package)) return false;
  return wide.until === undefined || (narrow.until !== undefined && narrow.until <= wide.until);
}

type Severities = Project['severity'];

function strictestSeverities(base: Severities, change: Severities): Severities {
  const merged: Partial<Record<FindingCode, Severity>> = { ...change };
  for (const [code, least] of Object.entries(base) as [FindingCode, Severity][])
    if (isLower(merged[code], least)) merged[code] = least;
  return merged;
}

/** Severities begin with the gravest. */
function isLower(severity: Severity | undefined, least: Severity): boolean {
  return severity === undefined || severities.indexOf(severity) > severities.indexOf(least);
}

/** @param change absent where the change removes the policy */
function strictestLicenses(base: LicensePolicy, change: LicensePolicy | undefined): LicensePolicy {
  if (change === undefined) return base;
  const allowed = change.allow.filter((it) => base.allow.includes(it));
  // An empty list allows every license.
  const allow = base.allow.length === 0 ? change.allow : allowed.length === 0 ? base.allow : allowed;
  const [review, deny] = [union(base.review, change.review), union(base.deny, change.deny)];
  return {
    allow,
    deny,
    review,
    unknown:
      licenseVerdicts.indexOf(change.unknown) < licenseVerdicts.indexOf(base.unknown) ? base.unknown : change.unknown,
    exceptions: inBoth(base.exceptions, change.exceptions, exempts),
    runtimeOnly: base.runtimeOnly && change.runtimeOnly,
  };
}

function isLooserPolicy(base: LicensePolicy, change: LicensePolicy | undefined): boolean {
  if (change === undefined) return true;
  const missing = (from: readonly string[], ...lists: readonly (readonly string[])[]): boolean =>
    from.some((it) => !lists.some((list) => list.includes(it)));
  return (
    (base.allow.length > 0 && (change.allow.length === 0 || missing(change.allow, base.allow))) ||
    missing(base.deny, change.deny) ||
    missing(base.review, change.review, change.deny) ||
    licenseVerdicts.indexOf(change.unknown) < licenseVerdicts.indexOf(base.unknown) ||
    change.exceptions.some((it) => !base.exceptions.some((other) => exempts(other, it))) ||
    (change.runtimeOnly && !base.runtimeOnly)
  );
}

type Exception = LicensePolicy['exceptions'][number];

/** Whether an exception allows all that another one does. */
function exempts(wide: Exception, narrow: Exception): boolean {
  if (wide.package !== narrow.package) return false;
  return wide.licenses === undefined || narrow.licenses?.every((it) => wide.licenses?.includes(it)) === true;
}

/** What both lists accept: of two entries, one of which covers the other, the narrower. */
function inBoth<T>(base: readonly T[], change: readonly T[], covers: (wide: T, narrow: T) => boolean): readonly T[] {
  const narrowed = change.filter((it) => base.some((other) => covers(other, it)));
  const widened = base.filter((it) => change.some((other) => covers(other, it) && !covers(it, other)));
  return [...narrowed, ...widened];
}

function union(base: readonly string[], change: readonly string[]): readonly string[] {
  return [...new Set([...base, ...change])];
}
