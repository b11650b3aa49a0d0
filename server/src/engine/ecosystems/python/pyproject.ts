import * as l10n from '@vscode/l10n';
import { parseToml } from '../../formats/toml/parse.ts';
import { type TomlString, tomlLiteral, tomlSpan } from '../../formats/toml/strings.ts';
import { entriesOf, stringAt, stringsAt, type TomlValue, textsAt, tomlAt } from '../../formats/toml/tree.ts';
import { canonicalName } from '../../model/keys.ts';
import type { Definition, Dependency, FileRef, Manifest, ManifestFormat, Scope, Source } from '../../model/manifest.ts';
import { applyLocalSources, namesFromSources } from '../shared/local-sources.ts';
import {
  conditionalSources,
  narrowedBuildId,
  narrowedId,
  overrideDefinitions,
  poetryTable,
} from '../shared/project-rules.ts';
import { hatchHooks, pdmHook } from './code/build-hook.ts';
import { interpreterEnvironments } from './graph/markers.ts';
import {
  addSourceReplacement,
  folderLink,
  type LocalFolder,
  releaseDefinition,
  sourceDefinition,
} from './local-sources.ts';
import {
  addSpecifier,
  type PackageSource,
  type ParsedDependencies,
  type PythonSection,
  type SpecifierText,
} from './pep508.ts';
import { directOf, preReleasesOfProject } from './pre-releases.ts';
import { releaseAt, releasesTaken, requirementAt } from './releases.ts';
import { addRequirementTable, isIncomplete, sourceOfTable } from './requirement-tables.ts';
import { requirementsTxt } from './requirements.ts';

/** The manifest of Python projects, with tables for each of the tools that build them. */
export const pyproject: ManifestFormat = {
  id: 'pyproject.toml',
  system: 'PYPI',
  environments: interpreterEnvironments,
  files: /(^|\/)pyproject\.toml$/,
  parse,
};

/** Part of the addresses of folders that PDM adds. */
const projectRoot = /\$\{PROJECT_ROOT\}/;

