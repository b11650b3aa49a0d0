import * as l10n from '@vscode/l10n';
import { defaultVersion, pinnedVersion } from '../../analysis/evaluate/resolve.ts';
import { fixesFor } from '../../analysis/fixes.ts';
import { repositoryLine } from '../../analysis/repository-text.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { verdictOf } from '../../analysis/verdict.ts';
import { targetNotes } from '../../analysis/verdict-text.ts';
import { byText } from '../../base/text.ts';
import {
  type EvaluatedDependency,
  factsOf,
  type LinkedDependency,
  spelledName,
  targetFor,
} from '../../model/evaluated-dependency.ts';
import { deprecationOf } from '../../model/facts.ts';
import { licensesOf } from '../../model/license-policy.ts';
import { addressLabeled } from '../../model/links.ts';
import { formatPurl } from '../../model/purl.ts';
import { advisoriesUnknownReason } from '../../model/severity-rating.ts';
import { classOfLicenses } from '../../policy/license-classes.ts';
import type { ReportedDependency, ReportedPackage, ReportedProject, ReportedUpdate } from '../report.ts';
import { reportAdvisories } from './advisories.ts';
import { isUndecided, lookupOutcome } from './coverage.ts';
import { type Locations, locationsIn } from './paths.ts';

/** The dependencies of some manifests, and their packages. */
export interface Inventory {
  readonly projects: readonly ReportedProject[];
  readonly packages: readonly ReportedPackage[];
}

/**
 * Lists projects by path, and each version that one of their dependencies comes to. A file that several manifests
 * include is one project.
 * @param directory the paths are relative to it
 * @param now in ms since the epoch
 */
export function inventoryOf(snapshots: readonly Snapshot[], directory: string, now: number): Inventory {
  const projects = new Map<string, ReportedProject>();
  const packages = new Map<string, ReportedPackage>();
  for (const snapshot of snapshots) {
    const locations = locationsIn(snapshot, directory);
    for (const { uri, dependencies: evaluated } of [snapshot, ...snapshot.included]) {
      const path = locations.path(uri);
      if (projects.has(path)) continue;
      const dependencies = evaluated.map((it) => {
        const found = reportPackage(it, now);
        if (found && !packages.has(found.purl)) packages.set(found.purl, found);
        return reportDependency(it, found?.purl, locations);
      });
      projects.set(path, { path, format: snapshot.format.id, dependencies });
    }
  }
  return {
    projects: [...projects.values()].sort((a, b) => byText(a.path, b.path)),
    packages: [...packages.values()].sort(
      (a, b) =>
        byText(a.system, b.system) ||
        byText(a.name.toLowerCase(), b.name.toLowerCase()) ||
        byText(a.name, b.name) ||
        byText(a.version, b.version),
    ),
  };
}

function reportDependency(
  evaluated: EvaluatedDependency,
  purl: string | undefined,
  locations: Locations,
): ReportedDependency {
  const { linked } = evaluated;
  const { key, dependency, uri, span } = linked;
  const requirement = requirementOf(linked);
  const version = declaredVersion(evaluated);
  const name = spelledName(linked, factsOf(evaluated));
  return {
    system: key.system,
    name,
    ...(requirement !== undefined && { requirement }),
    ...(version !== undefined && { version }),
    ...(purl !== undefined && { purl }),
    ...gapOf(evaluated),
    scope: dependency.scope,
    region: locations.region(uri, span),
    ...(dependency.name !== name && { declared: dependency.name }),
    ...(isUpToDate(evaluated) && { upToDate: true }),
    updates: reportUpdates(evaluated),
  };
}

/** Without the list of versions this is not known. */
function isUpToDate(evaluated: EvaluatedDependency): boolean {
  const { resolution, package: list, otherFlavor } = evaluated;
  if (resolution.kind !== 'version' || targetFor(evaluated, 'default') || otherFlavor) return false;
  return (
    factsOf(evaluated)?.isDefault === true || (list?.state === 'ready' && defaultVersion(list.value) !== undefined)
  );
}

function reportUpdates(evaluated: EvaluatedDependency): ReportedUpdate[] {
  const verdict = verdictOf(evaluated);
  return fixesFor(evaluated).map(({ target, move }) => ({
    version: target.version,
    kinds: target.kinds,
    ...(target.step && { step: target.step }),
    ...(target === verdict.recommended && { recommended: true }),
    notes: targetNotes(evaluated, target),
    ...(!move.ok && { refused: move.reason }),
  }));
}

