import { canUse } from '../../ecosystems/nuget/build/framework-support.ts';
import { runsOn } from '../../ecosystems/python/interpreter.ts';
import type { LinkedDependency, TargetKind, UnusualFix } from '../../model/evaluated-dependency.ts';
import { versionOf } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { Insights, Wanted } from '../../model/ports.ts';

/** Versions of one package that are asked what they are for. The service answers about one at a time. */
const MAX_ASKED = 5;

/** Whether the project can use versions of a package. */
export interface Support {
  /** Asks about a version, unless enough were. */
  readonly isSupported: (version: string) => boolean | 'pending';
  /** The first version that it cannot use. */
  readonly unsupported: UnusualFix | undefined;
  /** To look up. */
  readonly wanted: readonly Wanted[];
}

/** Only NuGet and Python refuse a version that is made for others, and only of theirs the service tells it. */
export function createSupport({ key, builtFor = [], isRecorded }: LinkedDependency, insights: Insights): Support {
  const wanted: Wanted[] = [];
  const known = new Map<string, boolean | 'pending'>();
  let unsupported: UnusualFix | undefined;
  const isAsked = builtFor.length > 0 && key.registry === undefined && isRecorded === undefined;
  return {
    wanted,
    get unsupported() {
      return unsupported;
    },
    isSupported(version) {
      if (!isAsked) return true;
      const before = known.get(version);
      if (before !== undefined) return before;
      // What comes after versions that need something newer needs it, too.
      if (known.size >= MAX_ASKED) return unsupported === undefined;
      const asked = versionOf(key, version);
      wanted.push({ kind: 'requirements', key: asked });
      const insight = insights.requirements(asked);
      const requires = insight.state === 'ready' ? missingIn(insight.value, builtFor) : undefined;
      if (requires !== undefined) unsupported ??= { version, kind: 'unsupported', requires };
      const answer = insight.state === 'pending' ? 'pending' : requires === undefined;
      known.set(version, answer);
      return answer;
    },
  };
}

/** What a version needs that the project is not for; undefined if there is nothing. */
function missingIn(requirements: Requirements, builtFor: readonly string[]): string | undefined {
  if (requirements.system === 'PYPI') {
    const { python } = requirements;
    return python !== '' && builtFor.some((it) => !runsOn(it, python)) ? `Python ${python}` : undefined;
  }
  if (requirements.system !== 'NUGET') return undefined;
  const offered = requirements.groups.map((it) => it.targetFramework);
  return builtFor.every((it) => canUse(it, offered)) ? undefined : offered.join(', ');
}

/** The targets that the project can use, as far as that is known. */
export function supportedOf(
  targets: Partial<Readonly<Record<TargetKind, string>>>,
  { isSupported }: Support,
): Partial<Record<TargetKind, string>> {
  return Object.fromEntries(Object.entries(targets).filter(([, version]) => isSupported(version) !== false));
}
