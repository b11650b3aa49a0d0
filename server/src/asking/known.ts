import type { VersionFacts } from '../model/facts.ts';
import type { Advisory, Subject } from '../model/subject.ts';
import { pinnedTo } from './subjects.ts';

/**
 * A version that the service has told of already, as features look at dependencies.
 * @param now when it was told, in ms since the epoch
 */
export function subjectOf(facts: VersionFacts, advisories: readonly Advisory[], now: number): Subject {
  const { key } = facts;
  return {
    linked: pinnedTo(key, key.version),
    resolution: { kind: 'version', version: key.version, from: 'pin' },
    version: { state: 'ready', value: facts, at: now },
    advisories,
  };
}
