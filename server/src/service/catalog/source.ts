import type { Source } from '../source.ts';
import { advisoryAnswer, artifactUrl, packageAnswer, projectAnswer, similarAnswer, versionAnswer } from '../wire.ts';
import type { Catalog, CatalogVersion } from './catalog.ts';

/** Hash queries serve these; the others have no one file that is a version. */
const hashed = {
  systems: ['NPM', 'CARGO', 'MAVEN', 'NUGET'] as readonly string[],
  source: 'contract of the Package Insights Service, “Query parameters of Query”',
} as const;

/** Answers from a catalog. */
export function catalogSource(catalog: Catalog): Source {
  return {
    package(key) {
      const found = catalog.package(key);
      return found && packageAnswer(found);
    },
    version(key) {
      const found = catalog.version(key);
      return found && versionAnswer(found);
    },
    requirements: (key) => catalog.version(key)?.fields.requirements,
    project(id) {
      const found = catalog.projects.get(id.toLowerCase());
      return found && projectAnswer(found);
    },
    similar(key) {
      const found = catalog.package(key);
      return found && similarAnswer(found.key, catalog.similar(key));
    },
    advisory(id) {
      const found = catalog.advisories.get(id);
      return found && advisoryAnswer(found);
    },
    query({ hash, key }) {
      const byKey = key && catalog.version(key);
      const found = hash
        ? catalog
            .withHash(hash.type, hash.digest)
            .filter((it) => hashed.systems.includes(it.key.system) && (key === undefined || it === byKey))
        : [byKey].filter((it) => it !== undefined);
      return found.map((it) => ({ version: versionAnswer(it), artifacts: artifacts(it) }));
    },
  };
}

function artifacts(it: CatalogVersion): string[] {
  const url = artifactUrl(it);
  return url === undefined ? [] : [url];
}
