import * as l10n from '@vscode/l10n';
import type { BelowCoverage } from '../../analysis/below/coverage.ts';
import { problemInLockfile, type Snapshot } from '../../analysis/snapshot.ts';
import { byText, oneLine } from '../../base/text.ts';
import { positionsIn } from '../../formats/text/positions.ts';
import type { EvaluatedDependency, LinkedDependency } from '../../model/evaluated-dependency.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Dependency } from '../../model/manifest.ts';
import { knownHost, type Registry } from '../../model/registry.ts';
import type { Span } from '../../model/span.ts';
import type { Coverage, CoverageBelow, LineInFile, PrivateDependencies, SyntaxProblem, Unchecked } from '../report.ts';
import type { SettingsFor } from './findings.ts';
import { relativePath } from './paths.ts';
import { unrequiredIn } from './unrequired.ts';

/** The outcome of looking one dependency up. */
type LookupOutcome =
  /** From a folder, a repository or an address, and so from no registry. */
  | 'elsewhere'
  /** The same, but from the workspace. */
  | 'fromWorkspace'
  | 'lookedUp'
  | 'withheld'
  | 'unknown'
  | 'failed'
  /** Its version is not known, so nothing was requested. */
  | 'unchecked';

/** Whether the service knows its version, but not the vulnerabilities of it. */
export function areAdvisoriesUnknown({ version }: EvaluatedDependency): boolean {
  return version?.state === 'ready' && version.value.areAdvisoriesUnknown === true;
}

/** Up to when the vulnerabilities of dependencies are known, in ms since the epoch; undefined where nothing limits it. */
export function advisoriesAsOf(dependencies: readonly EvaluatedDependency[]): number | undefined {
  return dependencies.reduce<number | undefined>((oldest, { version }) => {
    const asOf = version?.state === 'ready' ? version.value.advisoriesAsOf : undefined;
    return asOf === undefined || (oldest !== undefined && oldest < asOf) ? oldest : asOf;
  }, undefined);
}

/** Whether a browser waits for the person's permission to look it up. */
export function isUndecided({ resolution: it }: EvaluatedDependency): boolean {
  return it.kind === 'none' && it.withheld?.unreadable?.why === 'browser';
}

/** An answer that is still pending counts as failed: it did not arrive in time. */
export function lookupOutcome({ linked, resolution, version }: EvaluatedDependency): LookupOutcome {
  switch (resolution.kind) {
    case 'pending':
    case 'failed':
      return 'failed';
    case 'unknown':
    case 'unlisted':
      return 'unknown';
    case 'no-match':
      return 'lookedUp';
    case 'none':
      if (resolution.withheld) return 'withheld';
      if (linked.requirement.kind !== 'source') return 'unchecked';
      // A parent in the workspace is a file that was read.
      if (linked.dependency.inherits) return 'elsewhere';
      return isTaken(linked) ? 'fromWorkspace' : 'elsewhere';
    case 'version':
      switch (version?.state) {
        case 'ready':
          return 'lookedUp';
        case 'unknown':
          return 'unknown';
        default:
          return 'failed';
      }
  }
}

/** Whether another place than its own line says that it is in the workspace; or the line does, by its protocol. */
function isTaken({ requirement, dependency }: LinkedDependency): boolean {
  if (requirement.kind !== 'source') return false;
  const isElsewhere = dependency.written !== undefined || dependency.requirement.kind !== 'source';
  return requirement.source === 'workspace' || (requirement.source === 'path' && isElsewhere);
}

/** The number of dependencies by outcome. */
export type LookupCounts = Pick<
  Coverage,
  | 'total'
  | 'lookedUp'
  | 'withheld'
  | 'undecided'
  | 'unreadable'
  | 'unknown'
  | 'withoutAdvisories'
  | 'listed'
  | 'fromWorkspace'
  | 'failed'
  | 'unchecked'
>;

export function countLookups(dependencies: readonly EvaluatedDependency[]): LookupCounts {
  const counts = { elsewhere: 0, fromWorkspace: 0, lookedUp: 0, withheld: 0, unknown: 0, failed: 0, unchecked: 0 };
  let withoutAdvisories = 0;
  let listed = 0;
  let [undecided, unreadable] = [0, 0];
  let total = 0;
  const counted = new Map<Dependency, Set<LookupOutcome>>();
  for (const it of dependencies) {
    const outcome = lookupOutcome(it);
    const { of } = it.linked;
    if (of) {
      // One dependency, however many versions it has under different conditions.
      const before = counted.get(of) ?? new Set();
      if (before.has(outcome)) continue;
      counted.set(of, before.add(outcome));
    }
    total++;
    const isPrivate = it.linked.key.registry !== undefined;
    // The service was not asked about a package that its private registry does not have.
    const isAnswered = outcome === 'lookedUp' || (outcome === 'unknown' && isPrivate);
    counts[isAnswered ? 'lookedUp' : outcome]++;
    if (isAnswered && isPrivate) withoutAdvisories++;
    else if (areAdvisoriesUnknown(it)) listed++;
    if (outcome !== 'withheld') continue;
    if (isUndecided(it)) undecided++;
    else if (it.resolution.kind === 'none' && it.resolution.withheld?.unreadable) unreadable++;
  }
  const { elsewhere, fromWorkspace, lookedUp, ...looked } = counts;
  return {
    total: total - elsewhere - fromWorkspace,
    ...looked,
    ...(undecided > 0 && { undecided }),
    ...(unreadable > 0 && { unreadable }),
    lookedUp: lookedUp + looked.unknown,
    ...(withoutAdvisories > 0 && { withoutAdvisories }),
    ...(listed > 0 && { listed }),
    ...(fromWorkspace > 0 && { fromWorkspace }),
  };
}

