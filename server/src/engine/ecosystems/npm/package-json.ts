import * as l10n from '@vscode/l10n';
import { MAX_SHARED_LENGTH } from '../../base/text.ts';
import { parseJson } from '../../formats/json/parse.ts';
import {
  type JsonString,
  type JsonValue,
  jsonLiteral,
  jsonSpan,
  propertiesOf,
  stringAt,
  valueAt,
} from '../../formats/json/tree.ts';
import type { Definition, Dependency, Manifest, ManifestFormat, Scope } from '../../model/manifest.ts';
import { applyLocalSources } from '../shared/local-sources.ts';
import { patchFolderIn } from '../shared/patch-package.ts';
import { overrideDefinitions, ownOverrides, patchedId } from '../shared/project-rules.ts';
import { catalogNamesIn, catalogRenaming } from './catalog-names.ts';
import {
  EXTENSIONS,
  type FoundInJson,
  jsonSpecifierText,
  pnpmSettings,
  readJsonCatalogs,
  requirementOf,
  workspaceRoots,
  yarnSettings,
} from './catalogs.ts';
import { localPackages } from './local-sources.ts';
import { readArchiveAddress } from './lockfiles/archive-address.ts';
import { isRemoval, removal } from './overrides/removal.ts';
import {
  isPlainRange,
  npmSelector,
  pnpmSelector,
  readSpecifier,
  type Selector,
  type Specifier,
  yarnSelector,
} from './specifier.ts';

/** The manifest of npm, yarn, pnpm and bun. */
export const packageJson: ManifestFormat = {
  id: 'package.json',
  system: 'NPM',
  files: /(^|\/)package\.json$/,
  parse,
  uses: catalogNamesIn,
  renaming: catalogRenaming,
};