function parse(text: string): Manifest {
  const { root, problems } = parseToml(text);
  const found: ParsedDependencies = { dependencies: [], problems: [...problems] };
  const uv = tomlAt(root, 'tool', 'uv');
  const uvSources = readSources(tomlAt(uv, 'sources'));
  const poetrySources = readSources(tomlAt(root, 'tool', 'poetry', 'dependencies'));
  const elsewhere = new Map([...ownSource(root), ...uvSources]);
  const sources = new Map([...poetrySources, ...elsewhere]);
  const unconditional = readSources(tomlAt(uv, 'sources'), isUnconditional);
  const fields = new Map([
    ...[...poetrySources.keys()].flatMap((it) => (elsewhere.has(it) ? [] : [[it, poetryTable] as const])),
    ...[...uvSources.keys()].flatMap((it) => (unconditional.has(it) ? [] : [[it, conditionalSources] as const])),
  ]);
  for (const location of specifierLists) {
    for (const { value, group } of valuesAtLocation(root, location)) {
      const isBuild = location.scope === 'build';
      const section = { scope: location.scope, group, sources: isBuild ? uvSources : sources, fields };
      addList(value, section, found, isUvLocation(location) ? addUvItem : undefined);
    }
  }
  const folders = localFolders(tomlAt(uv, 'sources'));
  const fromTables: ParsedDependencies = { dependencies: [], problems: found.problems };
  for (const location of requirementTables) {
    for (const { value, group } of valuesAtLocation(root, location)) {
      addRequirementTable(value, { scope: location.scope, group }, fromTables);
      folders.push(...localFolders(value));
    }
  }
  const listed = new Set(found.dependencies.map((it) => it.key.name));
  for (const it of fromTables.dependencies) {
    // Poetry's table may add details to a package of `project.dependencies`, without requiring it again.
    if (it.requirement.kind !== 'none' || !listed.has(it.key.name)) found.dependencies.push(it);
  }
  // A source of its own, also an index, overrides that of the workspace.
  const own = new Set(entriesOf(tomlAt(uv, 'sources')).map(({ key }) => canonicalName('PYPI', key.text)));
  const workspace = tomlAt(uv, 'workspace');
  const pdm = tomlAt(root, 'tool', 'pdm');
  // Without a table of its own PDM is recognized by the addresses of folders that it writes.
  const isPdm = pdm !== undefined || projectRoot.test(text);
  const dependencies = applyLocalSources(found.dependencies, isPdm).map((it) =>
    workspace || own.has(it.key.name) ? it : addSourceReplacement(it, '[tool.uv.sources]'),
  );
  dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  // The members of a workspace find its sources in the definitions of the root.
  const taken = workspace ? [] : unconditional.keys();
  const takes = new Map(releasesTaken(dependencies));
  for (const [name, { urls }] of unconditional)
    if (urls.every((it) => releaseAt(it, name)) && urls.length > 0) takes.set(name, urls);
  const fromSources = namesFromSources(dependencies, isPdm).filter((it) => !uvSources.has(it));
  const makes = [...taken, ...fromSources].filter((it) => !takes.has(it));
  const identity = (stringAt(root, 'project', 'name') ?? stringAt(root, 'tool', 'poetry', 'name'))?.text;
  const environments = entriesOf(tomlAt(root, 'tool', 'hatch', 'envs')).map(({ value }) => tomlAt(value, 'workspace'));
  // PDM has no pattern that excludes members.
  const pdmMembers = textsAt(tomlAt(pdm, 'workspace'), 'members').filter((it) => !it.startsWith('!'));
  const preReleases = preReleasesOfProject(root);
  const direct = directOf(stringAt(tomlAt(root, 'tool', 'uv'), 'resolution')?.text);
  const python = (
    stringAt(root, 'project', 'requires-python') ?? stringAt(root, 'tool', 'poetry', 'dependencies', 'python')
  )?.text;
  // Their lockfiles have one version for all groups, unless uv is told which conflict.
  const joinsGroups = ['uv', 'pdm', 'poetry'].some((it) => tomlAt(root, 'tool', it)) && !tomlAt(uv, 'conflicts');
  const packages = [...[workspace, ...environments].flatMap(workspaceMembers), ...pdmMembers];
  const members = [workspace, ...environments, tomlAt(pdm, 'workspace')].flatMap((it) => stringsAt(it, 'members'));
  const links = [...members.map(({ text: pattern, span }) => ({ span, pattern })), ...folders.map(folderLink)];
  return {
    dependencies,
    definitions: [
      ...(workspace
        ? [...uvSources].map(([name, { source, urls }]) => {
            const release = requirementAt(urls, name, workspace.span);
            return release
              ? releaseDefinition(name, release.requirement, workspace.span)
              : sourceDefinition(name, source, workspace.span);
          })
        : []),
      ...overrideDefinitions(dependencies, (it) => (it === 'override-dependencies' ? it : undefined)),
      ...constraintDefinitions(dependencies),
    ],
    references: [
      ...dynamicFiles(root),
      ...hatchHooks(tomlAt(root, 'tool', 'hatch')),
      ...pdmHook(root),
      ...(workspace ? [] : [workspaceRoot]),
    ],
    problems: found.problems,
    ...(packages.length > 0 && { packages }),
    ...(links.length > 0 && { links }),
    ...(folders.length > 0 && { modules: folders.map(({ path }) => `${path}/pyproject.toml`) }),
    ...(makes.length > 0 && { makes: [...new Set(makes)] }),
    ...(takes.size > 0 && { takes }),
    ...(identity && { identity: canonicalName('PYPI', identity) }),
    ...(stringAt(root, 'build-system', 'build-backend')?.text.startsWith('poetry') && { client: 'poetry' }),
    ...(preReleases.size > 0 && { preReleases }),
    ...(direct && { direct }),
    ...(joinsGroups && { joinsGroups }),
    ...(python !== undefined && { python }),
  };
}

