import { checkCatalog, coverage, coverageFields } from '../../server/src/service/check.ts';
import { loadCatalog } from '../../server/src/service/load.ts';
import { catalogDirectory } from '../harness/service.ts';
import { isLicense } from './spdx.ts';

/*
 * `npm run catalog`: what the embedded catalog knows, as the share of versions that say something in each field, and
 * what contradicts itself in it.
 */

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
