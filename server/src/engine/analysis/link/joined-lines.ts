import { groupBy } from '../../base/collections.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Dependency, Manifest } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';

/*
 * Several lines of one package are one version:
 *
 *     flask>=2       -r others.txt      [dependency-groups]
 *     flask<3        flask<3            dev = ["flask<3"]      of uv, PDM and Poetry
 */

/** A line in one of the files of a chain. */
interface Line {
  readonly dependency: Dependency;
  readonly file: ParsedManifest;
}

/**
 * Adds to a dependency of the first file the ranges of the other lines, as far as these always apply.
 * @param files those of the chain
 */
export function createJoin(
  files: readonly ParsedManifest[],
  link: (dependency: Dependency, file: ParsedManifest) => LinkedDependency,
): (linked: LinkedDependency, declared: Dependency) => LinkedDependency {
  const [document] = files;
  if (document?.format.system !== 'PYPI' || document.format.record !== undefined) return (linked) => linked;
  const own = files.filter((it) => it.format.id === document.format.id);
  return (linked, declared) => {
    if (linked.dependency.scope === 'build') return linked;
    const all = own.flatMap((file) =>
      (linesIn(file.manifest).get(linked.key.name) ?? []).map((dependency): Line => ({ dependency, file })),
    );
    if (all.length < 2) return linked;
    const others = all.filter((it) => it.dependency !== declared && isJoined(it, declared, document));
    const required = others.flatMap(({ dependency, file }) => {
      const { condition } = dependency;
      const { requirement } = link(dependency, file);
      if (requirement.kind !== 'text' || requirement.text === '') return [];
      const isBeside = condition === undefined || declared.condition === undefined || condition === declared.condition;
      return isBeside ? [{ ...requirement, isAlways: condition === undefined }] : [];
    });
    if (required.length === 0) return linked;
    const ranges = new Set(required.filter((it) => it.isAlways).map((it) => it.text));
    const beside = required.map(({ text, place }) => ({ text, ...(place && { place }) }));
    return { ...linked, beside, ...(ranges.size > 0 && { joined: [...ranges].join(',') }) };
  };
}

function linesIn(manifest: Manifest): ReadonlyMap<string, readonly Dependency[]> {
  const before = linesOf.get(manifest);
  if (before) return before;
  const installed = manifest.dependencies.filter((it) => it.scope !== 'build' && !rules.test(it.group ?? ''));
  const made = groupBy(installed, (it) => it.key.name);
  linesOf.set(manifest, made);
  return made;
}

const linesOf = new WeakMap<Manifest, ReadonlyMap<string, readonly Dependency[]>>();

/** The groups that require nothing. */
const rules = /^(?:(?:build-)?constraint|override)-dependencies$/;

function isJoined({ dependency, file }: Line, declared: Dependency, document: ParsedManifest): boolean {
  if (document.format.id !== 'pyproject.toml') return true;
  // Members of a workspace have requirements of their own.
  return file === document && (dependency.group === declared.group || document.manifest.joinsGroups === true);
}
