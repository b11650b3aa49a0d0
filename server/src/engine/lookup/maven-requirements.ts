import * as l10n from '@vscode/l10n';
import { Definitions, MAX_REQUIREMENT_LENGTH } from '../analysis/link/definitions.ts';
import { inherit, type ReadPom } from '../analysis/link/inheritance.ts';
import { linkDependency, managedScope } from '../analysis/link/linker.ts';
import type { LinkScope } from '../analysis/link/scope.ts';
import { addTo } from '../base/collections.ts';
import { pom as format } from '../ecosystems/maven/pom.ts';
import { managedIdOf } from '../ecosystems/maven/pom-artifacts.ts';
import { partsOf, referenceRequirement, requirementOfText } from '../ecosystems/maven/pom-values.ts';
import { publishedPom, publishedPomValues } from '../ecosystems/maven/published-pom.ts';
import type { MavenDependency, MavenRequirements } from '../model/lookups.ts';
import type { Dependency } from '../model/manifest.ts';
import type { DeclaredRequirement, GroupScope, Pom, RequirementGroup } from './requirement-group.ts';

/** In the order of their importance to users of the package. */
const scopes: Readonly<Record<string, GroupScope>> = {
  compile: 'runtime',
  runtime: 'runtime',
  provided: 'build',
  system: 'build',
  test: 'dev',
};

const nowhere = { start: 0, end: 0 };
const usual = { classifier: '', type: '', scope: '', optional: '', exclusions: [] };

/** The requirements of a POM: its parent, then by scope, then its dependency management, then those of its profiles. */
export function mavenGroups(pom: Pom, read: ReadPom): RequirementGroup[] {
  const { declared } = pom;
  const reading = readingOf(pom, read);
  const parent = declared.parent ? [entry({ ...usual, ...declared.parent }, reading)] : [];
  return [
    { name: 'parent', scope: 'parent', entries: parent },
    ...byScope(declared, reading, ''),
    ...declared.profiles.flatMap((it) => byScope(it, reading, `profile ${it.id}: `, 'optional')),
    managed(declared, reading, ''),
    ...declared.profiles.map((it) => managed(it, reading, `profile ${it.id}: `)),
  ];
}

/** A published POM with the definitions of its parents and BOMs. */
interface Reading {
  readonly lookup: LinkScope;
  readonly values: ReturnType<typeof publishedPomValues>;
}

function readingOf({ key, declared }: Pom, read: ReadPom): Reading {
  const manifest = publishedPom(key, declared);
  const file = { uri: '', format, manifest, published: { key, through: key.name } };
  const own: LinkScope = {
    definitions: new Definitions([file]),
    constraints: new Definitions([]),
    missing: [],
    boms: [],
    identities: new Set([manifest.identity]),
  };
  // Its modules and parents are published, too, so all names in it are looked up.
  return {
    lookup: { ...inherit([file], own, read), identities: new Set() },
    values: publishedPomValues(key, declared),
  };
}

function byScope(all: MavenRequirements, reading: Reading, prefix: string, kind?: GroupScope): RequirementGroup[] {
  const groups = new Map<string, DeclaredRequirement[]>(Object.keys(scopes).map((it) => [it, []]));
  for (const it of all.dependencies) {
    const managed = managedScope(reading.lookup.definitions, managedId(it, reading), it.version === '');
    const scope = filled(it.scope, reading) || managed || 'compile';
    addTo(groups, scope, entry(it, reading));
  }
  return [...groups].map(([scope, entries]) => ({
    name: `${prefix}${scope}`,
    scope: kind ?? scopes[scope] ?? 'build',
    entries,
  }));
}

function managed({ dependencyManagement }: MavenRequirements, reading: Reading, prefix: string): RequirementGroup {
  const entries = dependencyManagement.map((it) => entry(it, reading));
  return { name: `${prefix}dependencyManagement`, scope: 'managed', entries };
}

function entry(it: MavenDependency, reading: Reading): DeclaredRequirement {
  const name = filled(it.name, reading);
  const dependency: Dependency = {
    key: { system: 'MAVEN', name },
    name,
    nameSpan: nowhere,
    requirement:
      it.version === ''
        ? referenceRequirement(managedId(it, reading), 'dependencyManagement', nowhere)
        : requirementOfText(it.version, nowhere, reading.values),
    scope: 'runtime',
  };
  const { key, requirement } = linkDependency(dependency, '', reading.lookup);
  const notes = [
    ...(filled(it.optional, reading) === 'true' ? [l10n.t('optional')] : []),
    ...(it.scope === 'import' ? [l10n.t('imported')] : []),
    ...(it.classifier === '' ? [] : [it.classifier]),
    ...(it.type === '' || it.type === 'jar' ? [] : [it.type]),
    ...(it.exclusions.length === 0 ? [] : [l10n.t('without {0}', it.exclusions.join(', '))]),
  ];
  return {
    key,
    requirement: requirement.kind === 'text' ? requirement.text : it.version.slice(0, MAX_REQUIREMENT_LENGTH),
    effective: requirement,
    notes,
  };
}

function managedId({ name, type, classifier }: MavenDependency, reading: Reading): string {
  return managedIdOf(filled(name, reading), type, classifier);
}

/** Replaces the references in a text. Returns the text as written where one has no definition. */
function filled(written: string, { lookup, values }: Reading): string {
  const text = written.slice(0, MAX_REQUIREMENT_LENGTH);
  const joined = lookup.definitions.join(partsOf(text, values));
  return joined.kind === 'text' ? joined.text.trim() : text;
}