/** The constraints of uv, which concern every member of a workspace, and those for what builds it. */
function constraintDefinitions(dependencies: readonly Dependency[]): Definition[] {
  const ids = new Map([
    ['constraint-dependencies', narrowedId],
    ['build-constraint-dependencies', narrowedBuildId],
  ]);
  return dependencies.flatMap(({ key, group = '', requirement: value, nameSpan: span, condition }) => {
    const idOf = ids.get(group);
    if (idOf === undefined || value.kind !== 'literal') return [];
    return { id: idOf(key.name), span, value, ...(condition !== undefined && { condition }) };
  });
}

/** Where dependencies that are dynamic may be named in files, and a table of extras with lists of such files. */
const fileLists: readonly { readonly one: readonly string[]; readonly extras: readonly string[] }[] = [
  {
    one: ['setuptools', 'dynamic', 'dependencies', 'file'],
    extras: ['setuptools', 'dynamic', 'optional-dependencies'],
  },
  {
    one: ['hatch', 'metadata', 'hooks', 'requirements_txt', 'files'],
    extras: ['hatch', 'metadata', 'hooks', 'requirements_txt', 'optional-dependencies'],
  },
];

/**
 * The files that setuptools and hatch-requirements-txt take dependencies from, and what only another program knows.
 *
 *     dynamic = ["dependencies"]
 *     [tool.setuptools.dynamic]
 *     dependencies = { file = ["requirements.in"] }
 */
function dynamicFiles(root: TomlValue): FileRef[] {
  const tool = tomlAt(root, 'tool');
  const files = fileLists.flatMap(({ one, extras }) => {
    const lists = entriesOf(tomlAt(tool, ...extras)).map(({ value }) => tomlAt(value, 'file') ?? value);
    return [tomlAt(tool, ...one), ...lists].flatMap((it) => (it?.kind === 'array' ? it.items : it ? [it] : []));
  });
  const named = files.flatMap((it): FileRef[] =>
    it?.kind === 'string'
      ? [{ kind: 'include', path: it.text, format: requirementsTxt.id, span: it.span, required: true }]
      : [],
  );
  const dynamic = tomlAt(root, 'project', 'dynamic');
  const computed =
    dynamic?.kind === 'array'
      ? dynamic.items.find((it) => it.kind === 'string' && it.text === 'dependencies')
      : undefined;
  // setuptools and pbr read setup.py and setup.cfg, Poetry a table of its own.
  const backend = stringAt(root, 'build-system', 'build-backend')?.text ?? 'setuptools';
  const isDeclared = /^(?:setuptools|pbr)/.test(backend) || tomlAt(tool, 'poetry', 'dependencies') !== undefined;
  if (computed === undefined || named.length > 0 || isDeclared) return named;
  return [{ kind: 'include', path: '${}', format: 'pyproject.toml', span: computed.span, required: true }];
}

/** `["requests>=2.31", { include-group = "test" }]`. The dependencies of the included group are shown in that group. */
export function addList(
  list: TomlValue,
  section: PythonSection,
  found: ParsedDependencies,
  addOwn?: typeof addUvItem,
): void {
  if (list.kind !== 'array') {
    found.problems.push({ span: list.span, message: 'this should be a list of requirements' });
    return;
  }
  for (const item of list.items) {
    if (item.kind === 'string') addSpecifier(specifierText(item), section, found);
    else if (!addOwn?.(item, section, found) && tomlAt(item, 'include-group') === undefined) {
      found.problems.push({ span: item.span, message: 'a requirement should be a string' });
    }
  }
}

/**
 * Adds a table of uv in the place of a string: a requirement with hashes, or the dependencies of one package.
 *
 *     build-constraint-dependencies = [{ requirement = "maturin==1.8", hashes = ["sha256:…"] }]
 *     override-dependencies = [{ package = { name = "flask" }, dependencies = ["werkzeug==2.3.0"] }]
 */
