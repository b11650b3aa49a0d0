import type { AdvisoryRecord, VersionFields } from '../../../server/src/service/catalog/record.ts';
import { catalogSource } from '../../../server/src/service/catalog/source.ts';
import { type ReceivedRequest, serveHttp } from '../../../server/src/service/http-server.ts';
import { type InlinePackage, inlineCatalog } from '../../harness/service.ts';
import { slowRelay } from '../../harness/slow-relay.ts';
import {
  isDeprecated,
  isFlagged,
  isFlawed,
  MAX_FLAGGED,
  MAX_LISTED,
  manyListed,
  manyPackages,
  someFlagged,
  versionOf,
} from './texts.ts';

/*
 * The service for the measurements, in a process of its own: near, and 60 and 100 ms away. It reports the requests
 * since the last report to its parent process.
 */
const seen: ReceivedRequest[] = [];
const older = { '1.0.0': {}, '1.1.0': {}, '1.2.0': {} };
const some = someFlagged(MAX_FLAGGED);
const catalog = inlineCatalog({
  // Asked about, the service tells that the registry of the lockfiles is public.
  'NPM lodash': { versions: { '4.17.21': { isDefault: true } } },
  ...Object.fromEntries(
    manyPackages(20_000).map((name) => [
      `NPM ${name}`,
      { versions: { ...older, [versionOf(name)]: { isDefault: true }, '2.0.0-rc.1': {} }, shared: shared(name) },
    ]),
  ),
  ...Object.fromEntries(
    manyListed(MAX_LISTED).map((name) => [`NPM ${name}`, { versions: listOf(name), shared: shared(name) }]),
  ),
  ...Object.fromEntries(some.map((name) => [`NPM ${name}`, { versions: versionsOf(name), shared: shared(name) }])),
  ...Object.fromEntries(some.filter(isFlawed).map((name) => [`advisory GHSA-${name}`, advisoryOf(name)])),
});
const { url, port } = await serveHttp({ source: catalogSource(catalog), onRequest: (it) => void seen.push(it) });
const [far, farther] = [await slowRelay(port, 60), await slowRelay(port, 100)];

process.on('message', () => process.send?.(seen.splice(0)));
process.on('disconnect', () => process.exit());
process.send?.({ 0: url, 60: far.url, 100: farther.url });

function shared(name: string): VersionFields {
  const links = [{ label: 'SOURCE_REPO', url: `https://code.example/${name}` }];
  return { publishedAt: '2025-03-01T00:00:00Z', licenses: ['MIT'], links };
}

/** A hundred versions. The median of the packages that usual manifests require is near it. */
function listOf(name: string): InlinePackage['versions'] {
  const others = Array.from({ length: 99 }, (_, index) => [`${index % 3}.${index % 11}.${1000 + index}`, {}]);
  return { ...Object.fromEntries(others), [versionOf(name)]: { isDefault: true } };
}

function versionsOf(name: string): InlinePackage['versions'] {
  if (!isFlagged(name)) return { ...older, [versionOf(name)]: { isDefault: true } };
  const own = isDeprecated(name) ? { deprecated: 'no longer maintained' } : {};
  return { ...older, [versionOf(name)]: own, '1.3.0': { isDefault: true } };
}

function advisoryOf(name: string): Partial<AdvisoryRecord> {
  const affected = [{ system: 'NPM', name, ranges: [{ introduced: '1.0.0', fixed: '1.3.0' }] }] as const;
  return { title: 'Does more than it should', cvss3Score: 7.5, affected };
}