/** Why there are no facts about a dependency from a registry; empty where the service has answered. */
function gapOf(evaluated: EvaluatedDependency): Pick<ReportedDependency, 'gap' | 'gapKind'> {
  const { resolution, version } = evaluated;
  const kind = lookupOutcome(evaluated);
  switch (kind) {
    case 'elsewhere':
    case 'fromWorkspace':
      return {};
    case 'lookedUp':
      if (version?.state === 'ready' && version.value.areAdvisoriesUnknown)
        return { gap: advisoriesUnknownReason(version.value.registries), gapKind: 'listed' };
      return evaluated.linked.key.registry === undefined
        ? {}
        : { gap: l10n.t('Vulnerabilities: not checked (private registry)'), gapKind: 'withheld' };
    case 'unknown':
      return evaluated.linked.key.registry === undefined
        ? { gap: l10n.t('Unknown to the service'), gapKind: kind }
        : { gap: l10n.t('Not in its private registry'), gapKind: 'withheld' };
    case 'withheld':
    case 'unchecked':
      if (isUndecided(evaluated)) return { gap: l10n.t('Not looked up yet'), gapKind: kind };
      return resolution.kind === 'none' ? { gap: l10n.t('Not looked up: {0}', resolution.reason), gapKind: kind } : {};
    case 'failed': {
      const failed = resolution.kind === 'failed' ? resolution : version;
      const reason = failed && 'reason' in failed ? failed.reason : l10n.t('no answer in time');
      return { gap: l10n.t('Lookups failed: {0}', reason), gapKind: kind };
    }
  }
}

/** The version that is resolved, or that a lockfile or BOM declares although the service does not know the package. */
export function declaredVersion({ linked, resolution }: EvaluatedDependency): string | undefined {
  if (resolution.kind === 'version') return resolution.version;
  const isKnown = resolution.kind !== 'unknown' && resolution.kind !== 'unlisted';
  return !isKnown && linked.isRecorded ? pinnedVersion(linked) : undefined;
}

function requirementOf({ requirement }: LinkedDependency): string | undefined {
  switch (requirement.kind) {
    case 'text':
      return requirement.text;
    case 'source':
      return requirement.source;
    case 'any':
    case 'pending':
    case 'unresolved':
      return undefined;
  }
}

const DAY = 86_400_000;

function reportPackage(evaluated: EvaluatedDependency, now: number): ReportedPackage | undefined {
  const facts = factsOf(evaluated);
  const { resolution, advisories } = evaluated;
  const target = targetFor(evaluated, 'default');
  // One that the service does not know may be malware all the same.
  if (resolution.kind !== 'version' || (facts === undefined && advisories.length === 0)) return undefined;
  const { key } = evaluated.linked;
  const { publishedAt, licenses = [], links = [], provenances = [] } = facts ?? {};
  const source = addressLabeled(links, 'SOURCE_REPO');
  return {
    purl: formatPurl(key, resolution.version),
    system: key.system,
    name: spelledName(evaluated.linked, facts),
    version: resolution.version,
    licenses: facts ? licensesOf(facts) : [],
    licenseClass: classOfLicenses(licenses),
    ...(source !== undefined && { source }),
    ...reportRepository(evaluated),
    ...(provenances.length > 0 && { provenances }),
    ...(publishedAt !== undefined && {
      published: new Date(publishedAt).toISOString(),
      days: Math.max(0, Math.floor((now - publishedAt) / DAY)),
    }),
    deprecated: facts !== undefined && deprecationOf(facts) !== undefined,
    ...(target && { default: target.version }),
    advisories: reportAdvisories(advisories),
  };
}

function reportRepository(evaluated: EvaluatedDependency): Pick<ReportedPackage, 'repository'> {
  const text = repositoryLine(evaluated);
  const { repository } = evaluated;
  if (text === undefined || repository?.facts.state !== 'ready') return {};
  const { value, at } = repository.facts;
  const { name, url, isArchived, isDisabled, pushedAt, openIssues, license } = value;
  return {
    repository: {
      name,
      url,
      provenance: repository.provenance,
      archived: isArchived,
      disabled: isDisabled,
      ...(pushedAt !== undefined && { pushed: new Date(pushedAt).toISOString() }),
      ...(openIssues !== undefined && { openIssues }),
      ...(license !== undefined && { license }),
      at: new Date(at).toISOString(),
      text,
    },
  };
}
