import { type Definition, type Dependency, type FileRef, idsIn } from '../model/manifest.ts';
import { wordAt } from './gradle-statements.ts';
import type { Token } from './gradle-tokens.ts';

/**
 * The script that a statement applies.
 *
 *     apply from: "$rootDir/gradle/versions.gradle"     apply(from = "versions.gradle.kts")
 *                           ^^^^^^^^^^^^^^^^^^^^^^^ looked for in the directories above
 */
export function appliedScript(tokens: readonly Token[], source: string): FileRef | undefined {
  const from = tokens.findIndex((_, at) => wordAt(tokens, at) === 'from');
  const at = tokens.findIndex((it, index) => index > from && it.kind === 'string');
  const string = tokens[at];
  if (from < 0 || string?.kind !== 'string') return undefined;
  const [first, second] = string.pieces;
  const last = string.pieces.at(-1);
  if (!first || last?.kind !== 'text' || string.pieces.length > 2) return undefined;
  const before = source.slice(tokens[from]?.span.end ?? 0, string.span.start);
  const holder = first.kind === 'expression' ? first.text : before;
  const path = (second ? last.text.replace(/^\//, '') : last.text).replaceAll('\\', '/');
  if (!/\.gradle(?:\.kts)?$/.test(path) || /^[a-z]+:\/\//i.test(path)) return undefined;
  const fromRoot = /\broot(?:Dir|Project)\b/.test(holder);
  if (first.kind === 'expression' && !fromRoot && !/\bprojectDir\b/.test(holder)) return undefined;
  const reference = { kind: 'include', path, format: 'build.gradle', span: last.span } as const;
  return fromRoot ? { ...reference, upward: 'self' } : reference;
}

/** A file that Gradle takes for granted, the nearest of its name in the directory or above. */
interface Implied {
  readonly path: string;
  readonly format: string;
  readonly upward: 'self' | 'parent';
  /** What it may define. */
  readonly defines: readonly string[];
}

const catalog = ['version:', 'library:', 'module:', 'plugin:', 'plugin-module:'];

/** A project's properties come from its files before those of the projects around it. */
const implied: readonly Implied[] = [
  { path: 'gradle.properties', format: 'gradle.properties', upward: 'self', defines: ['property:'] },
  { path: 'gradle/libs.versions.toml', format: 'libs.versions.toml', upward: 'self', defines: catalog },
  ...['', '.kts'].flatMap((end): Implied[] => [
    {
      path: `build.gradle${end}`,
      format: 'build.gradle',
      upward: 'parent',
      defines: ['property:', 'managed:', 'library:', 'module:'],
    },
    { path: `settings.gradle${end}`, format: 'build.gradle', upward: 'self', defines: ['managed:', ...catalog] },
  ]),
];

/** The implied files that may define what this script refers to and does not define itself. */
export function impliedFiles({
  dependencies,
  definitions,
}: {
  readonly dependencies: readonly Dependency[];
  readonly definitions: readonly Definition[];
}): FileRef[] {
  const own = new Set(definitions.map((it) => it.id));
  const open = new Set<string>();
  for (const { requirement, nameParts } of dependencies) {
    for (const it of nameParts ?? []) if (typeof it !== 'string') open.add(it.id);
    for (const id of idsIn(requirement)) open.add(id);
  }
  for (const { value } of definitions) for (const id of idsIn(value)) open.add(id);
  const missing = [...open].filter((it) => !own.has(it));
  return implied
    .filter(({ defines }) => missing.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(({ path, format, upward }) => ({ kind: 'parent', path, format, upward }));
}
