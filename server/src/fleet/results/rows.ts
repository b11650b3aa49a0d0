import { createHash } from 'node:crypto';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { positionsIn } from '../../engine/formats/text/positions.ts';
import { canonicalName } from '../../engine/model/keys.ts';
import { relativePath } from '../../engine/report/build/paths.ts';
import {
  bestFix,
  type Failure,
  type Report,
  type ReportedAdvisory,
  type ReportedBelow,
  type ReportedFinding,
} from '../../engine/report/report.ts';
import type { OwnersOf } from '../owners.ts';
import type { FleetFinding, FleetFix, Use } from './result.ts';

/** Versions of lockfiles that are listed for one repository. Chosen: ten times the largest public monorepos. */
const MAX_LOCKED = 200_000;

/** A version in a lockfile. */
type Locked = Pick<Use, 'system' | 'name' | 'path' | 'line'> & { readonly version: string };

/** What lockfiles have: each version once a lockfile. `left`: what is beyond the limit. */
export function lockedIn(
  snapshots: readonly Snapshot[],
  directory: string,
): { readonly all: readonly Locked[]; readonly left: readonly Failure[] } {
  const found = new Map<string, Locked>();
  let beyond = 0;
  for (const { format, directory: place, lockfile, text } of new Set(snapshots.flatMap((it) => it.lockfiles))) {
    const { system } = format.opened;
    if (system === 'any') continue;
    const path = relativePath(place + format.id, directory);
    const positions = positionsIn(text);
    for (const it of lockfile.packages) {
      if (it.source) continue;
      const name = canonicalName(system, it.packageName ?? it.name);
      const version = it.version.text;
      const id = idOf(path, system, name, version);
      if (found.has(id)) continue;
      if (found.size === MAX_LOCKED) beyond++;
      else found.set(id, { system, name, version, path, line: positions.at(it.version.span.start).line + 1 });
    }
  }
  const left = [{ reason: `versions beyond the ${MAX_LOCKED} of lockfiles that are listed`, count: beyond }];
  return { all: [...found.values()], left: beyond > 0 ? left : [] };
}

function idOf(path: string, system: string, name: string, version: string | undefined): string {
  return JSON.stringify([path, system, name, version]);
}

/** The package versions that a repository has: those of its manifests, and what lockfiles have beside them. */
export function usesIn(report: Report, locked: readonly Locked[], ownersOf: OwnersOf): readonly Use[] {
  const packages = new Map(report.packages.map((it) => [it.purl, it]));
  const direct = report.projects.flatMap(({ path, dependencies }) =>
    dependencies.map((it): Use => {
      const known = it.purl === undefined ? undefined : packages.get(it.purl);
      return {
        system: it.system,
        name: canonicalName(it.system, it.name),
        ...(it.version !== undefined && { version: it.version }),
        path,
        line: it.region.startLine,
        relation: 'direct',
        ...(known && { licenses: known.licenses, licenseClass: known.licenseClass }),
        ...(it.gapKind !== undefined && { gap: it.gapKind }),
        owners: ownersOf(path),
      };
    }),
  );
  const resolved = new Set(direct.map((it) => idOf('', it.system, it.name, it.version)));
  const brought = new Map<string, string>();
  for (const { name, system, below = [] } of report.findings)
    for (const it of below) brought.set(idOf(it.lockfile, system, canonicalName(system, it.name), it.version), name);
  const below = locked
    .filter((it) => !resolved.has(idOf('', it.system, it.name, it.version)))
    .map((it): Use => {
      const via = brought.get(idOf(it.path, it.system, it.name, it.version));
      return { ...it, relation: 'below', ...(via !== undefined && { via }), owners: ownersOf(it.path) };
    });
  return [...direct, ...below];
}

/** The findings that neither a project file nor a baseline accepts. An affected package below a dependency is one of its own. */
export function findingsIn(report: Report, ownersOf: OwnersOf): readonly FleetFinding[] {
  return report.findings.flatMap((it): FleetFinding[] => {
    const common = {
      code: it.code,
      severity: it.severity,
      system: it.system,
      path: it.path,
      line: it.region.startLine,
      message: it.message,
      owners: ownersOf(it.path),
      counts: it.counts,
    };
    if (it.below) return it.below.map((below) => ({ ...common, ...belowFinding(it, below) }));
    const name = canonicalName(it.system, it.name);
    return [
      {
        ...common,
        fingerprint: it.fingerprint,
        subject: subjectOf([it.code, it.system, name, it.version, idsOf(it.advisories)]),
        name,
        ...(it.version !== undefined && { version: it.version }),
        advisories: it.advisories.map(({ id, aliases }) => [id, ...aliases]),
        ...(it.score !== undefined && { score: it.score }),
        fix: fixOf(it),
      },
    ];
  });
}

function belowFinding(
  { code, system, name: via, fingerprint }: ReportedFinding,
  below: ReportedBelow,
): Pick<FleetFinding, 'fingerprint' | 'subject' | 'name' | 'version' | 'via' | 'advisories' | 'score' | 'fix'> {
  const { version, advisories } = below;
  const name = canonicalName(system, below.name);
  const about = [code, system, name, version, idsOf(advisories), via];
  const score = advisories[0]?.score;
  return {
    fingerprint: subjectOf([fingerprint, ...about]),
    subject: subjectOf(about),
    name,
    version,
    via,
    advisories: advisories.map(({ id, aliases }) => [id, ...aliases]),
    ...(score !== undefined && { score }),
    fix: wayOf(below),
  };
}

function fixOf(finding: ReportedFinding): FleetFix {
  const fix = bestFix(finding);
  if (fix === undefined) return { by: 'none' };
  return { by: 'line', version: fix.version, ...(fix.refused !== undefined && { refused: fix.refused }) };
}

function wayOf({ ways, withoutWay }: ReportedBelow): FleetFix {
  if (ways === undefined && withoutWay === undefined) return { by: 'dependency-unsearched' };
  const way = ways?.find((it) => it.kind === 'direct') ?? ways?.[0];
  if (way === undefined) return { by: 'none' };
  return { by: way.kind === 'direct' ? 'dependency' : way.kind, version: way.version };
}

function idsOf(advisories: readonly ReportedAdvisory[]): readonly string[] {
  return advisories.map((it) => it.id).sort();
}

function subjectOf(about: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(about)).digest('hex').slice(0, 32);
}
