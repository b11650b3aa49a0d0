import { groupBy } from '../base/collections.ts';
import { isoDay } from '../base/dates.ts';
import { parseJson } from '../formats/json/parse.ts';
import type { Advisory, EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { PackageKey } from '../model/keys.ts';
import type { Ignore, Project } from '../model/project.ts';
import { matchesPackage } from './package-patterns.ts';
import { MAX_PROJECT_FILE_LENGTH } from './project-file.ts';

/**
 * The part of a project file that applies now: without expired ignores. An untrusted folder may add findings but not
 * hide any, so its ignores and exceptions do not apply.
 * @param now in ms since the epoch
 */
export function effectiveProject(project: Project, now: number, isTrusted: boolean): Project {
  const { licenses, ignores } = project;
  if (!isTrusted) {
    return {
      ...project,
      ignores: [],
      ...(licenses && { licenses: { ...licenses, exceptions: [], runtimeOnly: false } }),
    };
  }
  const today = isoDay(now);
  return { ...project, ignores: ignores.filter((it) => it.until === undefined || it.until >= today) };
}

/** The ignore that accepts a finding of a package. */
export function findIgnore(project: Project | undefined, key: PackageKey, ids: readonly string[]): Ignore | undefined {
  if (!project || project.ignores.length === 0) return undefined;
  const byId = ignoresById.get(project.ignores) ?? groupBy(project.ignores, (it) => it.id);
  ignoresById.set(project.ignores, byId);
  for (const id of ids) {
    const ignore = byId.get(id)?.find((it) => it.package === undefined || matchesPackage(it.package, key));
    if (ignore) return ignore;
  }
  return undefined;
}

/** The ignores of a file by finding: a lockfile looks them up thousands of times. */
const ignoresById = new WeakMap<Project['ignores'], ReadonlyMap<string, readonly Ignore[]>>();

/** The advisories that no ignore accepts. */
export function activeAdvisories({ advisories, project, linked }: EvaluatedDependency): readonly Advisory[] {
  if (!project || project.ignores.length === 0) return advisories;
  return advisories.filter((it) => !findIgnore(project, linked.key, [it.id, ...it.aliases]));
}

/** Whether an ignore accepts the deprecation. */
export function isDeprecationIgnored({ project, linked }: EvaluatedDependency): boolean {
  return findIgnore(project, linked.key, ['deprecated']) !== undefined;
}

/** Text to insert, and where. */
export interface Insertion {
  /** Offset in UTF-16 units. */
  readonly at: number;
  readonly text: string;
}

/**
 * Adds an ignore to a project file, as the first of its list. The rest of the text stays as it is, with comments,
 * commas and line ends.
 *
 *     { "ignores": [
 *                  ↑
 * @param text `''` where there is no such file yet
 * @returns undefined where the file has syntax errors or is too long
 */
export function addIgnore(text: string, ignore: Ignore): Insertion | undefined {
  if (text.length > MAX_PROJECT_FILE_LENGTH) return undefined;
  const { root, problems } = parseJson(text);
  const entry = onOneLine(ignore);
  if (text.trim() === '') return { at: text.length, text: `{\n  "ignores": [\n    ${entry}\n  ]\n}\n` };
  if (root?.kind !== 'object' || problems.length > 0) return undefined;
  const list = root.properties.findLast((it) => it.name.text === 'ignores')?.value;
  if (list === undefined) {
    if (root.properties.some((it) => it.name.text === 'ignores')) return undefined;
    const first = root.properties[0]?.name.span.start;
    const at = root.span.start + 1;
    return { at, text: asFirst(text, at, first, (line) => `"ignores": [${line(1)}${entry}${line(0)}]`) };
  }
  if (list.kind !== 'array') return undefined;
  const at = list.span.start + 1;
  return { at, text: asFirst(text, at, list.items[0]?.span.start, () => entry) };
}

function onOneLine(ignore: Ignore): string {
  const parts = Object.entries(ignore).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{ ${parts.join(', ')} }`;
}

/**
 * The text that inserts a first item into a list or an object.
 * @param at the offset after the bracket
 * @param next the start of the present first item; absent for an empty list
 * @param write writes the item; its argument returns a line break with so many further steps of indentation
 */
function asFirst(
  text: string,
  at: number,
  next: number | undefined,
  write: (line: (steps: number) => string) => string,
) {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const step = /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ';
  const around =
    /^[\t \uFEFF]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0].replace('\uFEFF', '') ?? '';
  const line = (steps: number): string => `${end}${around}${step}${step.repeat(steps)}`;
  const isOnOneLine = next !== undefined && !text.slice(at, next).includes('\n');
  if (isOnOneLine) return `${write(line)},`;
  return `${line(0)}${write(line)}${next === undefined ? `${end}${around}` : ','}`;
}
