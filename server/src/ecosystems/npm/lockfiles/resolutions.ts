import { isRecord } from '../../../base/text.ts';
import { parsePlainJson, recordAt } from '../../../formats/json/plain.ts';

/** The range that a resolution of yarn has in the place of one that a package requires; undefined where none is meant. */
export type Redirect = (
  by: { readonly name: string; readonly version: string },
  required: { readonly name: string; readonly range: string },
) => string | undefined;

interface Resolution {
  /** The package that has to require it, in all versions where none is named. */
  readonly from?: { readonly name: string; readonly version: string | undefined };
  /** All ranges where none is named. */
  readonly range: string | undefined;
  readonly wanted: string;
}

/** The resolutions of a package.json as text, which is the same until they change. */
export function resolutionsIn(text: string): string | undefined {
  if (!text.includes('"resolutions"')) return undefined;
  const root = parsePlainJson(text)?.value;
  const resolutions = isRecord(root) ? recordAt(root, 'resolutions') : {};
  return Object.keys(resolutions).length > 0 ? JSON.stringify(resolutions) : undefined;
}

/**
 * Resolutions of the later yarn; the first that matches counts. Source: yarn's `CorePlugin.reduceDependency`.
 *
 *     "resolutions": { "express@npm:4.18.0/qs@6.11.0": "6.11.1" }
 *                       from               name         wanted
 *
 * Those of the first one name paths, of which the last two packages count.
 */
export function createRedirect(resolutions: string | undefined): Redirect {
  const byName = new Map<string, Resolution[]>();
  const root = resolutions === undefined ? undefined : parsePlainJson(resolutions)?.value;
  for (const [pattern, wanted] of Object.entries(isRecord(root) ? root : {})) {
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

/** A package with its range: `@babel/core@npm:^7.0.0`, `lodash`, `**`. */
const part = /((?:@[^@/]+\/)?[^@/]+)(?:@((?:npm:)?[^/]*))?(?:\/|$)/g;

/** yarn takes a range without a protocol for one of npm. */
function bare(range: string | undefined): string | undefined {
  return range?.replace(/^npm:(?!.*@)/, '');
}
