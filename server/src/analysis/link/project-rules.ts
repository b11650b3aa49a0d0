import * as l10n from '@vscode/l10n';
import { narrowedId, overrideId, patchedId } from '../../ecosystems/shared/project-rules.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { areFieldsRead } from '../../ecosystems/workspace-clients.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { Definitions } from './definitions.ts';

/** Fields whose values take the place of what a project requires itself. npm refuses such an override. */
const overrideFields = ['pnpm.overrides', 'resolutions', 'override-dependencies'] as const;

/** The groups of a package.json that install something for the project itself. */
const installed: ReadonlySet<string> = new Set(['dependencies', 'devDependencies', 'optionalDependencies']);

/** The groups of other manifests that are such rules. */
const rules: ReadonlySet<string> = new Set([
  'override-dependencies',
  'constraint-dependencies',
  'build-constraint-dependencies',
]);

/**
 * Applies overrides, constraints and patches of a project to its own dependencies.
 * @param files those of the chain
 */
export function createProjectRules(
  files: readonly ParsedManifest[],
  definitions: Definitions,
  lockfiles: readonly string[],
  client: string | undefined,
): (dependency: Dependency) => Dependency {
  const has = (prefix: string): boolean =>
    files.some((it) => it.manifest.definitions.some(({ id }) => id.startsWith(prefix)));
  const fields = overrideFields.filter((it) => {
    if (!has(overrideId(it, ''))) return false;
    const isRead = areFieldsRead([it], lockfiles, client);
    // Where nothing else tells the client, pnpm's own settings do.
    return isRead === 'yes' || (isRead === 'probably not' && it === 'pnpm.overrides');
  });
  const isNarrowing = has(narrowedId(''));
  const isPatching = has(patchedId(''));
  if (fields.length === 0 && !isNarrowing && !isPatching) return (it) => it;

  return (dependency) => {
    const { key, group = '' } = dependency;
    const isConcerned = key.system === 'NPM' ? installed.has(group) : !rules.has(group);
    if (!isConcerned || dependency.requirement.kind === 'source') return dependency;
    const patch = isPatching ? patchOf(dependency, definitions) : undefined;
    const own = patch === undefined ? dependency : { ...dependency, frozen: patch };
    const override = fields.map((it) => overrideOf(dependency, it, definitions)).find((it) => it !== undefined);
    if (override) return { ...own, requirement: override };
    const constraint = { id: narrowedId(key.name), label: 'constraint-dependencies' };
    return isNarrowing && !own.constraint && definitions.get(constraint.id) ? { ...own, constraint } : own;
  };
}

function overrideOf(
  { key, name, requirement, nameSpan }: Dependency,
  field: string,
  definitions: Definitions,
): Dependency['requirement'] | undefined {
  const written = requirement.kind === 'literal' ? `@${requirement.at.text}` : '';
  const names = key.system === 'NPM' ? [`${name}${written}`, name] : [key.name];
  const id = names.map((it) => overrideId(field, it)).find((it) => definitions.get(it) !== undefined);
  const span = requirement.kind === 'literal' ? requirement.at.span : nameSpan;
  return id === undefined ? undefined : { kind: 'reference', to: { id, label: field }, span };
}

/** Why a package is not moved whose files the project patches. */
function patchOf({ key, name, requirement }: Dependency, definitions: Definitions): string | undefined {
  const range = requirement.kind === 'literal' ? requirement.at.text : undefined;
  const versions = definitions.idsBelow(patchedId(name));
  const isMeant = versions.some(
    (it) => it === '' || range === undefined || versioning[key.system].satisfies(it.slice(1), range),
  );
  return isMeant ? l10n.t('the project patches its files') : undefined;
}