function addUvItem(item: TomlValue, section: PythonSection, found: ParsedDependencies): boolean {
  const requirement = stringAt(item, 'requirement');
  if (requirement) {
    const hashes = tomlAt(item, 'hashes');
    const isPinned = hashes?.kind === 'array' && hashes.items.length > 0;
    const frozen = () => (isPinned ? l10n.t('pinned by hash') : undefined);
    addSpecifier({ ...specifierText(requirement), frozen }, section, found);
    return true;
  }
  const within = stringAt(item, 'package', 'name');
  const dependencies = tomlAt(item, 'dependencies');
  if (!within || !dependencies) return false;
  addList(dependencies, { ...section, group: `${section.group} of ${within.text}` }, found);
  return true;
}

function specifierText(value: TomlString): SpecifierText {
  return {
    text: value.text,
    literal: (from, to) => tomlLiteral(value, from, to),
    span: (from, to) => tomlSpan(value, from, to),
  };
}

/** The sources of uv's workspace apply to its members. The search continues above a file without a workspace. */
const workspaceRoot: FileRef = {
  kind: 'workspace',
  path: 'pyproject.toml',
  format: 'pyproject.toml',
  upward: 'parent',
};

/** The members of uv's workspace, or of a Hatch environment: `["packages/*", { path = "lib" }]`. */
function workspaceMembers(workspace: TomlValue | undefined): string[] {
  const listed = tomlAt(workspace, 'members');
  const members = listed?.kind === 'array' ? listed.items : [];
  return [
    ...members.flatMap((it) => (it.kind === 'string' ? it.text : (stringAt(it, 'path')?.text ?? []))),
    ...textsAt(workspace, 'exclude').map((it) => `!${it}`),
  ];
}

/** The project itself is a local package, which its extras may name. */
function ownSource(root: TomlValue): readonly (readonly [string, PackageSource])[] {
  const own = stringAt(root, 'project', 'name');
  return own ? [[canonicalName('PYPI', own.text), { source: 'path', urls: [] }]] : [];
}

/**
 * The sources, other than an index, that uv and Poetry have apart from the requirement, by canonical name.
 *
 *     [tool.uv.sources]
 *     mine = { workspace = true }
 */
function readSources(
  table: TomlValue | undefined,
  applies = (_: TomlValue | undefined) => true,
): ReadonlyMap<string, PackageSource> {
  const sources = new Map<string, PackageSource>();
  for (const { key, value } of entriesOf(table)) {
    const source = applies(value) ? commonSource(value) : undefined;
    if (source) sources.set(canonicalName('PYPI', key.text), { source, urls: source === 'url' ? urlsIn(value) : [] });
  }
  return sources;
}

/** The folders of local packages. */
function localFolders(table: TomlValue | undefined): LocalFolder[] {
  return entriesOf(table).flatMap(({ value }) => {
    const all = value?.kind === 'array' ? value.items : [value];
    return all.flatMap((it) => {
      const path = stringAt(it, 'path');
      return path ? { path: path.text.replace(/[\\/]$/, ''), span: path.span } : [];
    });
  });
}

function urlsIn(value: TomlValue | undefined): string[] {
  const all = value?.kind === 'array' ? value.items : [value];
  return all.map((it) => stringAt(it, 'url')?.text ?? '');
}

/** Whether a source, or one of several, has no condition. Where a condition is false, the package comes from an index. */
function isUnconditional(source: TomlValue | undefined): boolean {
  if (source?.kind === 'array') return source.items.some(isUnconditional);
  return ['marker', 'extra', 'group'].every((it) => stringAt(source, it) === undefined);
}

/** The source that holds under all conditions; undefined where one of several is an index, since the requirement counts then. */
function commonSource(value: TomlValue | undefined): Source | undefined {
  const all = value?.kind === 'array' ? value.items : [value];
  // A half-typed entry is taken for a path, so that the package is not looked up yet.
  const found = all.map((it) => {
    if (it === undefined || (it.kind === 'table' && isIncomplete(it))) return 'path';
    return it.kind === 'table' ? sourceOfTable(it)?.source : undefined;
  });
  return found.includes(undefined) ? undefined : (found[0] ?? 'path');
}

