import { defaultVersion } from '../engine/resolve.ts';
import { examine } from '../engine/subjects.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Insights } from '../model/ports.ts';
import type { Asked, Linked, Subject } from '../model/subject.ts';
import { newOwner } from './owner.ts';

/** One look-up leads to the next: list, version, advisories, default version. `patience` in ms, for each. */
const limits = { rounds: 8, patience: 15_000 };

/**
 * Looks dependencies up that stand in no document, until nothing more is wanted of them. Where the service takes too
 * long, some are pending still.
 */
export async function subjectsOf(
  all: readonly Linked[],
  insights: Insights,
  signal: AbortSignal,
): Promise<readonly Subject[]> {
  const owner = newOwner();
  const known = new Set<string>();
  for (let round = 0; ; round++) {
    const examined = all.map((it) => examine(it, undefined, insights, false));
    const wanted = examined.flatMap((it) => it.wanted);
    const before = known.size;
    for (const it of wanted) known.add(JSON.stringify(it));
    if (known.size === before || round === limits.rounds || signal.aborted) {
      insights.release(owner);
      return examined.map((it) => it.subject);
    }
    insights.want(owner, wanted);
    await insights.settled(owner, limits.patience, signal);
  }
}

/** The version of a package that is installed when none is asked for; undefined where it cannot be told. */
export async function defaultVersionOf(
  key: PackageKey,
  insights: Insights,
  signal: AbortSignal,
): Promise<string | undefined> {
  const owner = newOwner();
  insights.want(owner, [{ kind: 'package', key }]);
  await insights.settled(owner, limits.patience, signal);
  const known = insights.package(key);
  insights.release(owner);
  return known.state === 'ready' ? defaultVersion(known.value) : undefined;
}

const nowhere = { start: 0, end: 0 };

/** A dependency that stands in no file. Nobody moves it, so no versions to move it to are looked for. */
export function linkedTo(key: PackageKey, asked: Asked): Linked {
  return {
    dependency: { key, name: key.name, nameSpan: nowhere, requirement: { kind: 'none' }, scope: 'runtime' },
    uri: '',
    key,
    asked,
    span: nowhere,
    recorded: true,
  };
}

/** A package in exactly this version. */
export function pinnedTo(key: PackageKey, version: string): Linked {
  return linkedTo(key, { kind: 'text', text: key.system === 'NUGET' ? `[${version}]` : exact(key, version), via: [] });
}

function exact({ system }: PackageKey, version: string): string {
  return system === 'PYPI' ? `==${version}` : system === 'CARGO' ? `=${version}` : version;
}
