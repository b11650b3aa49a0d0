import * as l10n from '@vscode/l10n';
import {
  narrowedBuildId,
  narrowedId,
  overrideId,
  ownOverrides,
  patchedId,
} from '../../ecosystems/shared/project-rules.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { areFieldsRead, isSelected } from '../../ecosystems/workspace-clients.ts';
import type { Dependency, PreReleases } from '../../model/manifest.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';

/** Fields whose values take the place of what a project requires itself. */
const overrideFields = ['pnpm.overrides', 'resolutions', ownOverrides, 'override-dependencies'] as const;

/** The groups of a package.json that install something for the project itself. */
const installed: ReadonlySet<string> = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

/** The groups of other manifests that are such rules. */
const rules: ReadonlySet<string> = new Set([
  'override-dependencies',
  'constraint-dependencies',
  'build-constraint-dependencies',
]);

/** Parts of packages: `''` for all versions, or a range. */
type Selectors = ReadonlyMap<string, readonly string[]>;

/**
 * Applies overrides, constraints and patches of a project to its own dependencies.
 * @param files those of the chain
 * @param settings which pre-releases are taken, by settings outside the files
 */
export function createProjectRules(
  files: readonly ParsedManifest[],
  lockfiles: readonly string[],
  client: string | undefined,
  settings: ManifestChain['preReleases'],
): (dependency: Dependency) => Dependency {
  const ids = files.flatMap((it) => it.manifest.definitions.map(({ id }) => id));
  const overrides = overrideFields.flatMap((field) => {
    const selectors = selectorsIn(ids, overrideId(field, ''));
    if (selectors.size === 0) return [];
    const isRead = areFieldsRead([field], lockfiles, client);
    // Where nothing else tells the client, pnpm's own settings do.
    const counts = isRead === 'yes' || (isRead === 'probably not' && field === 'pnpm.overrides');
    return counts ? [{ field, selectors }] : [];
  });
  const narrowed = selectorsIn(ids, narrowedId(''));
  const narrowedBuild = selectorsIn(ids, narrowedBuildId(''));
  const patched = selectorsIn(ids, patchedId(''));
  const ofFiles = files.flatMap((it) => it.manifest.preReleases ?? []);
  const preReleases = settings ? [settings.before, ...ofFiles, settings.behind] : ofFiles;
  if (overrides.length + narrowed.size + narrowedBuild.size + patched.size + preReleases.length === 0)
    return (it) => it;

  return (written) => {
    const dependency = withPreReleases(written, preReleases);
    const { key, name, group = '' } = dependency;
    const isConcerned = key.system === 'NPM' ? installed.has(group) : !rules.has(group);
    if (!isConcerned || dependency.requirement.kind === 'source') return dependency;
    const own = isPatched(dependency, patched.get(name))
      ? { ...dependency, frozen: l10n.t('the project patches its files') }
      : dependency;
    // What builds something is resolved apart.
    if (key.system === 'PYPI' && dependency.scope === 'build') {
      const constraint = { id: narrowedBuildId(key.name), label: 'build-constraint-dependencies' };
      return narrowedBuild.has(key.name) ? { ...own, constraint } : own;
    }
    for (const { field, selectors } of overrides) {
      const selector = selectorFor(dependency, field, selectors.get(key.system === 'NPM' ? name : key.name) ?? []);
      if (selector === undefined) continue;
      const id = overrideId(field, key.system === 'NPM' ? `${name}${selector && `@${selector}`}` : key.name);
      const { requirement, nameSpan } = dependency;
      const span = requirement.kind === 'literal' ? requirement.at.span : nameSpan;
      return { ...own, requirement: { kind: 'reference', to: { id, label: labelOf(field) }, span } };
    }
    const isNarrowed = own.constraint === undefined && narrowed.has(key.name);
    return isNarrowed ? { ...own, constraint: { id: narrowedId(key.name), label: 'constraint-dependencies' } } : own;
  };
}

/** With the pre-releases that the project takes of it: nearer files first, and those for a package before those for all. */
function withPreReleases(dependency: Dependency, rules: readonly ReadonlyMap<string, PreReleases>[]): Dependency {
  const { key, preReleases } = dependency;
  if (key.system !== 'PYPI' || preReleases !== undefined || rules.length === 0) return dependency;
  const found = rules.find((it) => it.has(key.name))?.get(key.name) ?? rules.find((it) => it.has(''))?.get('');
  return found === undefined ? dependency : { ...dependency, preReleases: found };
}

function labelOf(field: string): string {
  return field === ownOverrides ? 'overrides' : field;
}

/** `override:resolutions:@acme/ui@^1` is for a part of `@acme/ui`. */
function selectorsIn(ids: readonly string[], beginning: string): Selectors {
  const found = new Map<string, string[]>();
  for (const id of ids) {
    if (!id.startsWith(beginning)) continue;
    const rest = id.slice(beginning.length);
    const at = rest.indexOf('@', 1);
    const name = at < 0 ? rest : rest.slice(0, at);
    found.set(name, [...(found.get(name) ?? []), at < 0 ? '' : rest.slice(at + 1)]);
  }
  return found;
}

/** The selector of a field that means a dependency, that of a part before that of all versions. */
function selectorFor({ requirement }: Dependency, field: string, selectors: readonly string[]): string | undefined {
  const written = requirement.kind === 'literal' ? requirement.at.text : undefined;
  const isMeant = (selector: string): boolean =>
    selector !== '' && written !== undefined && isSelected(field, selector, written);
  return selectors.find(isMeant) ?? selectors.find((it) => it === '');
}

/** Whether the project patches a version that the range of a dependency has. */
function isPatched({ key, requirement }: Dependency, versions: readonly string[] | undefined): boolean {
  const range = requirement.kind === 'literal' ? requirement.at.text : undefined;
  return (
    versions?.some((it) => it === '' || range === undefined || versioning[key.system].satisfies(it, range)) === true
  );
}
