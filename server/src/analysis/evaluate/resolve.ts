import * as l10n from '@vscode/l10n';
import { versioning } from '../../ecosystems/versioning.ts';
import type { EffectiveRequirement, LinkedDependency, Locked, Resolution } from '../../model/evaluated-dependency.ts';
import type { PackageFacts } from '../../model/facts.ts';
import { versionOf } from '../../model/keys.ts';
import type { Insights } from '../../model/ports.ts';
import type { System } from '../../model/system.ts';
import type { Versioning } from '../../model/versioning.ts';

/** The range that a dependency and its constraint give together; undefined where nothing is written. */
export function rangeOf(linked: LinkedDependency): string | undefined {
  const own = linked.requirement.kind === 'text' ? linked.requirement.text : undefined;
  const narrowed = linked.constraint?.text;
  if (own === undefined || own === '') return narrowed ?? own;
  return narrowed === undefined ? own : `${own},${narrowed}`;
}

/** The version that a dependency names outright: `1.2.3` of `==1.2.3`. */
export function pinnedVersion(linked: LinkedDependency): string | undefined {
  const reading = versioning[linked.key.system].read(rangeOf(linked) ?? '');
  return reading.kind === 'pin' ? reading.version : undefined;
}

/**
 * The version that a dependency comes to: the lockfile's where it satisfies the requirement, else what the range
 * decides. Reads facts, asks for none: `pending` says that the list of versions is not there yet.
 */
export function resolve(linked: LinkedDependency, locked: Locked | undefined, insights: Insights): Resolution {
  if (linked.requirement.kind === 'pending') return { kind: 'pending' };
  const none = reasonNotToResolve(linked.requirement);
  if (none !== undefined && !linked.constraint) return { kind: 'none', reason: none };
  const rules: Versioning = versioning[linked.key.system];
  const range = rangeOf(linked) ?? '';
  const reading = rules.read(range);
  if (reading.kind === 'invalid') {
    const reason = range === '' ? l10n.t('no version is specified') : l10n.t('invalid requirement “{0}”', range);
    return { kind: 'none', reason };
  }

  const open = reading.kind === 'any' || reading.kind === 'tag';
  if (locked && (open || rules.keeps(locked.version, range))) {
    return { kind: 'version', version: locked.version, from: 'lockfile', lockfile: locked.lockfile };
  }
  const stale = locked && { stale: locked };
  const pinned = reading.kind === 'pin' ? reading : undefined;
  if (pinned && insights.version(versionOf(linked.key, pinned.version)).state !== 'unknown') {
    return { kind: 'version', version: pinned.version, from: 'pin', ...stale };
  }

  const list = insights.package(linked.key);
  switch (list.state) {
    case 'pending':
      return { kind: 'pending' };
    case 'unknown':
      return { kind: 'unknown' };
    case 'failed':
      return { kind: 'failed', reason: list.reason };
    case 'ready': {
      if (reading.kind === 'tag') return fromTag(range, list.value);
      const { isSample } = list.value;
      const version = isSample
        ? chooseFromSample(rules, pinned ? undefined : range, list.value)
        : choose(rules, pinned?.exact ? undefined : range, list.value);
      if (version !== undefined) return { kind: 'version', version, from: 'range', ...stale };
      return { kind: isSample ? 'unlisted' : 'no-match', range };
    }
  }
}

function reasonNotToResolve(asked: EffectiveRequirement): string | undefined {
  switch (asked.kind) {
    case 'source':
      return {
        path: l10n.t('it comes from a folder'),
        git: l10n.t('it comes from a repository'),
        url: l10n.t('it comes from a URL'),
        workspace: l10n.t('a member of this workspace'),
      }[asked.source];
    case 'unresolved':
      return asked.reason;
    case 'text':
    case 'any':
    case 'pending':
      return undefined;
  }
}

/** The systems whose own tools pass over deprecated, yanked or retracted versions while another satisfies. */
const systemsThatSkipDeprecated: ReadonlySet<System> = new Set(['NPM', 'PYPI', 'CARGO', 'GO']);

function choose(rules: Versioning, range: string | undefined, facts: PackageFacts): string | undefined {
  if (range === undefined) return undefined;
  const preferred = defaultVersion(facts);
  const all = facts.versions.map((it) => it.version);
  if (!systemsThatSkipDeprecated.has(rules.system)) return rules.pick(range, all, preferred);
  const usable = facts.versions.filter((it) => !it.isDeprecated).map((it) => it.version);
  // Where nothing else will do, npm takes a deprecated version, the highest. That pip and Cargo then take none says
  // less than the finding that the version was withdrawn.
  return rules.pick(range, usable, preferred) ?? rules.pick(range, all);
}

/** The systems whose own tools take the default version where it satisfies: npm always, the others as it is the highest. */
const systemsThatPreferDefault: ReadonlySet<System> = new Set(['NPM', 'PYPI', 'CARGO']);

/** Of some versions alone no highest and no lowest can be told, only whether the default one will do. */
function chooseFromSample(rules: Versioning, range: string | undefined, facts: PackageFacts): string | undefined {
  const preferred = defaultVersion(facts);
  if (range === undefined || preferred === undefined || !systemsThatPreferDefault.has(rules.system)) return undefined;
  return rules.pick(range, [preferred], preferred);
}

/** `latest` is the default version; other tags are known to the registry alone. */
function fromTag(tag: string, facts: PackageFacts): Resolution {
  const version = tag === 'latest' ? defaultVersion(facts) : undefined;
  return version === undefined
    ? { kind: 'none', reason: l10n.t('only the registry can resolve “{0}”', tag) }
    : { kind: 'version', version, from: 'range' };
}

/** The version installed when none is asked for. Where the service marks several, the highest. */
export function defaultVersion(facts: PackageFacts): string | undefined {
  const rules = versioning[facts.key.system];
  return facts.versions
    .filter((it) => it.isDefault)
    .map((it) => it.version)
    .sort(rules.compare)
    .at(-1);
}
