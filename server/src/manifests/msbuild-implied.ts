import { groupBy } from '../model/grouped.ts';
import { type Definition, type Dependency, type FileRef, idsIn } from '../model/manifest.ts';
import { msbuildFormatOf } from './msbuild-imports.ts';

/** A file that MSBuild or NuGet reads unasked, the nearest of its name in the directory or above. */
export interface Implied {
  readonly path: string;
  /** What it may define: `central:` versions, a `property:`, the versions of an `sdk:`. */
  readonly defines: readonly string[];
}

export const centralPackagesFile: Implied = { path: 'Directory.Packages.props', defines: ['central:'] };
export const buildProps: Implied = { path: 'Directory.Build.props', defines: ['central:', 'property:'] };
export const buildTargets: Implied = { path: 'Directory.Build.targets', defines: ['central:', 'property:'] };
export const globalJsonFile: Implied = { path: 'global.json', defines: ['sdk:'] };

/**
 * The implied files that are needed: those that may define what the dependencies come to and the file itself does not
 * say for certain. A project that states all its versions needs none, and none is looked for.
 */
export function impliedBy(
  files: readonly Implied[],
  dependencies: readonly Dependency[],
  definitions: readonly Definition[],
): FileRef[] {
  const open = [...openIds(dependencies, definitions)];
  return files
    .filter(({ defines }) => open.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(({ path }) => ({ kind: 'parent', path, format: formatOf(path), upward: 'self' }));
}

function formatOf(path: string): string {
  return path === 'global.json' ? path : msbuildFormatOf(path);
}

/** What is referred to, by dependencies or by what they refer to, and defined here at most under a condition. */
function openIds(dependencies: readonly Dependency[], definitions: readonly Definition[]): Set<string> {
  const values = groupBy(definitions, (it) => it.id);
  const seen = new Set<string>();
  const open = new Set<string>();
  const next = dependencies.flatMap(({ requirement, nameParts }) => [
    ...idsIn(requirement),
    ...idsIn({ kind: 'template', parts: nameParts ?? [], span: { start: 0, end: 0 } }),
  ]);
  for (let id = next.pop(); id !== undefined; id = next.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    const own = values.get(id) ?? [];
    if (own.every((it) => it.condition !== undefined)) open.add(id);
    for (const it of own) next.push(...idsIn(it.value));
  }
  return open;
}
