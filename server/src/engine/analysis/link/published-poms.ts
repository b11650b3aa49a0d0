import * as l10n from '@vscode/l10n';
import { publishedPom } from '../../ecosystems/maven/published-pom.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import { type VersionKey, versionId } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { Manifest } from '../../model/manifest.ts';
import type { Insights, Wanted } from '../../model/ports.ts';
import type { LookupFilter } from '../privacy/lookup-filter.ts';
import type { DefinitionGap } from './definitions.ts';
import type { ReadPom } from './inheritance.ts';

/** The published POMs of one manifest. */
export interface Poms {
  readonly read: ReadPom;
  /** The POMs that were read, to request and to keep up to date. */
  readonly wanted: readonly Wanted[];
  /** Whether reading again would give the same. */
  isCurrent(filter: Pick<LookupFilter, 'reasonNotToLookUp'>): boolean;
}

/** Published POMs of one manifest. A large BOM has about 60: 30 that it imports, and their parents. */
export const MAX_POMS = 200;

/** BOMs are large and read for each manifest: each response is parsed once. */
const manifests = new WeakMap<Requirements, Manifest>();

/** @param route adds the configured registries: a private parent is not looked up */
export function createPoms(
  insights: Pick<Insights, 'requirements'>,
  filter: Pick<LookupFilter, 'reasonNotToLookUp'>,
  route: (linked: LinkedDependency) => LinkedDependency,
): Poms {
  const known = new Map<string, Manifest | DefinitionGap>();
  const wanted: Wanted[] = [];
  const readings: ((filter: Pick<LookupFilter, 'reasonNotToLookUp'>) => boolean)[] = [];

  function look(named: LinkedDependency, key: VersionKey): Manifest | DefinitionGap {
    const pom = `${key.name} ${key.version}`;
    const routed = route(named);
    const reasonNotToLookUp = filter.reasonNotToLookUp(routed);
    readings.push((it) => it.reasonNotToLookUp(routed)?.kind === reasonNotToLookUp?.kind);
    if (reasonNotToLookUp?.kind === 'pending') return reasonNotToLookUp;
    if (reasonNotToLookUp) {
      const reason = 'reason' in reasonNotToLookUp ? reasonNotToLookUp.reason : l10n.t('its registry is not public');
      return { kind: 'withheld', pom, reason };
    }
    if (wanted.length >= MAX_POMS) {
      return { kind: 'withheld', pom, reason: l10n.t('it requires more than {0} published POMs', MAX_POMS) };
    }
    wanted.push({ kind: 'requirements', key });
    const insight = insights.requirements(key);
    readings.push(() => insights.requirements(key) === insight);
    switch (insight.state) {
      case 'pending':
        return { kind: 'pending' };
      case 'unknown':
        return { kind: 'unknown', pom };
      case 'failed':
        return { kind: 'withheld', pom, reason: insight.reason };
      case 'ready': {
        const declared = insight.value;
        if (declared.system !== 'MAVEN') return { kind: 'unknown', pom };
        const manifest = manifests.get(declared) ?? publishedPom(key, declared);
        manifests.set(declared, manifest);
        return manifest;
      }
    }
  }

  return {
    read(named, version) {
      const key = { ...named.key, version };
      const id = versionId(key);
      const before = known.get(id);
      if (before) return before;
      const found = look(named, key);
      known.set(id, found);
      return found;
    },
    wanted,
    isCurrent: (now) => readings.every((it) => it(now)),
  };
}
