import * as l10n from '@vscode/l10n';
import { managedIdOf } from '../manifests/pom-artifacts.ts';
import type { Coordinates, MavenDependency, MavenRequirements } from '../model/lookups.ts';
import type { Asked } from '../model/subject.ts';
import type { Declared, GroupScope, Pom, RequirementGroup } from './requirement-groups.ts';

/** In the order in which they matter to whoever takes the package. */
const scopes: Readonly<Record<string, GroupScope>> = {
  compile: 'runtime',
  runtime: 'runtime',
  provided: 'build',
  system: 'build',
  test: 'dev',
};

/** References that refer to references, at the most; and characters of one value. */
const limits = { depth: 16, length: 500 };

/**
 * What a POM requires: its parent, then by scope, then what it manages, then what its profiles add.
 * @param imported versions that bills say, by `managed:org.yaml:snakeyaml`
 */
export function mavenGroups(
  pom: Pom,
  parents: readonly Pom[],
  imported: ReadonlyMap<string, string>,
): RequirementGroup[] {
  const values = { ...valuesOf([pom, ...parents]), imported };
  const { declared } = pom;
  const parent = declared.parent ? [entry({ ...usual, ...declared.parent }, values, declared.parent.version)] : [];
  return [
    { name: 'parent', scope: 'parent', entries: parent },
    ...byScope(declared, values, ''),
    ...declared.profiles.flatMap((it) => byScope(it, values, `profile ${it.id}: `, 'optional')),
    managed(declared, values, ''),
    ...declared.profiles.map((it) => managed(it, values, `profile ${it.id}: `)),
  ];
}

/** Ids of the dependencies of a POM that state no version, where neither it nor a parent manages them in so many words. */
export function unmanaged(pom: Pom, parents: readonly Pom[]): readonly string[] {
  const values = valuesOf([pom, ...parents]);
  return [pom.declared, ...pom.declared.profiles]
    .flatMap((it) => it.dependencies)
    .filter((it) => it.version === '' && !values.managed.get(values.fill(it.name))?.version)
    .map((it) => idOf(it, values));
}

function idOf({ name, type, classifier }: MavenDependency, values: Pick<Values, 'fill'>): string {
  return managedIdOf(values.fill(name), type, classifier);
}

const usual = { name: '', version: '', classifier: '', type: '', scope: '', optional: '', exclusions: [] };

function byScope(all: MavenRequirements, values: WithImported, prefix: string, kind?: GroupScope): RequirementGroup[] {
  const groups = new Map<string, Declared[]>(Object.keys(scopes).map((it) => [it, []]));
  for (const it of all.dependencies) {
    const name = values.fill(it.name);
    const central = values.managed.get(name);
    const scope = values.fill(it.scope || central?.scope || 'compile');
    const group = groups.get(scope) ?? [];
    groups.set(scope, group);
    group.push(entry(it, values, it.version || central?.version || values.imported.get(idOf(it, values)) || ''));
  }
  return [...groups].map(([scope, entries]) => ({
    name: `${prefix}${scope}`,
    scope: kind ?? scopes[scope] ?? 'build',
    entries,
  }));
}

function managed({ dependencyManagement }: MavenRequirements, values: Values, prefix: string): RequirementGroup {
  const entries = dependencyManagement.map((it) => entry(it, values, it.version));
  return { name: `${prefix}dependencyManagement`, scope: 'managed', entries };
}

function entry(it: MavenDependency, values: Values, version: string): Declared {
  const name = values.fill(it.name);
  const text = values.fill(version);
  const notes = [
    ...(values.fill(it.optional) === 'true' ? [l10n.t('optional')] : []),
    ...(it.scope === 'import' ? [l10n.t('imported')] : []),
    ...(it.classifier === '' ? [] : [it.classifier]),
    ...(it.type === '' || it.type === 'jar' ? [] : [it.type]),
    ...(it.exclusions.length === 0 ? [] : [l10n.t('without {0}', it.exclusions.join(', '))]),
  ];
  return { key: { system: 'MAVEN', name }, requirement: text, asked: askedFor(text), notes };
}

function askedFor(version: string): Asked {
  if (version === '') return { kind: 'unresolved', reason: l10n.t('nothing that could be read says which version') };
  const open = /\$\{[^}]*\}/.exec(version)?.[0];
  if (open !== undefined) return { kind: 'unresolved', reason: l10n.t('{0} is not defined', open) };
  return { kind: 'text', text: version, via: [] };
}

interface WithImported extends Values {
  readonly imported: ReadonlyMap<string, string>;
}

interface Values {
  /** Replaces the properties in a text, as far as they are known. */
  readonly fill: (text: string) => string;
  /** What versions and scopes dependencies have that state none. */
  readonly managed: ReadonlyMap<string, Pick<MavenDependency, 'version' | 'scope'>>;
}

/** @param poms the POM itself, then its parents: the first that says something counts */
function valuesOf(poms: readonly Pom[]): Values {
  const properties = new Map<string, string>();
  const define = (name: string, value: string): void => {
    if (!properties.has(name)) properties.set(name, value.slice(0, limits.length));
  };
  for (const [at, { key, declared }] of poms.entries()) {
    for (const prefix of at === 0 ? ['project.', 'pom.', ''] : at === 1 ? ['project.parent.', 'parent.'] : []) {
      for (const [part, value] of Object.entries(partsOf(key))) define(`${prefix}${part}`, value);
    }
    for (const it of declared.properties) define(it.name, it.value);
  }
  const known = new Map<string, string>();
  const filling = new Set<string>();
  const propertyOf = (name: string): string | undefined => {
    const value = known.get(name);
    const declared = properties.get(name);
    if (value !== undefined || declared === undefined) return value;
    // A property that refers to itself, or through too many others, stays as it is written.
    if (filling.has(name) || filling.size === limits.depth) return undefined;
    filling.add(name);
    const filled = fill(declared);
    filling.delete(name);
    known.set(name, filled);
    return filled;
  };
  const fill = (written: string): string => {
    const text = written.slice(0, limits.length);
    let filled = '';
    let from = 0;
    for (const { 0: reference, 1: name = '', index } of text.matchAll(/\$\{([^{}]*)\}/g)) {
      filled += text.slice(from, index) + (propertyOf(name.trim()) ?? reference);
      from = index + reference.length;
      if (filled.length > limits.length) break;
    }
    return (filled + text.slice(from)).slice(0, limits.length).trim();
  };
  const managed = new Map<string, Pick<MavenDependency, 'version' | 'scope'>>();
  for (const { declared } of poms) {
    for (const it of declared.dependencyManagement) {
      const name = fill(it.name);
      if (!managed.has(name)) managed.set(name, it);
    }
  }
  return { fill, managed };
}

function partsOf({ name, version }: Coordinates): Record<'groupId' | 'artifactId' | 'version', string> {
  const [groupId = '', artifactId = ''] = name.split(':');
  return { groupId, artifactId, version };
}
