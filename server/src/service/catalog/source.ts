import type { VersionKey } from '../../engine/model/keys.ts';
import { canonicalKey } from '../canonical.ts';
import { type Answer, found, foundOrUnknown, type Source, unknown } from '../source.ts';
import {
  advisoryAnswer,
  affectedAnswer,
  artifactUrl,
  packageAnswer,
  projectAnswer,
  similarAnswer,
  versionAnswer,
} from '../wire.ts';
import type { Catalog, CatalogVersion } from './catalog.ts';

/** Hash queries serve these; the others have no one file that is a version. */
const hashed = {
  systems: ['NPM', 'CARGO', 'MAVEN', 'NUGET'] as readonly string[],
  source: 'contract of the Package Insights Service, “Query parameters of Query”',
} as const;

/** Answers from a catalog. */
export function catalogSource(catalog: Catalog): Source {
  function version(key: VersionKey): Answer<object> {
    const known = catalog.version(key);
    if (known) return found(versionAnswer(known));
    const advisories = catalog.affecting(key);
    return advisories.length === 0 ? unknown : found(affectedAnswer(canonicalKey(key), advisories));
  }

  return {
    package: (key) => answer(catalog.package(key), packageAnswer),
    version,
    requirements: (key) => foundOrUnknown(catalog.version(key)?.fields.requirements),
    project: (id) => answer(catalog.projects.get(id.toLowerCase()), projectAnswer),
    similar: (key) => answer(catalog.package(key), (it) => similarAnswer(it.key, catalog.similar(key))),
    advisory: (id) => answer(catalog.advisories.get(id), advisoryAnswer),
    query({ hash, key }) {
      if (hash === undefined) {
        const one = key ? version(key) : unknown;
        return found(one.kind === 'found' ? [{ version: one.body, artifacts: [] }] : []);
      }
      const byKey = key && catalog.version(key);
      const matches = catalog
        .withHash(hash.type, hash.digest)
        .filter((it) => hashed.systems.includes(it.key.system) && (key === undefined || it === byKey));
      return found(matches.map((it) => ({ version: versionAnswer(it), artifacts: artifacts(it) })));
    },
  };
}

function answer<T>(record: T | undefined, write: (record: T) => object): Answer<object> {
  return foundOrUnknown(record && write(record));
}

function artifacts(it: CatalogVersion): string[] {
  const url = artifactUrl(it);
  return url === undefined ? [] : [url];
}