/** A path in pyproject.toml with dependencies. `*` in `path` is any name, and that name in `group`. */
export interface DependencyLocation {
  readonly path: readonly string[];
  readonly scope: Scope;
  readonly group: string;
}

/** Lists of specifiers: `["requests>=2.31"]`. Sources: PEP 518, 621 and 735, and the references of each tool. */
export const specifierLists: readonly DependencyLocation[] = [
  location('project.dependencies', 'runtime', 'dependencies'),
  location('project.optional-dependencies.*', 'optional', 'extra *'),
  location('dependency-groups.*', 'dev', 'group *'),
  location('build-system.requires', 'build', 'build-system'),
  location('tool.uv.dev-dependencies', 'dev', 'group dev'),
  location('tool.uv.constraint-dependencies', 'runtime', 'constraint-dependencies'),
  location('tool.uv.override-dependencies', 'runtime', 'override-dependencies'),
  location('tool.uv.build-constraint-dependencies', 'build', 'build-constraint-dependencies'),
  location('tool.uv.extra-build-dependencies.*', 'build', 'extra-build-dependencies of *'),
  location('tool.rye.dev-dependencies', 'dev', 'group dev'),
  location('tool.pdm.dev-dependencies.*', 'dev', 'group *'),
  location('tool.hatch.envs.*.dependencies', 'dev', 'hatch env *'),
  location('tool.hatch.envs.*.extra-dependencies', 'dev', 'hatch env *'),
  location('tool.hatch.env.requires', 'build', 'hatch'),
  location('tool.hatch.build.dependencies', 'build', 'hatch build'),
  location('tool.hatch.build.hooks.*.dependencies', 'build', 'hatch build'),
  location('tool.hatch.build.targets.*.dependencies', 'build', 'hatch build'),
  location('tool.hatch.build.targets.*.hooks.*.dependencies', 'build', 'hatch build'),
  location('tool.flit.metadata.requires', 'runtime', 'dependencies'),
  location('tool.flit.metadata.dev-requires', 'dev', 'group dev'),
  location('tool.flit.metadata.requires-extra.*', 'optional', 'extra *'),
];

/** Tables with a name on the left: `requests = "^2.31"`. */
export const requirementTables: readonly DependencyLocation[] = [
  location('tool.poetry.dependencies', 'runtime', 'dependencies'),
  location('tool.poetry.dev-dependencies', 'dev', 'group dev'),
  location('tool.poetry.group.*.dependencies', 'dev', 'group *'),
  location('tool.poetry.build-constraints.*', 'build', 'build constraints of *'),
  location('tool.poetry.requires-plugins', 'build', 'poetry plugins'),
  location('tool.pdm.resolution.overrides', 'runtime', 'override-dependencies'),
  location('tool.pixi.pypi-dependencies', 'runtime', 'dependencies'),
  location('tool.pixi.feature.*.pypi-dependencies', 'optional', 'feature *'),
];

export function isUvLocation({ path: [tool, name] }: DependencyLocation): boolean {
  return tool === 'tool' && name === 'uv';
}

function location(path: string, scope: Scope, group: string): DependencyLocation {
  return { path: path.split('.'), scope, group };
}

/** The values at a location, one for each name that `*` matches. Missing values are left out. */
export function valuesAtLocation(
  root: TomlValue,
  { path, group }: DependencyLocation,
): { value: TomlValue; group: string }[] {
  let found = [{ value: root, group }];
  for (const part of path) {
    found = found.flatMap((at) =>
      entriesOf(at.value).flatMap(({ key, value }) => {
        if (value === undefined || (part !== '*' && part !== key.text)) return [];
        return [{ value, group: part === '*' ? at.group.replace('*', () => key.text) : at.group }];
      }),
    );
  }
  return found;
}
