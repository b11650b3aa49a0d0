import { type System, systems } from '../../server/src/engine/model/system.ts';
import type { Catalog } from '../../server/src/service/catalog/catalog.ts';
import { loadCatalog } from '../../server/src/service/catalog/load.ts';
import { catalogDirectory } from '../harness/service.ts';
import { checkCatalog } from './check-catalog.ts';
import { isLicense } from './spdx.ts';

/* `npm run catalog`: prints the share of versions with each field in the embedded catalog, and its contradictions. */

const coverageFields = [
  'publishedAt',
  'licenses',
  'deprecated',
  'advisories',
  'links',
  'slsaProvenances',
  'relatedProjects',
  'hashes',
  'requirements',
] as const;

const catalog = await loadCatalog(catalogDirectory);
const problems = checkCatalog(catalog, { isLicense, now: Date.now() });

const header = ['system', 'packages', 'invented', 'no default', 'versions', ...coverageFields];
const rows = coverage(catalog).map((it) => [
  it.system,
  String(it.packages),
  String(it.invented),
  String(it.withoutDefault),
  String(it.versions),
  ...coverageFields.map((field) => share(it.fields[field] ?? 0, it.versions)),
]);
const widths = header.map((name, index) => Math.max(name.length, ...rows.map((it) => it[index]?.length ?? 0)));
for (const row of [header, ...rows]) {
  console.log(
    row
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  );
}
console.log(`${catalog.advisories.size} advisories`);
for (const it of problems) console.error(it);
process.exitCode = problems.length === 0 ? 0 : 1;

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : part === 0 ? '0' : `${((100 * part) / whole).toFixed(1)} %`;
}

/** The coverage of one system. */
interface Coverage {
  readonly system: System;
  readonly packages: number;
  readonly invented: number;
  /** Packages whose default version is not confirmed, or that have none. */
  readonly withoutDefault: number;
  readonly versions: number;
  /** Field → number of versions that have it. */
  readonly fields: Readonly<Record<string, number>>;
}

function coverage(catalog: Catalog): Coverage[] {
  return systems.map((system) => {
    const records = catalog.records.filter((it) => it.system === system);
    const versions = records.flatMap((it) => catalog.package(it)?.versions ?? []);
    const says = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
    return {
      system,
      packages: records.length,
      invented: records.filter((it) => it.invented).length,
      withoutDefault: records.filter((it) => !Object.values(it.versions).some((version) => version.isDefault)).length,
      versions: versions.length,
      fields: Object.fromEntries(
        coverageFields.map((field) => [
          field,
          versions.filter((it) => says(field === 'advisories' ? it.advisories : it.fields[field])).length,
        ]),
      ),
    };
  });
}
