import * as l10n from '@vscode/l10n';
import { directoryOf } from '../../base/uri.ts';
import { createSelect, type Requirer } from '../../ecosystems/override-selectors.ts';
import {
  narrowedBuildId,
  narrowedId,
  overrideId,
  ownOverrides,
  patchedId,
} from '../../ecosystems/shared/project-rules.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { areFieldsRead, clientManifest } from '../../ecosystems/workspace-clients.ts';
import type { Definition, Dependency, PreReleases } from '../../model/manifest.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';

/** Fields whose values take the place of what a project requires itself. */
const overrideFields = ['pnpm.overrides', 'resolutions', ownOverrides, 'override-dependencies'] as const;

/** The groups of a package.json, and of a deno.json, that install something for the project itself. */
const installed: ReadonlySet<string> = new Set(['dependencies', 'devDependencies', 'optionalDependencies', 'imports']);

/** The groups of other manifests that are such rules. */
const rules: ReadonlySet<string> = new Set([
  'override-dependencies',
  'constraint-dependencies',
  'build-constraint-dependencies',
]);

/** The versions of a package that the project patches, `''` for all. */
type Patches = ReadonlyMap<string, readonly string[]>;

/**
 * Applies overrides, constraints and patches of a project to its own dependencies.
 * @param files those of the chain
 * @param chain what else of it decides
 */
