import { isRecord } from '../../../base/text.ts';
import { parsePlainJson, recordAt } from '../../../formats/json/plain.ts';
import { parseYaml } from '../../../formats/yaml/parse.ts';
import { entriesOf, entryAt, resolved } from '../../../formats/yaml/tree.ts';
import { npm } from '../versions.ts';

/** What yarn changes in the packages that its lockfile lists as they are published. */
export interface YarnRules {
  /** The range that a resolution has in the place of one that a package requires; undefined where none is meant. */
  readonly redirect: (by: Requirer, required: Required) => string | undefined;
  /** What settings add to the dependencies of a package. */
  readonly added: (by: Requirer) => readonly Required[];
}

interface Requirer {
  readonly name: string;
  readonly version: string;
}

interface Required {
  readonly name: string;
  readonly range: string;
}

interface Resolution {
  /** The package that has to require it, in all versions where none is named. */
  readonly from?: { readonly name: string; readonly version: string | undefined };
  /** All ranges where none is named. */
  readonly range: string | undefined;
  readonly wanted: string;
}

/** The rules of a package.json and of a .yarnrc.yml as text, which is the same until they change. */
export function yarnRulesIn([manifest = '', settings = '']: readonly (string | undefined)[]): string | undefined {
  const root = manifest.includes('"resolutions"') ? parsePlainJson(manifest)?.value : undefined;
  const resolutions = isRecord(root) ? recordAt(root, 'resolutions') : {};
  const extensions = settings.includes('packageExtensions') ? extensionsIn(settings) : [];
  if (Object.keys(resolutions).length + extensions.length === 0) return undefined;
  return JSON.stringify({ resolutions, extensions: Object.fromEntries(extensions) });
}

/** `packageExtensions: { 'webpack@*': { dependencies: { acorn: ^8.0.0 } } }` */
function extensionsIn(text: string): (readonly [string, Readonly<Record<string, string>>])[] {
  return entriesOf(entryAt(parseYaml(text).root, 'packageExtensions')).map(({ key, value }) => {
    const dependencies = entriesOf(entryAt(value, 'dependencies')).flatMap((it) => {
      const range = resolved(it.value);
      return range?.kind === 'scalar' ? [[it.key.text, range.text] as const] : [];
    });
    return [key.text, Object.fromEntries(dependencies)];
  });
}

/** @param text of `yarnRulesIn` */
export function readYarnRules(text: string | undefined): YarnRules {
  const root = text === undefined ? undefined : parsePlainJson(text)?.value;
  const rules = isRecord(root) ? root : {};
  return {
    redirect: createRedirect(recordAt(rules, 'resolutions')),
    added: createAdded(recordAt(rules, 'extensions')),
  };
}

/**
 * Resolutions of the later yarn; the first that matches counts. Source: yarn's `CorePlugin.reduceDependency`.
 *
 *     "resolutions": { "express@npm:4.18.0/qs@6.11.0": "6.11.1" }
 *                       from               name         wanted
 *
 * Those of the first one name paths, of which the last two packages count.
 */
function createRedirect(resolutions: Readonly<Record<string, unknown>>): YarnRules['redirect'] {
  const byName = new Map<string, Resolution[]>();
  for (const [pattern, wanted] of Object.entries(resolutions)) {
    const parts = Array.from(pattern.matchAll(part), ([, name = '', range]) => ({ name, range: bare(range) }));
    const last = parts.at(-1);
    if (last === undefined || typeof wanted !== 'string') continue;
    const { name = '', range } = parts.at(-2) ?? {};
    const from = /^\*{0,2}$/.test(name) ? undefined : { name, version: range };
    const all = byName.get(last.name) ?? [];
    byName.set(last.name, [...all, { ...(from && { from }), range: last.range, wanted }]);
  }
  return (by, { name, range }) =>
    byName.get(name)?.find((it) => {
      const isFrom = !it.from || (it.from.name === by.name && (it.from.version ?? by.version) === by.version);
      return isFrom && (it.range === undefined || it.range === bare(range));
    })?.wanted;
}

function createAdded(extensions: Readonly<Record<string, unknown>>): YarnRules['added'] {
  const all = Object.entries(extensions).flatMap(([selector, dependencies]) => {
    const [, name, range = ''] = /^((?:@[^@/]+\/)?[^@/]+)@(.*)$/.exec(selector) ?? [];
    if (name === undefined || !isRecord(dependencies)) return [];
    const added = Object.entries(dependencies).map(([it, wanted]) => ({ name: it, range: String(wanted) }));
    return [{ name, range, added }];
  });
  return (by) =>
    all.flatMap(({ name, range, added }) => (name === by.name && npm.satisfies(by.version, range) ? added : []));
}

/** A package with its range: `@babel/core@npm:^7.0.0`, `lodash`, `**`. */
const part = /((?:@[^@/]+\/)?[^@/]+)(?:@((?:npm:)?[^/]*))?(?:\/|$)/g;

/** yarn takes a range without a protocol for one of npm. */
function bare(range: string | undefined): string | undefined {
  return range?.replace(/^npm:(?!.*@)/, '');
}
