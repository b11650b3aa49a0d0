import * as l10n from '@vscode/l10n';
import type { ReadPom } from '../analysis/link/inheritance.ts';
import { groupBy } from '../base/collections.ts';
import { readSpecifier } from '../ecosystems/npm/specifier.ts';
import type { EffectiveRequirement } from '../model/evaluated-dependency.ts';
import type { PackageKey, VersionKey } from '../model/keys.ts';
import type {
  CargoRequirements,
  NpmRequirements,
  PythonRequirements,
  Required,
  Requirements,
} from '../model/lookups.ts';
import type { System } from '../model/system.ts';
import { mavenGroups } from './maven-requirements.ts';
import type { DeclaredRequirement, GroupScope, RequirementGroup } from './requirement-group.ts';

/**
 * The requirements of a version by group, without empty groups.
 * @param read gives the parents of a Maven version, and the BOMs that are imported: they say properties and versions
 */
export function groupsOf(key: VersionKey, declared: Requirements, read: ReadPom): RequirementGroup[] {
  switch (declared.system) {
    case 'NPM':
      return npmGroups(declared).filter((it) => it.entries.length > 0);
    case 'NUGET':
      return declared.groups
        .map(({ targetFramework, dependencies }) => ({
          name: targetFramework,
          scope: 'runtime' as const,
          entries: dependencies.map((it) => plain('NUGET', it)),
        }))
        .filter((it) => it.entries.length > 0);
    case 'MAVEN':
      return mavenGroups({ key, declared }, read).filter((it) => it.entries.length > 0);
    case 'PYPI':
      return pythonGroups(declared);
    case 'CARGO':
      return cargoGroups(declared).filter((it) => it.entries.length > 0);
    case 'GO':
      return [
        { name: 'require', scope: 'runtime' as const, entries: declared.direct.map((it) => plain('GO', it)) },
        { name: 'indirect', scope: 'runtime' as const, entries: declared.indirect.map((it) => plain('GO', it)) },
      ].filter((it) => it.entries.length > 0);
  }
}

function npmGroups(declared: NpmRequirements): RequirementGroup[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = declared;
  return [
    { name: 'dependencies', scope: 'runtime', entries: dependencies.map(npmEntry) },
    { name: 'optionalDependencies', scope: 'optional', entries: optionalDependencies.map(npmEntry) },
    { name: 'peerDependencies', scope: 'peer', entries: peerDependencies.map(npmEntry) },
    { name: 'bundleDependencies', scope: 'bundled', entries: bundledEntries(declared) },
    { name: 'devDependencies', scope: 'dev', entries: devDependencies.map(npmEntry) },
  ];
}

/** The bundled packages: with their exact versions where these are known, else only their names. */
function bundledEntries({ bundled, bundleDependencies, dependencies }: NpmRequirements): DeclaredRequirement[] {
  if (bundled.length > 0) {
    return bundled.map(({ name, version, path }) => ({
      ...plain('NPM', { name, requirement: version }),
      notes: path === '' ? [] : [l10n.t('in {0}', path)],
    }));
  }
  const ranges = new Map(dependencies.map((it) => [it.name, it.requirement]));
  return bundleDependencies.map((name) => npmEntry({ name, requirement: ranges.get(name) ?? '' }));
}

function npmEntry({ name, requirement }: Required): DeclaredRequirement {
  const literal = (start: number, end: number) => ({
    span: { start, end },
    text: requirement.slice(start, end),
    encode: (value: string) => value,
  });
  const span = (start: number, end: number) => ({ start, end });
  const read = readSpecifier(name, { text: requirement, literal, span });
  const key: PackageKey = { system: 'NPM', name: read.name };
  const notes = read.name === name ? [] : [l10n.t('known as {0}', name)];
  switch (read.requirement.kind) {
    case 'literal':
      return { key, requirement, notes, effective: { kind: 'text', text: read.requirement.at.text, via: [] } };
    case 'source':
      return { key, requirement, notes, effective: { kind: 'source', source: read.requirement.source } };
    case 'none':
      return { key, requirement, notes, effective: { kind: 'any' } };
    case 'reference':
    case 'template':
      return {
        key,
        requirement,
        notes,
        effective: { kind: 'unresolved', reason: l10n.t('only its publisher knows it') },
      };
  }
}

/** What is always required, then what each extra adds, by its name. */
function pythonGroups({ dependencies }: PythonRequirements): RequirementGroup[] {
  const always = dependencies.filter((it) => extraOf(it.marker) === '');
  const byExtra = groupBy(
    dependencies.filter((it) => extraOf(it.marker) !== ''),
    (it) => extraOf(it.marker),
  );
  const group = (name: string, scope: GroupScope, all: typeof dependencies): RequirementGroup => ({
    name,
    scope,
    entries: all.map((it) => ({ ...plain('PYPI', it), notes: it.marker === '' ? [] : [it.marker] })),
  });
  return [
    ...(always.length > 0 ? [group('dependencies', 'runtime', always)] : []),
    ...[...byExtra].map(([extra, all]) => group(`extra ${extra}`, 'optional', all)),
  ];
}

function extraOf(marker: string): string {
  return /\bextra\s*==\s*(['"])(.*?)\1/.exec(marker)?.[2] ?? '';
}

function cargoGroups({ dependencies }: CargoRequirements): RequirementGroup[] {
  const of = (kind: (typeof dependencies)[number]['kind']): DeclaredRequirement[] =>
    dependencies
      .filter((it) => it.kind === kind)
      .map((it) => ({
        ...plain('CARGO', it),
        notes: [
          ...(it.alias === '' ? [] : [l10n.t('known as {0}', it.alias)]),
          ...(it.optional ? [l10n.t('optional')] : []),
          ...(it.target === '' ? [] : [it.target]),
        ],
      }));
  return [
    { name: 'dependencies', scope: 'runtime', entries: of('normal') },
    { name: 'build-dependencies', scope: 'build', entries: of('build') },
    { name: 'dev-dependencies', scope: 'dev', entries: of('dev') },
  ];
}

function plain(system: System, { name, requirement }: Required): DeclaredRequirement {
  const effective: EffectiveRequirement =
    requirement === '' ? { kind: 'any' } : { kind: 'text', text: requirement, via: [] };
  return { key: { system, name }, requirement, effective, notes: [] };
}