/** An answer that is still pending counts as failed here, too. */
export function reportCoverage({ pending, failed, old: _, ...counts }: BelowCoverage): CoverageBelow {
  return { ...counts, failed: [...failed.values()].reduce((sum, it) => sum + it, pending) };
}

/** Dependencies without a known version, for one reason. */
export interface UncheckedGroup extends Omit<Unchecked, 'first'> {
  readonly first: EvaluatedDependency;
}

/** Why dependencies were not looked up, other than for privacy; most frequent first. */
export function groupUnchecked(dependencies: readonly EvaluatedDependency[]): UncheckedGroup[] {
  const found = new Map<string, UncheckedGroup>();
  for (const it of dependencies) {
    if (it.resolution.kind !== 'none' || lookupOutcome(it) !== 'unchecked') continue;
    const { reason } = it.resolution;
    const { count, first } = found.get(reason) ?? { count: 0, first: it };
    found.set(reason, { reason, count: count + 1, first });
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

/** The same for manifests, with places. */
export function uncheckedIn(snapshots: readonly Snapshot[], directory: string): Unchecked[] {
  return groupUnchecked(dependenciesByFile(snapshots).flat()).map(({ reason, count, first: { linked } }) => {
    const text = snapshots.map((it) => it.texts.get(linked.uri)).find((it) => it !== undefined);
    return {
      reason,
      count,
      first: { path: relativePath(linked.uri, directory), line: lineOf(text, linked.span) },
    };
  });
}

/** The dependencies of each file. A file that several manifests include counts once. */
export function dependenciesByFile(snapshots: readonly Snapshot[]): readonly (readonly EvaluatedDependency[])[] {
  const files = new Map<string, readonly EvaluatedDependency[]>();
  for (const it of snapshots) for (const { uri, dependencies } of [it, ...it.included]) files.set(uri, dependencies);
  return [...files.values()];
}

/**
 * The dependencies that were not looked up because their names stay private, by registry; most frequent first.
 * @param directory of which the paths are; without it they are names of files
 */
export function privateDependenciesIn(
  dependencies: readonly EvaluatedDependency[],
  directory?: string,
): PrivateDependencies[] {
  const found = new Map<string, PrivateDependencies>();
  const places = new Map<string, Map<string | undefined, { place: LineInFile | undefined; count: number }>>();
  for (const { resolution } of dependencies) {
    if (resolution.kind !== 'none' || resolution.withheld === undefined) continue;
    const { host, from: named, isAdditional, place, at, otherHosts = [], unreadable } = resolution.withheld;
    // Of all files of the computer none can be read: it matters to nobody which one it would be.
    const isUndecided = unreadable?.why === 'browser';
    const from = isUndecided ? undefined : named;
    const origin = originOf(resolution.withheld);
    const known = knownHost(resolution.withheld);
    const before = found.get(origin);
    const hosts = [...new Set([...(before?.otherHosts ?? []), ...otherHosts])];
    const isKnown = place !== undefined && (host !== undefined || at !== undefined);
    const path = isKnown && directory !== undefined ? relativePath(place.uri, directory) : from;
    const own = isKnown && path !== undefined ? { path, line: place.line + 1 } : undefined;
    const its = places.get(origin) ?? new Map();
    const id = own && `${own.path}:${own.line}`;
    places.set(origin, its.set(id, { place: own, count: (its.get(id)?.count ?? 0) + 1 }));
    found.set(origin, {
      origin,
      ...(known !== undefined && { host: known }),
      ...(from !== undefined && { from }),
      ...(hosts.length > 0 && { otherHosts: hosts }),
      ...(isAdditional && { beside: isAdditional }),
      ...(isUndecided && { isUndecided }),
      ...(unreadable && !isUndecided && { isUnreadable: true }),
      // What has no known host cannot be declared public.
      ...(resolution.isPublicHostUnknown && known !== undefined && { isPublicUnsaid: true }),
      count: (before?.count ?? 0) + 1,
    });
  }
  return [...found.values()]
    .map((it): PrivateDependencies => {
      const [most, another] = [...(places.get(it.origin)?.values() ?? [])].sort((a, b) => b.count - a.count);
      if (most?.place === undefined) return it;
      return { ...it, ...(another ? { mostlyAt: most.place } : { place: most.place }) };
    })
    .sort((a, b) => b.count - a.count || byText(a.origin, b.origin));
}

function originOf(registry: Registry): string {
  const { refusal } = registry;
  return refusal === undefined ? placeOf(registry) : l10n.t('{0}, which is not asked: {1}', placeOf(registry), refusal);
}

function placeOf(registry: Registry): string {
  const { from, isAdditional, unreadable, declared, contested } = registry;
  const host = knownHost(registry);
  if (contested !== undefined) return l10n.t('the workspace or a registry: {0}', contested);
  if (unreadable?.why === 'browser') return l10n.t('a registry that only your computer may name');
  if (declared) return l10n.t('the private list of {0}', from ?? '');
  if (from !== undefined && unreadable) return l10n.t('a registry that the unreadable {0} may configure', from);
  if (host === undefined) {
    return from === undefined ? l10n.t('a private registry') : l10n.t('a private registry in {0}', from);
  }
  if (from === undefined) return l10n.t('the registry {0}', host);
  return isAdditional
    ? l10n.t('the registry {0} or another ({1})', host, from)
    : l10n.t('the registry {0} ({1})', host, from);
}

/** The first syntax problem of each manifest and lockfile that has one, by path. */
export function syntaxProblemsIn(
  snapshots: readonly Snapshot[],
  directory: string,
  settingsFor: SettingsFor,
): SyntaxProblem[] {
  const found = new Map<string, SyntaxProblem>();
  /** Lockfiles that serve many manifests. */
  const seen = new Set<string>();
  for (const snapshot of snapshots) {
    const { uri: manifest, chain, texts, lockfiles, dependencies } = snapshot;
    // An included file is part of the manifest, although its own name may not be that of a manifest.
    const read = [...chain.files.slice(0, 1), ...chain.included];
    const broken = read.flatMap(({ uri, manifest: { problems } }) =>
      problems.slice(0, 1).map(({ span }) => ({ uri, span })),
    );
    for (const { uri, span } of chain.truncatedAt ? [...broken, chain.truncatedAt] : broken) {
      const path = relativePath(uri, directory);
      if (!found.has(path)) found.set(path, { path, line: lineOf(texts.get(uri), span) });
    }
    const harmless = chain.elsewhere?.length ? settingsFor(manifest).publicRegistries : [];
    for (const { uri, span, host } of chain.elsewhere ?? []) {
      const path = relativePath(uri, directory);
      const reason = l10n.t('what stands at {0} is not read', host);
      if (!found.has(path) && !harmless.includes(host))
        found.set(path, { path, line: lineOf(texts.get(uri), span), reason });
    }
    for (const lockfile of lockfiles) {
      const path = relativePath(lockfile.directory + lockfile.format.id, directory);
      if (seen.has(path)) continue;
      seen.add(path);
      const problem = problemInLockfile(lockfile);
      if (problem) found.set(path, { path, line: lineOf(lockfile.text, problem.span) });
    }
    for (const { linked } of dependencies) {
      const lockfile = lockfiles.find((it) => it.format.id === linked.exchanged?.lockfile);
      if (!lockfile) continue;
      const { name } = linked.dependency;
      const path = relativePath(lockfile.directory + lockfile.format.id, directory);
      if (found.has(path)) continue;
      const reason = l10n.t(
        'it takes {0} from elsewhere than {1} says',
        oneLine(name),
        relativePath(manifest, directory),
      );
      const start = Math.max(0, lockfile.text.indexOf(name));
      found.set(path, { path, line: lineOf(lockfile.text, { start, end: start }), reason });
    }
  }
  for (const { found: lockfile, name, version } of unrequiredIn(snapshots)) {
    const path = relativePath(lockfile.directory + lockfile.format.id, directory);
    if (found.has(path)) continue;
    const { start } =
      lockfile.lockfile.packages.find((it) => canonicalName('PYPI', it.name) === name)?.nameSpan ?? noSpan;
    const reason = l10n.t('it installs {0}, which nothing requires', oneLine(`${name} ${version}`));
    found.set(path, { path, line: lineOf(lockfile.text, { start, end: start }), reason });
  }
  return [...found.values()].sort((a, b) => byText(a.path, b.path));
}

const noSpan: Span = { start: 0, end: 0 };

/**
 * The line, from 1, of the first syntax problem of a manifest itself. The parser may have missed dependencies from there
 * on.
 */
export function firstProblemLine({ uri, chain, texts }: Snapshot): number | undefined {
  const problem = chain.files[0]?.manifest.problems[0];
  return problem && lineOf(texts.get(uri), problem.span);
}

function lineOf(text: string | undefined, { start }: Span): number {
  return positionsIn(text ?? '').at(start).line + 1;
}