export function createProjectRules(
  files: readonly ParsedManifest[],
  lockfiles: readonly string[],
  client: string | undefined,
  chain: Pick<ManifestChain, 'preReleases' | 'patched' | 'direct' | 'lockedVersion'>,
): (dependency: Dependency) => Dependency {
  const ids = files.flatMap((it) => it.manifest.definitions.map(({ id }) => id));
  const own = requirerIn(files);
  const isDeno = lockfiles.includes('deno.lock') || (lockfiles.length === 0 && client === 'deno');
  const overrides = overrideFields.flatMap((field) => {
    const beginning = overrideId(field, '');
    const selectors = ids.filter((it) => it.startsWith(beginning)).map((it) => it.slice(beginning.length));
    if (selectors.length === 0) return [];
    // npm refuses to override what the root requires itself, and not what its members do.
    const isRead = areFieldsRead([field === ownOverrides && own.isMember ? 'overrides' : field], lockfiles, client);
    // Where nothing else tells the client, pnpm's own settings do.
    const counts = isRead === 'yes' || (isRead === 'probably not' && field === 'pnpm.overrides');
    return counts ? [{ field, select: createSelect(field, selectors, own, isDeno ? 'package' : 'name') }] : [];
  });
  const narrowed = new Set(ids.filter((it) => it.startsWith(narrowedId(''))));
  const narrowedBuild = new Set(ids.filter((it) => it.startsWith(narrowedBuildId(''))));
  const patched = patchesIn([...ids, ...(chain.patched ?? [])]);
  const { preReleases: settings } = chain;
  const ofFiles = files.flatMap((it) => it.manifest.preReleases ?? []);
  const preReleases = settings ? [settings.before, ...ofFiles, settings.behind] : ofFiles;
  // yarn takes the highest version, where others prefer the default one.
  const isHighest = client === 'yarn';
  const isFirstYarn = client === 'yarn 1';
  const takesDeprecated = isDeno || isFirstYarn;
  const direct = chain.direct ?? files.map((it) => it.manifest.direct).find((it) => it !== undefined);
  const isUnchanged = !isHighest && !takesDeprecated && direct !== 'lowest';
  if (isUnchanged && overrides.length + narrowed.size + narrowedBuild.size + patched.size + preReleases.length === 0)
    return (it) => it;

  return (written) => {
    const dependency = withTaking(written);
    const { key, name, group = '', scope } = dependency;
    const isPeer = scope === 'peer' && key.system === 'NPM';
    const isConcerned = key.system === 'NPM' ? isPeer || installed.has(group) : !rules.has(group);
    if (!isConcerned || dependency.requirement.kind === 'source') return dependency;
    const own = isPatched(dependency, patched.get(name))
      ? { ...dependency, frozen: l10n.t('the project patches its files') }
      : dependency;
    // What builds something is resolved apart.
    if (key.system === 'PYPI' && dependency.scope === 'build') {
      const constraint = { id: narrowedBuildId(key.name), label: 'build-constraint-dependencies' };
      return narrowedBuild.has(constraint.id) ? { ...own, constraint } : own;
    }
    for (const { field, select } of overrides) {
      // pnpm alone replaces what a peer requires.
      if (isPeer && field !== 'pnpm.overrides') continue;
      const selector = select(dependency);
      if (selector === undefined) continue;
      if (isFirstYarn && !isReadByFirstYarn(field, selector, dependency)) continue;
      const { requirement, nameSpan } = dependency;
      const span = requirement.kind === 'literal' ? requirement.at.span : nameSpan;
      const to = { id: overrideId(field, selector), label: labelOf(field) };
      const { kind } = requirement;
      return {
        ...own,
        requirement: { kind: 'reference', to, span },
        ...(kind === 'literal' && { overridden: requirement }),
      };
    }
    const isNarrowed = own.constraint === undefined && narrowed.has(narrowedId(key.name));
    return isNarrowed ? { ...own, constraint: { id: narrowedId(key.name), label: 'constraint-dependencies' } } : own;
  };

  function withTaking(dependency: Dependency): Dependency {
    const { system } = dependency.key;
    if (system === 'PYPI' && direct === 'lowest' && dependency.scope !== 'build')
      return { ...withPreReleases(dependency, preReleases), takesLowest: true };
    if (system !== 'NPM') return withPreReleases(dependency, preReleases);
    if (isHighest) return { ...dependency, preReleases: 'named' };
    return takesDeprecated ? { ...dependency, takesDeprecated } : dependency;
  }

  /**
   * The first yarn refuses tags, and does not replace what the root requires itself unless something else requires the same,
   * which the lockfile tells. A path begins with two stars.
   */
  function isReadByFirstYarn(field: string, selector: string, dependency: Dependency): boolean {
    const { requirement } = dependency;
    const value = files
      .flatMap((it) => it.manifest.definitions)
      .find(({ id }) => id === overrideId(field, selector))?.value;
    if (value?.kind === 'literal' && versioning.NPM.read(value.at.text).kind === 'tag') return false;
    if (own.isMember) return selector.startsWith('**/') || !selector.replace(/^@[^/]*\//, '').includes('/');
    const { read, keeps } = versioning.NPM;
    const text = requirement.kind === 'literal' ? requirement.at.text : '';
    const isRange = ['range', 'pin'].includes(read(text).kind);
    const locked = isRange ? chain.lockedVersion?.(dependency) : undefined;
    return locked !== undefined && !keeps(locked, text);
  }
}

/** Without the overrides that stand in a member of a workspace, where no client reads them. */
export function withoutUnreadRules(files: readonly ParsedManifest[]): readonly ParsedManifest[] {
  const root = rootIn(files);
  const isRule = ({ id }: Definition): boolean => id.startsWith(overrideId('', '').slice(0, -1));
  return files.map((it) => {
    if (it.format.id !== clientManifest.id || it === root || !it.manifest.definitions.some(isRule)) return it;
    return { ...it, manifest: { ...it.manifest, definitions: it.manifest.definitions.filter((one) => !isRule(one)) } };
  });
}

/** The package.json at the root of a workspace of npm's packages. */
function rootIn(files: readonly ParsedManifest[]): ParsedManifest | undefined {
  return files.findLast((it) => it.format.id === clientManifest.id);
}

/** The package whose dependencies are meant. */
function requirerIn(files: readonly ParsedManifest[]): Requirer {
  const [document] = files;
  const root = rootIn(files);
  const { identity, version } = document?.manifest ?? {};
  return {
    ...(identity !== undefined && { name: identity }),
    ...(version !== undefined && { version }),
    isMember: root !== undefined && directoryOf(root.uri) !== directoryOf(document?.uri ?? ''),
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

/** `patched:@acme/ui@1.0.0` is for a version of `@acme/ui`. */
function patchesIn(ids: readonly string[]): Patches {
  const found = new Map<string, string[]>();
  for (const id of ids) {
    if (!id.startsWith(patchedId(''))) continue;
    const rest = id.slice(patchedId('').length);
    const at = rest.indexOf('@', 1);
    const name = at < 0 ? rest : rest.slice(0, at);
    found.set(name, [...(found.get(name) ?? []), at < 0 ? '' : rest.slice(at + 1)]);
  }
  return found;
}

/** Whether the project patches a version that the range of a dependency has. */
function isPatched({ key, requirement }: Dependency, versions: readonly string[] | undefined): boolean {
  const range = requirement.kind === 'literal' ? requirement.at.text : undefined;
  return (
    versions?.some((it) => it === '' || range === undefined || versioning[key.system].satisfies(it, range)) === true
  );
}
