import { childOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Definition, Dependency, FileRef, Requirement, Scope } from '../../model/manifest.ts';
import type { Problem } from '../../model/span.ts';
import { isComposed, managedBy, type PomValues, partsOf, requirementOf } from './pom-values.ts';

/** A manifest that is being put together. */
export interface Out {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly references: FileRef[];
  readonly problems: Problem[];
}

/** A project or one of its profiles, and where what stands in it is put. */
export interface Section {
  readonly values: PomValues;
  readonly out: Out;
  /** The profile. */
  readonly condition?: string;
  /** The profile is active only where somebody asks for it. */
  readonly seldom?: true;
}

/** An element with Maven coordinates in it. */
export interface Artifact {
  readonly element: XmlElement;
  /** Stands for the whole where there is nothing else to point at. */
  readonly artifactId: XmlElement;
  /** As the file spells it. */
  readonly name: string;
  /** `group:artifact`, with what references this file can answer. */
  readonly id: string;
  /** The same with all its references, as ids have it: a child may say otherwise what they come to. */
  readonly reference: string;
}

export function readArtifact(
  { values, out }: Section,
  element: XmlElement,
  defaultGroup?: string,
): Artifact | undefined {
  const artifactId = childOf(element, 'artifactId');
  const group = textOf(element, 'groupId') || defaultGroup;
  if (!artifactId?.text || !group) {
    const missing = artifactId?.text ? 'groupId' : 'artifactId';
    out.problems.push({ span: element.nameSpan, message: `\`${missing}\` is missing` });
    return undefined;
  }
  const name = `${group}:${artifactId.text}`;
  return { element, artifactId, name, id: values.interpolate(name), reference: values.normalize(name) };
}

/** What the artifact's own version says; undefined where it has none. */
export function versionOf({ values }: Section, { element }: Artifact): Requirement | undefined {
  const version = childOf(element, 'version');
  return version?.text ? requirementOf(version, values) : undefined;
}

/** The version that management says, for an artifact that names none. */
export function managedVersion(artifact: Artifact): Requirement {
  return managedBy(managedId(artifact), 'dependencyManagement', artifact.artifactId.textSpan);
}

export function managedId({ element, reference }: Artifact): string {
  return managedIdOf(reference, textOf(element, 'type'), textOf(element, 'classifier'));
}

/**
 * Management tells artifacts of one name apart by type and classifier: `managed:a:b`, `managed:a:b:test-jar:tests`.
 * @param type `''` where none is written
 */
export function managedIdOf(name: string, type: string, classifier: string): string {
  const isUsual = (type === '' || type === 'jar') && classifier === '';
  return isUsual ? `managed:${name}` : `managed:${name}:${type || 'jar'}:${classifier}`;
}

/** With scope `system` the artifact is a file of this machine, and its version is hearsay. */
export function systemPath({ element, artifactId }: Artifact): Requirement | undefined {
  if (textOf(element, 'scope') !== 'system') return undefined;
  const version = childOf(element, 'version');
  return { kind: 'source', source: 'path', span: (version?.text ? version : artifactId).textSpan };
}

export function scopeOf({ values }: Section, dependency: XmlElement): Scope {
  const optional = textOf(dependency, 'optional') === 'true' ? 'optional' : 'runtime';
  return narrowed(optional, values.interpolate(textOf(dependency, 'scope')));
}

/**
 * What Maven's word for a scope makes of the one that a dependency has without it. Whether it is optional is said by the
 * dependency alone. Source: Maven's DefaultDependencyManagementInjector.
 */
export function narrowed(scope: Scope, word: string): Scope {
  switch (word) {
    case 'test':
      return 'dev';
    case 'provided':
    case 'system':
      return 'build';
    default:
      return scope;
  }
}

export function addDependency(
  { values, out, condition }: Section,
  { element, name, id, artifactId }: Artifact,
  requirement: Requirement,
  scope: Scope,
  group?: string,
  more: Pick<Dependency, 'inherits' | 'replacement' | 'managed'> = {},
): void {
  const blank = childOf(element, 'version')?.blank;
  out.dependencies.push({
    key: { system: 'MAVEN', name: id },
    name,
    nameSpan: artifactId.textSpan,
    ...(isComposed(name) && { nameParts: partsOf(name, values) }),
    requirement,
    ...(blank && { blank }),
    scope,
    ...(group !== undefined && { group }),
    ...more,
    ...(condition !== undefined && { condition }),
  });
}

/** Puts down the artifact's version for others to refer to. */
export function addDefinition(
  { out, condition, seldom }: Section,
  id: string,
  { artifactId }: Artifact,
  value: Requirement,
  more: Pick<Definition, 'scope'> = {},
): void {
  out.definitions.push({
    id,
    span: artifactId.textSpan,
    value,
    ...more,
    ...(condition !== undefined && { condition }),
    ...(seldom && { seldom }),
  });
}

/**
 * Of what a POM manages twice Maven takes the last where it puts the list together with that of a parent or of bills, and
 * else the first. Source: Maven's MavenModelMerger and DefaultDependencyManagementInjector.
 */
export function managedOnce({ dependencies, definitions }: Pick<Out, 'dependencies' | 'definitions'>): Definition[] {
  if (dependencies.some((it) => it.inherits)) return definitions;
  const seen = new Set<string>();
  return definitions.filter(({ id, condition }) => {
    if (condition !== undefined || !id.startsWith('managed:')) return true;
    return !seen.has(id) && seen.add(id);
  });
}

/** Whether a profile is active only where somebody asks for it, as far as one can tell. */
export function isAskedFor(profile: XmlElement): boolean {
  const activation = childOf(profile, 'activation');
  if (activation === undefined) return true;
  const property = childOf(activation, 'property');
  const jdk = textOf(activation, 'jdk');
  if (textOf(activation, 'activeByDefault') === 'true') return false;
  if (property !== undefined) return !textOf(property, 'name').startsWith('!');
  if (jdk !== '') return !/,\s*\)$|^!/.test(jdk);
  return childOf(activation, 'os') === undefined && childOf(activation, 'file') === undefined;
}

/** The text of a child; empty where there is none. */
export function textOf(element: XmlElement, name: string): string {
  return childOf(element, name)?.text ?? '';
}
