import { type Definition, type Dependency, type FileRef, idsIn } from '../model/manifest.ts';
import type { Script } from './gradle-script.ts';
import { wordAt } from './gradle-statements.ts';
import type { Token } from './gradle-tokens.ts';
import { referenceTo } from './gradle-values.ts';

/**
 * The script that a statement applies.
 *
 *     apply from: "$rootDir/gradle/versions.gradle"     apply(from = "versions.gradle.kts")
 *                           ^^^^^^^^^^^^^^^^^^^^^^^ looked for in the directories above
 */
export function appliedScript(tokens: readonly Token[], script: Script): FileRef | undefined {
  const from = tokens.findIndex((_, at) => wordAt(tokens, at) === 'from');
  const at = tokens.findIndex((it, index) => index > from && it.kind === 'string');
  const string = tokens[at];
  if (from < 0 || string?.kind !== 'string') return undefined;
  const [first] = string.pieces;
  const last = string.pieces.at(-1);
  if (!first || last?.kind !== 'text' || string.pieces.length > 2) return undefined;
  const before = script.text.slice(tokens[from]?.end ?? 0, string.span.start);
  const holder = first.kind === 'expression' ? first.text : before;
  const directory = first.kind === 'expression' ? directoryOf(first.text, script, 0) : '';
  const path = `${directory ?? ''}${last.text}`.replaceAll('\\', '/').replace(/^\/+/, '');
  if (!/\.gradle(?:\.kts)?$/.test(path) || /^[a-z]+:\/\//i.test(path)) return undefined;
  if (directory === undefined) return undefined;
  const fromRoot = directory === '' && /\broot(?:Dir|Project)\b/.test(holder);
  const reference = { kind: 'include', path, format: 'build.gradle', span: last.span } as const;
  return fromRoot || isBelowRoot(holder, script) ? { ...reference, upward: 'self' } : reference;
}

/** What a directory is called from the script, or from the root of the build; empty for these, undefined where unknown. */
function directoryOf(expression: string, script: Script, depth: number): string | undefined {
  if (/^(?:(?:rootProject|project|settings)\s*\.\s*)*(?:rootDir|projectDir|settingsDir)\b/.test(expression)) return '';
  const definition = script.definitions.findLast((it) => it.id === referenceTo(expression).id);
  if (depth > 5 || definition === undefined) return undefined;
  const { value } = definition;
  if (value.kind === 'literal') return value.at.text;
  if (value.kind === 'reference') return directoryOf(value.to.label, script, depth + 1);
  if (value.kind !== 'template') return undefined;
  const parts = value.parts.map((it) => (typeof it === 'string' ? it : directoryOf(it.label, script, depth + 1)));
  return parts.includes(undefined) ? undefined : parts.join('');
}

function isBelowRoot(expression: string, { definitions }: Script): boolean {
  const value = definitions.findLast((it) => it.id === referenceTo(expression).id)?.value;
  const parts = value?.kind === 'template' ? value.parts : value?.kind === 'reference' ? [value.to] : [];
  return parts.some((it) => typeof it !== 'string' && /\broot(?:Dir|Project)\b/.test(it.label));
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
  {
    path: 'gradle.properties',
    format: 'gradle.properties',
    upward: 'self',
    defines: ['property:', 'library:', 'module:'],
  },
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
  // What only counts where no file says otherwise leaves open what they say.
  const own = new Set(definitions.filter((it) => !it.seldom).map((it) => it.id));
  const open = new Set<string>();
  for (const { requirement, nameParts } of dependencies) {
    for (const it of nameParts ?? []) if (typeof it !== 'string') open.add(it.id);
    for (const id of idsIn(requirement)) open.add(id);
  }
  for (const { value } of definitions) for (const id of idsIn(value)) open.add(id);
  const missing = [...open].filter((it) => !own.has(it));
  const files = implied
    .filter(({ defines }) => missing.some((id) => defines.some((prefix) => id.startsWith(prefix))))
    .map(({ path, format, upward }): FileRef => ({ kind: 'parent', path, format, upward }));
  return [...files, ...objectFiles(missing)];
}

/** Builds whose code all scripts may refer to, and where it lies in them. */
const codeOfBuilds = ['buildSrc', 'build-logic'].flatMap((it) =>
  ['kotlin', 'java'].map((of) => `${it}/src/main/${of}`),
);
/** Files that hold several objects, or those that others refer to. Source: the guides of Android and of Gradle. */
const usualFiles: readonly string[] = ['Dependencies', 'Deps', 'Libs', 'Versions'];
/** Objects that one script may name: each is looked for in some places. */
const mostObjects = 10;

/** Where an object of Kotlin may stand that a script refers to: `Libs.retrofit`, `${Versions.okhttp}`. */
function objectFiles(missing: readonly string[]): FileRef[] {
  const objects = missing.flatMap((id) => /^(?:property|library|module):([A-Z]\w{0,100})[.-]/.exec(id)?.[1] ?? []);
  if (objects.length === 0) return [];
  const names = [...new Set([...new Set(objects)].slice(0, mostObjects).concat(usualFiles))];
  return codeOfBuilds.flatMap((directory) =>
    names.map((it): FileRef => {
      const path = `${directory}/${it}.kt`;
      return { kind: 'parent', path, format: 'build.gradle', upward: 'self' };
    }),
  );
}
