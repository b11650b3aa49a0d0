import { pom } from '../manifests/pom.ts';
import type { Dependency } from '../model/manifest.ts';
import type { Parsed } from './link.ts';

/** A bill, and the file that imports it. */
export interface ImportedBill {
  readonly file: Parsed;
  readonly dependency: Dependency;
}

/**
 * The bills that some files import, nearest first, those of profiles last.
 *
 * Source: Maven's MavenModelMerger puts the managed packages of a project together with its parent's before it imports
 * anything: of one bill in two versions the child's counts; of a child's own two the last, and of a parent's the first.
 * Where no parent manages anything, both are imported.
 * @param files a project, and its parents
 */
export function importedBills(files: readonly Parsed[]): readonly ImportedBill[] {
  const named = files.map((file) => billsIn(file).map((dependency) => ({ file, dependency })));
  const always = named.map((all) => all.filter(({ dependency }) => dependency.condition === undefined));
  const sometimes = named.flat().filter(({ dependency }) => dependency.condition !== undefined);
  return [...(files[0]?.format.id === pom.id ? merged(files, always) : always.flat()), ...sometimes];
}

function billsIn({ manifest }: Parsed): readonly Dependency[] {
  return manifest.dependencies.filter((it) => it.inherits?.as === 'bill');
}

function merged(files: readonly Parsed[], imported: readonly (readonly ImportedBill[])[]): readonly ImportedBill[] {
  const highest = files.findLastIndex(manages);
  if (highest <= 0) return imported.flat();
  const byName = new Map<string, ImportedBill>();
  for (const [at, bills] of imported.entries()) {
    const nearer = new Set(byName.keys());
    for (const it of bills) {
      const { name } = it.dependency.key;
      if (!nearer.has(name) && (at < highest || !byName.has(name))) byName.set(name, it);
    }
  }
  return [...byName.values()];
}

function manages(file: Parsed): boolean {
  return file.manifest.definitions.some((it) => it.id.startsWith('managed:')) || billsIn(file).length > 0;
}
