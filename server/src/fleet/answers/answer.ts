import type { FleetFix } from '../results/result.ts';
import type { FindingRow, RepositoryRow, Results, Run, UseRow } from '../results/results.ts';
import type { AnswerRow } from './answer-row.ts';
import type { Grouping } from './groups.ts';
import { matchesQuery, type PackageQuery } from './package-query.ts';

/** What is asked of a run. Absent parts do not restrict. */
export interface Question {
  readonly package?: PackageQuery;
  /** An identifier or an alias. */
  readonly advisory?: string;
  /** An SPDX identifier, or a license class. */
  readonly license?: string;
  readonly repository?: string;
  readonly owner?: string;
}

/** The answer of one run. */
export interface Answer {
  readonly run: Run;
  readonly repositories: readonly RepositoryRow[];
  readonly rows: readonly AnswerRow[];
  /** Places of the package without a known version, so that it is unknown whether they match. */
  readonly withoutVersion: number;
  /** Whether it is about packages, or about findings alone. */
  readonly isAboutPackages: boolean;
}

/**
 * Findings of packages that the service does not know are counted as not checked. Rejects with errors of the database.
 * @param by findings have no license: by license, the rows are all direct dependencies, or those that have a finding of
 *   the advisory
 */
export async function answer(results: Results, run: Run, question: Question, by?: Grouping): Promise<Answer> {
  const { advisory, repository } = question;
  const { system, name } = question.package ?? {};
  const filter = {
    ...(system !== undefined && { system }),
    ...(name !== undefined && { name }),
    ...(advisory !== undefined && { advisory }),
    ...(repository !== undefined && { repository }),
  };
  // Every place of a package or license counts, also without a finding.
  const isAboutPackages = (question.package !== undefined || question.license !== undefined) && advisory === undefined;
  const findings = (await results.findings(run.id, filter)).filter((it) => it.code !== 'not-found' || it.counts);
  const areUses = isAboutPackages || by === 'license';
  const all = areUses ? joined(await results.uses(run.id, filter), findings) : findings.map(rowOfFinding);
  const isWanted = (it: AnswerRow): boolean =>
    by !== 'license' || (it.relation === 'direct' && (advisory === undefined || it.code !== undefined));
  const matching = all.filter((it) => isWanted(it) && matchesRest(it, question));
  const isUnversioned = (it: AnswerRow): boolean =>
    it.version === undefined && (question.package?.conditions.length ?? 0) > 0;
  return {
    run,
    repositories: (await results.repositories(run.id)).filter(
      (it) => repository === undefined || it.name === repository,
    ),
    rows: matching.filter((it) => !isUnversioned(it)),
    withoutVersion: matching.filter(isUnversioned).length,
    isAboutPackages,
  };
}

function matchesRest({ version, licenses = [], licenseClass, owners }: AnswerRow, question: Question): boolean {
  const { package: query, license, owner } = question;
  if (query && version !== undefined && !matchesQuery(query, version)) return false;
  if (owner !== undefined && !owners.some((it) => it.toLowerCase() === owner.toLowerCase())) return false;
  return license === undefined || licenseClass === license || licenses.some((it) => hasLicense(it, license));
}

/** Whether an SPDX expression names a license. */
function hasLicense(expression: string, license: string): boolean {
  if (expression.toLowerCase() === license.toLowerCase()) return true;
  return expression.split(/[\s()]+/).some((it) => it.toLowerCase() === license.toLowerCase());
}

/** Joins each place of a package with its worst finding there. */
function joined(uses: readonly UseRow[], findings: readonly FindingRow[]): AnswerRow[] {
  const byPlace = new Map<string, FindingRow>();
  for (const it of findings) {
    // What a dependency brings is located in the lockfile, its finding in the manifest.
    const key = it.via === undefined ? placeOf(it) : broughtOf(it);
    const before = byPlace.get(key);
    if (before === undefined || rank(it) > rank(before)) byPlace.set(key, it);
  }
  return uses.map((use) => {
    const found = byPlace.get(use.relation === 'direct' ? placeOf(use) : broughtOf(use));
    const { gap: _, ...place } = use;
    const identity = JSON.stringify([use.path, use.system, use.name, use.version, use.relation]);
    const subject = JSON.stringify([use.system, use.name, use.version, use.relation, use.via]);
    // Whether a newer version is known depends on what other repositories have asked for.
    const fix: FleetFix = use.relation === 'direct' ? { by: 'line' } : { by: 'dependency-unsearched' };
    return {
      ...place,
      fix,
      advisories: [],
      counts: false,
      ...(found && { ...partOf(found), owners: found.owners.length > 0 ? found.owners : use.owners }),
      ...(found && use.relation === 'below' && { fixAt: { path: found.path, line: found.line } }),
      identity,
      subject,
    };
  });
}

function placeOf({ repository, path, line, system, name }: UseRow | FindingRow): string {
  return JSON.stringify([repository, path, line, system, name]);
}

function broughtOf({ repository, system, name, version }: UseRow | FindingRow): string {
  return JSON.stringify([repository, system, name, version, 'below']);
}

function rank({ code, advisories, score = 0, counts }: FindingRow): number {
  return (code === 'malicious' ? 10_000 : 0) + (counts ? 1000 : 0) + (advisories.length > 0 ? 100 : 0) + score;
}

function partOf(it: FindingRow): Pick<AnswerRow, 'code' | 'severity' | 'advisories' | 'message' | 'fix' | 'counts'> {
  const { code, severity, advisories, message, fix, counts, score, via } = it;
  const ids = advisories.map(([id = '']) => id);
  const more = { ...(score !== undefined && { score }), ...(via !== undefined && { via }) };
  return { code, severity, advisories: ids, message, fix, counts, ...more };
}

function rowOfFinding(it: FindingRow): AnswerRow {
  const { repository, path, line, system, name, version, owners, fingerprint, subject } = it;
  return {
    repository,
    path,
    line,
    system,
    name,
    ...(version !== undefined && { version }),
    relation: it.via === undefined ? 'direct' : 'below',
    owners,
    ...partOf(it),
    identity: fingerprint,
    subject,
  };
}
