import { type Evaluation, evaluateDependency } from '../analysis/evaluate/dependency.ts';
import { defaultVersion } from '../analysis/evaluate/resolve.ts';
import { createLookupFilter } from '../analysis/privacy/lookup-filter.ts';
import { settle } from '../analysis/settle.ts';
import type { EffectiveRequirement, EvaluatedDependency, LinkedDependency } from '../model/evaluated-dependency.ts';
import type { VersionFacts } from '../model/facts.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Insights } from '../model/ports.ts';
import type { Purl } from '../model/purl.ts';
import type { BuiltInRegistries } from '../model/registries/built-in.ts';
import type { Advisory } from '../model/signals/advisory.ts';

/**
 * Evaluates a package that a text names: the version in the purl, else its default version. Called again whenever facts
 * arrive, until it requests no more facts.
 * @param route adds the registries that are named for a package where the text lies
 * @param publicRegistries hosts that a person says are public: names from others stay on the machine
 * @param builtIn absent where no package manager can be read
 */
export async function evaluatePurl(
  { key, name, version }: Purl,
  route: (linked: LinkedDependency) => LinkedDependency,
  insights: Insights,
  publicRegistries: readonly string[],
  builtIn?: BuiltInRegistries,
): Promise<Evaluation> {
  const linked = route(withWrittenName(dependencyOn(key, { kind: 'any' }), name));
  const filter = createLookupFilter(insights, publicRegistries, builtIn);
  if (filter.reasonNotToLookUp(linked)?.kind === 'pending') await builtIn?.readAsked();
  const resolution = filter.reasonNotToLookUp(linked);
  const { wanted } = filter;
  if (resolution) return { evaluated: { linked, resolution, advisories: [], targets: [] }, wanted, background: [] };
  const list = version === undefined ? insights.package(key) : undefined;
  const meant = version ?? (list?.state === 'ready' ? defaultVersion(list.value) : undefined);
  const evaluation = evaluateDependency(
    meant === undefined ? linked : withWrittenName(dependencyOnVersion(key, meant), name),
    undefined,
    insights,
    false,
  );
  return { ...evaluation, wanted: [...wanted, ...evaluation.wanted] };
}

function withWrittenName(linked: LinkedDependency, name: string): LinkedDependency {
  return { ...linked, dependency: { ...linked.dependency, name } };
}

/**
 * Converts the facts of a version to an evaluated dependency.
 * @param now when it was told, in ms since the epoch
 */
export function toEvaluatedDependency(
  facts: VersionFacts,
  advisories: readonly Advisory[],
  now: number,
): EvaluatedDependency {
  const { key } = facts;
  return {
    linked: dependencyOnVersion(key, key.version),
    resolution: { kind: 'version', version: key.version, from: 'pin' },
    version: { state: 'ready', value: facts, at: now },
    advisories,
    targets: [],
  };
}

/** One look-up leads to the next: list, version, advisories, default version. */
const MAX_ROUNDS = 8;
/** How long one round waits for the service, in ms. */
const PATIENCE = 15_000;

/**
 * Evaluates dependencies that are in no document until they request no more facts. Some are still pending if the
 * service takes too long.
 */
export async function evaluateDependencies(
  all: readonly LinkedDependency[],
  insights: Insights,
  signal: AbortSignal,
): Promise<readonly EvaluatedDependency[]> {
  const owner = createOwnerId();
  const asked = all.filter((it) => !insights.isPrivateName?.(it.key));
  const requested = new Set<string>();
  let rounds = 0;
  const { evaluations } = await settle(
    () => {
      const evaluations = asked.map((it) => evaluateDependency(it, undefined, insights, false));
      const wanted = evaluations.flatMap((it) => it.wanted);
      const before = requested.size;
      for (const it of wanted) requested.add(JSON.stringify(it));
      return { evaluations, wanted, isComplete: requested.size === before };
    },
    ({ isComplete }) => (isComplete || signal.aborted || rounds++ === MAX_ROUNDS ? 0 : PATIENCE),
    (ms, { wanted }) => {
      insights.request(owner, wanted);
      return insights.whenSettled(owner, ms, signal);
    },
  );
  insights.release(owner);
  return evaluations.map((it) => it.evaluated);
}

/** The default version of a package; undefined where it is unknown. */
export async function defaultVersionOf(
  key: PackageKey,
  insights: Insights,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (insights.isPrivateName?.(key)) return undefined;
  const owner = createOwnerId();
  insights.request(owner, [{ kind: 'package', key }]);
  await insights.whenSettled(owner, PATIENCE, signal);
  const known = insights.package(key);
  insights.release(owner);
  return known.state === 'ready' ? defaultVersion(known.value) : undefined;
}

const nowhere = { start: 0, end: 0 };

/** A dependency on a package that is in no file. It cannot be moved, so no upgrade candidates are requested for it. */
export function dependencyOn(key: PackageKey, requirement: EffectiveRequirement): LinkedDependency {
  return {
    dependency: { key, name: key.name, nameSpan: nowhere, requirement: { kind: 'none' }, scope: 'runtime' },
    uri: '',
    key,
    requirement,
    span: nowhere,
    isRecorded: true,
  };
}

/** A dependency on exactly one version of a package. */
export function dependencyOnVersion(key: PackageKey, version: string): LinkedDependency {
  return dependencyOn(key, {
    kind: 'text',
    text: key.system === 'NUGET' ? `[${version}]` : exact(key, version),
    via: [],
  });
}

function exact({ system }: PackageKey, version: string): string {
  return system === 'PYPI' ? `==${version}` : system === 'CARGO' ? `=${version}` : version;
}

let made = 0;

/** A unique owner of requests. Releasing it does not cancel requests of other owners for the same facts. */
export function createOwnerId(): string {
  return `asking:${++made}`;
}
