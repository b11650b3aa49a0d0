import type { Dependency } from '../model/manifest.ts';
import { npm, rangesIntersect } from './npm/versions.ts';
import { ownOverrides } from './shared/project-rules.ts';

/** The package whose dependencies an override may be for. */
export interface Requirer {
  readonly name?: string;
  readonly version?: string;
  /** Whether it is a member of a workspace, and not its root. */
  readonly isMember: boolean;
}

/** A package in a selector: `ms`, `ms@^1`, `ms@npm:^1`. */
interface Part {
  readonly name: string;
  readonly range: string | undefined;
}

interface Selector {
  readonly text: string;
  /** The packages that bring it along, the outermost first. */
  readonly parents: readonly Part[];
  readonly target: Part;
}

/**
 * Finds the override of a field that replaces what a package requires itself.
 *
 *     overrides         ms    ms@1    member-a > ms    of npm, bun and Deno
 *     pnpm.overrides    ms    ms@1    app@1>ms@1
 *     resolutions       ms    ms@npm:^1.0.0    app/ms
 *
 * @param by what an alias is called, or the package behind it, as Deno means
 * @returns the text of the selector
 */
export function createSelect(
  field: string,
  selectors: readonly string[],
  own: Requirer,
  by: 'name' | 'package',
): (dependency: Dependency) => string | undefined {
  const byName = new Map<string, Selector[]>();
  for (const text of selectors) {
    const parts = partsOf(field, text);
    const target = parts.at(-1);
    if (target === undefined) continue;
    const parents = parts.slice(0, -1);
    if (!isForOwn(field, parents, own)) continue;
    byName.set(target.name, [...(byName.get(target.name) ?? []), { text, parents, target }]);
  }
  // Where it is said for whom an override is, that counts more.
  if (field !== 'resolutions')
    for (const all of byName.values()) all.sort((a, b) => b.parents.length - a.parents.length);
  return ({ name, key, requirement }) => {
    const all = byName.get(by === 'name' && key.system === 'NPM' ? name : key.name);
    if (all === undefined) return undefined;
    const range = requirement.kind === 'literal' ? requirement.at.text : undefined;
    const fits = all.filter(({ target }) => isSelected(field, target.range, range));
    const [first] = fits;
    if (field !== 'pnpm.overrides') return first?.text;
    // pnpm takes the narrowest range.
    const same = fits.filter((it) => it.parents.length === first?.parents.length);
    const narrowest = same.find(({ target }) =>
      same.every((it) => it.target.range === undefined || it.target === target),
    );
    return (narrowest ?? first)?.text;
  };
}

function partsOf(field: string, text: string): readonly Part[] {
  const parts =
    field === 'pnpm.overrides'
      ? text.split(/(?<![\s|@])>/)
      : field === 'resolutions'
        ? (text.match(/(?:@[^@/]+\/)?[^@/]+(?:@[^/]*)?(?=\/|$)/g) ?? []).filter((it) => !/^\*+$/.test(it))
        : text.split(' > ');
  return parts.map((it) => {
    const at = it.indexOf('@', 1);
    return at < 0 ? { name: it, range: undefined } : { name: it.slice(0, at), range: it.slice(at + 1) };
  });
}

function isForOwn(field: string, parents: readonly Part[], { name, version, isMember }: Requirer): boolean {
  const [parent] = parents;
  if (parent === undefined) return true;
  // npm begins at what the root requires.
  if (parents.length > 1 || parent.name !== name || (field === ownOverrides && !isMember)) return false;
  return parent.range === undefined || (version !== undefined && npm.satisfies(version, parent.range));
}

/**
 * pnpm and npm mean every range that has a version in common, yarn the same text.
 * @param required undefined where the requirement is no text of its own: `catalog:`
 */
function isSelected(field: string, selector: string | undefined, required: string | undefined): boolean {
  if (selector === undefined) return true;
  if (required === undefined) return false;
  if (field === 'resolutions') return selector.replace(/^npm:/, '') === required.replace(/^npm:/, '');
  return selector === required || rangesIntersect(selector, required);
}