const scopes: ReadonlyMap<string, Scope> = new Map([
  ['dependencies', 'runtime'],
  ['devDependencies', 'dev'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
]);

function parse(text: string): Manifest {
  const { root, problems } = parseJson(text);
  const found: FoundInJson = { dependencies: [], definitions: [], problems: [...problems] };
  for (const { name, value } of propertiesOf(root)) {
    if (value !== undefined) readMember(name, value, found);
  }
  const dependencies = applyLocalSources(isOfUnity(root) ? found.dependencies.map(asUnity) : found.dependencies);
  const offers = (): Definition[] => direct(dependencies);
  const referred = new Set<string>();
  for (const { requirement: it } of dependencies) if (it.kind === 'reference') referred.add(it.to.id);
  const own = referred.size === 0 ? [] : offers().filter((it) => referred.has(it.id));
  const hasCatalogs = [...referred].some((it) => it.startsWith('catalog:'));
  const references = hasCatalogs ? [pnpmSettings, yarnSettings, ...workspaceRoots] : [pnpmSettings, ...workspaceRoots];
  const manager = dependencies.find((it) => it.group === 'packageManager' || it.group === 'devEngines');
  const rules = readsOverrides(manager) ? overrideDefinitions(dependencies, (it) => overrideFields.get(it)) : [];
  const definitions = [...found.definitions, ...own, ...rules];
  const listed = packagesIn(root);
  const packages = listed.map((it) => it.text);
  const identity = stringAt(root, 'name')?.text;
  const version = stringAt(root, 'version')?.text;
  const patches = patchFolderIn(valueAt(root, 'scripts'));
  return {
    dependencies,
    definitions,
    exportedDefinitions: offers,
    references,
    problems: found.problems,
    ...(packages.length > 0 && { packages }),
    ...localPackages(
      dependencies,
      text,
      undefined,
      listed.map(({ text: pattern, span }) => ({ span, pattern })),
    ),
    ...(identity && { identity }),
    ...(version && { version }),
    ...(manager && { client: clientOf(manager) }),
    ...(patches !== undefined && { patches }),
  };
}

/** The first version of pnpm that reads overrides in its settings alone. Source: its changelog. */
const PNPM_WITHOUT_FIELDS = 11;

function readsOverrides(manager: Dependency | undefined): boolean {
  return manager?.name !== 'pnpm' || majorOf(manager) < PNPM_WITHOUT_FIELDS;
}

/** `yarn 1` for the first yarn, which takes other versions than the later ones. */
function clientOf(manager: Dependency): string {
  return manager.name === 'yarn' && majorOf(manager) === 1 ? 'yarn 1' : manager.name;
}

/** 0 where it is not written. */
function majorOf({ requirement }: Dependency): number {
  return requirement.kind === 'literal' ? Number(/\d+/.exec(requirement.at.text)?.[0] ?? 0) : 0;
}

/** `"unity": "2019.4"`: the manifest of a package of Unity, whose editor asks a registry of its own. */
function isOfUnity(root: JsonValue | undefined): boolean {
  return /^\d+\.\d+/.test(stringAt(root, 'unity')?.text ?? '');
}

/** What npm installs for the development of such a package is in other groups. */
function asUnity(dependency: Dependency): Dependency {
  return dependency.group === 'dependencies' ? { ...dependency, registries: ['unity'] } : dependency;
}

/** `"workspaces": ["packages/*"]`, or, as bun and the first yarn have it, an object with `packages`. */
function packagesIn(root: JsonValue | undefined): readonly JsonString[] {
  const workspaces = valueAt(root, 'workspaces');
  const list = workspaces?.kind === 'array' ? workspaces : valueAt(workspaces, 'packages');
  return list?.kind === 'array' ? list.items.filter((it) => it.kind === 'string') : [];
}

/** What replaces the dependencies of the project itself, too. */
const overrideFields: ReadonlyMap<string, string> = new Map([
  ['overrides', ownOverrides],
  ['pnpm.overrides', 'pnpm.overrides'],
  ['resolutions', 'resolutions'],
]);

function readMember(name: JsonString, value: JsonValue, found: FoundInJson): void {
  const scope = scopes.get(name.text);
  if (scope !== undefined) readSection(name.text, scope, value, found);
  else if (name.text === 'overrides') readOverrides(value, [], found);
  else if (name.text === 'resolutions') readReplacements('resolutions', value, yarnSelector, found);
  else if (name.text === 'pnpm') {
    readReplacements('pnpm.overrides', valueAt(value, 'overrides'), pnpmSelector, found);
    readPatches(valueAt(value, 'patchedDependencies'), found);
    for (const it of propertiesOf(valueAt(value, 'packageExtensions'))) readExtension(it.value, found);
  } else if (name.text === 'patchedDependencies') readPatches(value, found);
  else if (name.text === 'packageManager') readPackageManager(name, value, found);
  else if (name.text === 'devEngines') readEngines(valueAt(value, 'packageManager'), found);
  else readJsonCatalogs(name, value, found);
}

function readSection(group: string, scope: Scope, section: JsonValue, found: FoundInJson): void {
  if (section.kind !== 'object') {
    found.problems.push({ span: section.span, message: `${group} should be an object` });
    return;
  }
  for (const property of section.properties) {
    const value = requirementOf(property, found);
    if (!value) continue;
    const selector = { name: property.name.text, from: 0, to: property.name.text.length };
    found.dependencies.push(dependency(property.name, selector, value, scope, group));
  }
}

/**
 * npm's overrides nest: an object holds the overrides for the dependencies of its package, and `.` for itself.
 *
 *     "overrides": { "webpack@5": { ".": "5.1.0", "lodash": "$lodash" } }
 *                                                            ^^^^^^^ the version that this file requires
 */
function readOverrides(section: JsonValue, parents: readonly string[], found: FoundInJson): void {
  for (const property of propertiesOf(section)) {
    const { name, value } = property;
    const own = name.text === '.' && parents.length > 0;
    const path = own ? parents : [...parents, name.text];
    if (value?.kind === 'object') {
      if (own) continue;
      if (path.join(' > ').length <= MAX_SHARED_LENGTH) readOverrides(value, path, found);
      else found.problems.push({ span: name.span, message: 'a path this long is not read' });
      continue;
    }
    const requirement = requirementOf(property, found);
    if (!requirement) continue;
    const last = npmSelector(path.at(-1) ?? '');
    const condition = path.length > 1 ? path.join(' > ') : last.condition;
    const selector = {
      ...(own ? { name: last.name, from: 0, to: 1 } : last),
      ...(condition !== undefined && { condition }),
    };
    found.dependencies.push(dependency(name, selector, requirement, 'runtime', 'overrides'));
  }
}

/** `"packageExtensions": { "webpack@*": { "dependencies": { "acorn": "^8.0.0" } } }` of pnpm: what is added to a package. */
function readExtension(extension: JsonValue | undefined, found: FoundInJson): void {
  for (const group of ['dependencies', 'optionalDependencies']) {
    for (const property of propertiesOf(valueAt(extension, group))) {
      const value = requirementOf(property, found);
      if (!value) continue;
      const selector = { name: property.name.text, from: 0, to: property.name.text.length };
      found.dependencies.push(dependency(property.name, selector, value, 'runtime', EXTENSIONS));
    }
  }
}

/** yarn's resolutions and pnpm's overrides: flat, with the parents in the name. */
function readReplacements(
  group: string,
  section: JsonValue | undefined,
  select: (text: string) => Selector | undefined,
  found: FoundInJson,
): void {
  for (const property of propertiesOf(section)) {
    const value = requirementOf(property, found);
    if (!value) continue;
    const selector = select(property.name.text);
    if (selector === undefined || selector.name === '') {
      found.problems.push({ span: property.name.span, message: 'no package is named here' });
      continue;
    }
    if (isRemoval(value.text)) {
      found.definitions.push(removal(group, selector, property.name.span, value.span));
      continue;
    }
    found.dependencies.push(dependency(property.name, selector, value, 'runtime', group));
  }
}

/** `"patchedDependencies": { "left-pad@1.3.0": "patches/left-pad.patch" }` of pnpm and bun. */
function readPatches(section: JsonValue | undefined, found: FoundInJson): void {
  for (const { name, value } of propertiesOf(section)) {
    if (value !== undefined)
      found.definitions.push({ id: patchedId(name.text), span: name.span, value: { kind: 'none' } });
  }
}

/**
 *     "packageManager": "pnpm@9.1.0+sha512.…"
 *                        ^^^^ ^^^^^ frozen by the hash
 */
function readPackageManager(member: JsonString, value: JsonValue, found: FoundInJson): void {
  if (value.kind !== 'string') {
    found.problems.push({ span: value.span, message: `${member.text} should be a string` });
    return;
  }
  const [, name, written, hash] = /^([^@\s]+)@([^+\s]+)(\+.*)?$/.exec(value.text) ?? [];
  if (name === undefined || written === undefined) {
    found.problems.push({ span: value.span, message: 'a package manager is written name@version' });
    return;
  }
  const from = name.length + 1;
  const part = jsonSpecifierText(value, from, from + written.length);
  const read = readSpecifier(managerPackage(name, written), part);
  found.dependencies.push({
    key: { system: 'NPM', name: read.name },
    name,
    nameSpan: jsonSpan(value, 0, name.length),
    requirement: read.requirement,
    scope: 'dev',
    group: member.text,
    ...(hash !== undefined && { frozen: l10n.t('pinned by hash') }),
  });
}

/** `"devEngines": { "packageManager": { "name": "pnpm", "version": "^9.1.0" } }`, or several in an array. */
function readEngines(engines: JsonValue | undefined, found: FoundInJson): void {
  for (const engine of engines?.kind === 'array' ? engines.items : [engines]) {
    const name = stringAt(engine, 'name');
    const range = stringAt(engine, 'version');
    if (!name?.text) continue;
    const key = managerPackage(name.text, range?.text ?? '');
    found.dependencies.push({
      key: { system: 'NPM', name: key },
      name: name.text,
      nameSpan: name.span,
      requirement: range ? readSpecifier(key, jsonSpecifierText(range)).requirement : { kind: 'none' },
      scope: 'dev',
      group: 'devEngines',
    });
  }
}

/** From its second version on yarn is published under another name. */
function managerPackage(name: string, range: string): string {
  return name === 'yarn' && Number(/\d+/.exec(range)?.[0] ?? 1) >= 2 ? '@yarnpkg/cli-dist' : name;
}

function dependency(name: JsonString, selector: Selector, value: JsonString, scope: Scope, group: string): Dependency {
  const read = readValue(selector.name, value, group);
  const own: Dependency = {
    key: { system: 'NPM', name: read.name },
    name: selector.name,
    nameSpan: jsonSpan(name, selector.from, selector.to),
    requirement: read.requirement,
    scope,
    group,
  };
  const { condition } = selector;
  const { frozen, address } = read;
  // Nearly all have none, and each keystroke makes a thousand.
  if (condition === undefined && frozen === undefined && address === undefined) return own;
  return {
    ...own,
    ...(condition !== undefined && { condition }),
    ...(frozen !== undefined && { frozen }),
    ...(address !== undefined && { registries: [address] }),
  };
}

/** What a value means, and the address in a registry that it is. */
interface Value extends Specifier {
  readonly address?: string;
}

function readValue(name: string, value: JsonString, group: string): Value {
  if (isPlainRange(value.text)) return { name, requirement: { kind: 'literal', at: jsonLiteral(value) } };
  const referred = scopes.has(group) ? undefined : /^\$(\S+)$/.exec(value.text)?.[1];
  if (referred === undefined) {
    const read = readSpecifier(name, jsonSpecifierText(value));
    // Those who refer to another value do not know its registry.
    return scopes.has(group) ? (readArchive(read, value) ?? read) : read;
  }
  const to = { id: `direct:${referred}`, label: value.text };
  return { name, requirement: { kind: 'reference', to, span: value.span } };
}

/** `https://registry.example/lodash/-/lodash-4.17.21.tgz`: a package and its version, as they are published. */
function readArchive({ requirement }: Specifier, value: JsonString): Value | undefined {
  if (requirement.kind !== 'source' || requirement.source !== 'url') return undefined;
  const archive = readArchiveAddress(value.text);
  if (archive === undefined) return undefined;
  const { name, version, start } = archive;
  return {
    name,
    requirement: { kind: 'literal', at: jsonLiteral(value, start, start + version.length) },
    address: value.text,
  };
}

/** Where npm looks first for the dependency that an override refers to. Source: npm's arborist, its override sets. */
const referOrder: readonly string[] = ['devDependencies', 'optionalDependencies', 'dependencies', 'peerDependencies'];

/** The direct dependencies, each once: overrides here and in pnpm-workspace.yaml refer to them as `$name`. */
function direct(dependencies: readonly Dependency[]): Definition[] {
  const found = new Map<string, Dependency>();
  for (const it of dependencies) {
    const known = found.get(it.name);
    const rank = referOrder.indexOf(it.group ?? '');
    if (rank >= 0 && (!known || rank <= referOrder.indexOf(known.group ?? ''))) found.set(it.name, it);
  }
  return [...found.values()].map(({ key, name, nameSpan: span, requirement, frozen, registries }) => ({
    id: `direct:${name}`,
    span,
    value: registries && requirement.kind === 'literal' ? { kind: 'source', source: 'url', span } : requirement,
    ...(key.name !== name && { key }),
    ...(frozen !== undefined && { frozen }),
  }));
}
