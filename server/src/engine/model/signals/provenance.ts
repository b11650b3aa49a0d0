import type { Provenance, VersionFacts } from '../facts.ts';
import { browsableAddress } from '../links.ts';

/** What an attestation is about. */
export type Attested = 'build' | 'publication' | 'other';

/** Sources: SLSA, “Provenance”; PEP 740, whose predicates of publication end with `/attestations/publish/v1`. */
export function attestedBy({ type }: Pick<Provenance, 'type'>): Attested {
  if (type === '' || /\bslsa\.dev\/provenance\b/i.test(type)) return 'build';
  return /\/attestations\/publish\b/i.test(type) ? 'publication' : 'other';
}

/** How sure a verified attestation makes a repository, as a `relationProvenance`. */
export function relationOf(it: Provenance, { key }: Pick<VersionFacts, 'key'>): string {
  switch (attestedBy(it)) {
    case 'build':
      return 'SLSA_ATTESTATION';
    case 'publication':
      return key.system === 'PYPI' ? 'PYPI_PUBLISH_ATTESTATION' : 'PUBLISH_ATTESTATION';
    case 'other':
      return 'OTHER_ATTESTATION';
  }
}

/**
 * Each attestation once: those of npm are in two lists of the service, and each file of a version has its own. Two are the
 * same if they say the same of one source, or have one address.
 */
export function distinctProvenances(all: readonly Provenance[]): readonly Provenance[] {
  if (all.length < 2) return all;
  const found: Provenance[] = [];
  const placeOf = new Map<string, number>();
  for (const it of all) {
    const names = namesOf(it);
    const place = names.map((name) => placeOf.get(name)).find((known) => known !== undefined) ?? found.length;
    const known = found[place];
    found[place] = known ? joined(known, it) : it;
    for (const name of names) placeOf.set(name, place);
  }
  return found;
}

function namesOf(it: Provenance): readonly string[] {
  const { sourceRepository, commit, url } = it;
  const about = attestedBy(it);
  const source = browsableAddress(sourceRepository) ?? sourceRepository;
  return [...(source === '' ? [] : [`${about} ${source} ${commit}`]), ...(url === '' ? [] : [`${about} ${url}`])];
}

function joined(a: Provenance, b: Provenance): Provenance {
  return {
    type: a.type || b.type,
    sourceRepository: a.sourceRepository || b.sourceRepository,
    commit: a.commit || b.commit,
    url: a.url || b.url,
    verified: a.verified || b.verified,
  };
}

/** Whether a version with a verified attestation is replaced by one without. */
export function losesProvenance(from: VersionFacts, to: VersionFacts): boolean {
  return from.provenances.some((it) => it.verified) && !to.provenances.some((it) => it.verified);
}
