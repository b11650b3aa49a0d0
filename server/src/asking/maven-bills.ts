import { Definitions, type Gap } from '../engine/definitions.ts';
import { inherit, type ReadPom } from '../engine/inheritance.ts';
import type { Lookup, Parsed } from '../engine/link.ts';
import { pom as format } from '../manifests/pom.ts';
import { publishedPom } from '../manifests/published-pom.ts';
import { type VersionKey, versionId } from '../model/keys.ts';
import type { Lookups } from '../model/lookups.ts';
import type { Manifest } from '../model/manifest.ts';
import type { Pom } from './requirement-groups.ts';

/** One POM leads to others, as bills import bills and have parents: real ones come to an end after 5 rounds. */
const limits = { rounds: 16, poms: 200 };

const pending: Gap = { kind: 'pending' };

/**
 * The versions that the bills say which a published POM and its parents import.
 * @param ids of what is looked for: `managed:org.yaml:snakeyaml`
 * @returns by id, as far as it can be had
 */
export async function versionsInBills(
  pom: Pom,
  parents: readonly Pom[],
  ids: readonly string[],
  lookups: Lookups,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const known = new Map<string, Manifest | Gap>();
  for (const { key, declared } of [pom, ...parents]) known.set(versionId(key), publishedPom(key, declared));

  async function fetch(key: VersionKey): Promise<void> {
    const answer = await lookups.requirements(key, signal);
    const declared = answer.kind === 'found' && answer.value.system === 'MAVEN' ? answer.value : undefined;
    known.set(versionId(key), declared ? publishedPom(key, declared) : { kind: 'unknown', pom: key.name });
  }

  for (let round = 0; ids.length > 0; round++) {
    const open = new Map<string, VersionKey>();
    const read: ReadPom = (named, version) => {
      const key = { ...named.key, version };
      const manifest = known.get(versionId(key));
      if (manifest === undefined) open.set(versionId(key), key);
      return manifest ?? pending;
    };
    const found = versionsIn(pom, ids, read);
    if (open.size === 0 || signal.aborted || round >= limits.rounds || known.size + open.size > limits.poms)
      return found;
    await Promise.all([...open.values()].map(fetch));
  }
  return new Map();
}

function versionsIn({ key, declared }: Pom, ids: readonly string[], read: ReadPom): ReadonlyMap<string, string> {
  const manifest = publishedPom(key, declared);
  const file: Parsed = { uri: '', format, manifest, published: { key, through: key.name } };
  const own: Lookup = {
    definitions: new Definitions([file]),
    constraints: new Definitions([]),
    missing: [],
    bills: [],
    identities: new Set([manifest.identity]),
  };
  const { definitions } = inherit([file], own, read);
  return new Map(
    ids.flatMap((id) => {
      const value = definitions.textOf({ kind: 'reference', to: { id, label: id }, span: { start: 0, end: 0 } });
      return value?.kind === 'text' ? [[id, value.text] as const] : [];
    }),
  );
}
