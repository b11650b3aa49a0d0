import { childOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Definition, Dependency, FileRef, Requirement, Scope } from '../../model/manifest.ts';
import type { Problem } from '../../model/span.ts';
import { hasReferences, type PomValues, partsOf, referenceRequirement, requirementOf } from './pom-values.ts';

/** A manifest that is being put together. */
export interface MutableManifest {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly references: FileRef[];
  readonly problems: Problem[];
}

/** A project or one of its profiles, and the manifest that its contents are added to. */
export interface Section {
  readonly values: PomValues;
  readonly manifest: MutableManifest;
  /** The whole file, whose indentation an added element keeps; absent if nothing is added. */
  readonly text?: string;
  /** The model is 4.1 or later. */
  readonly infers?: true;
  /** The profile. */
  readonly condition?: string;
  /** The profile is active only on request: `mvn -P`. */
  readonly seldom?: true;
  /** The profile is active unless a command line says otherwise: what it defines prevails over the project itself. */
  readonly isActive?: true;
}

/** An element with Maven coordinates in it. */
export interface Artifact {
  readonly element: XmlElement;
  /** Marks the whole artifact where nothing else can be marked. */
  readonly artifactId: XmlElement;
  /** As the file spells it. */
  readonly name: string;
  /** `group:artifact`, with the references replaced that this file can resolve. */
  readonly id: string;
  /** The same with all its references, as in ids: a child may define other values for them. */
  readonly reference: string;
}

export function readArtifact(
  { values, manifest }: Section,
  element: XmlElement,
  defaultGroup?: string,
): Artifact | undefined {
  const artifactId = childOf(element, 'artifactId');
  const group = textOf(element, 'groupId') || defaultGroup;
  if (!artifactId?.text || !group) {
    const missing = artifactId?.text ? 'groupId' : 'artifactId';
    manifest.problems.push({ span: element.nameSpan, message: `\`${missing}\` is missing` });
    return undefined;
  }
  const name = `${group}:${artifactId.text}`;
  return { element, artifactId, name, id: values.interpolate(name), reference: values.normalize(name) };
}

/** The requirement of the artifact's own version; undefined where it has none. */
export function versionOf({ values }: Section, { element }: Artifact): Requirement | undefined {
  const version = childOf(element, 'version');
  return version?.text ? requirementOf(version, values) : undefined;
}

/**
 * The place of a version for an artifact without one, on a line of its own where its name is.
 *
 *     <artifactId>snakeyaml</artifactId>
 *                                       ↑ `\n    <version>2.2</version>`
 */
export function additionTo({ text }: Section, { element, artifactId }: Artifact): Pick<Dependency, 'addition'> {
  const { start, end } = artifactId.span;
  const { literal } = artifactId;
  if (text === undefined || literal === undefined || childOf(element, 'version')) return {};
  const before = /\s*$/.exec(text.slice(element.span.start, start))?.[0] ?? '';
  const encode = (version: string): string => `${before}<version>${literal.encode(version)}</version>`;
  return { addition: { span: { start: end, end }, text: '', encode } };
}

/** The managed version, for an artifact without one. */
export function managedVersion(artifact: Artifact): Requirement {
  return referenceRequirement(managedId(artifact), 'dependencyManagement', artifact.artifactId.textSpan);
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

/** With scope `system` the artifact is a file of this machine, whatever its version. */
export function systemPath({ element, artifactId }: Artifact): Requirement | undefined {
  if (textOf(element, 'scope') !== 'system') return undefined;
  const version = childOf(element, 'version');
  return { kind: 'source', source: 'path', span: (version?.text ? version : artifactId).textSpan };
}

export function scopeOf({ values }: Section, dependency: XmlElement): Scope {
  const optional = textOf(dependency, 'optional') === 'true' ? 'optional' : 'runtime';
  return narrowScope(optional, values.interpolate(textOf(dependency, 'scope')));
}

/**
 * The scope of a dependency with a `<scope>`, on top of the one that it has without it. Management does not change whether a
 * dependency is optional. Source: Maven's DefaultDependencyManagementInjector.
 */
export function narrowScope(scope: Scope, word: string): Scope {
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
  { values, manifest, condition }: Section,
  { element, name, id, artifactId }: Artifact,
  requirement: Requirement,
  scope: Scope,
  group?: string,
  more: Pick<Dependency, 'inherits' | 'replacement' | 'managed' | 'addition' | 'role'> = {},
): void {
  const blank = childOf(element, 'version')?.blank;
  manifest.dependencies.push({
    key: { system: 'MAVEN', name: id },
    name,
    nameSpan: artifactId.textSpan,
    ...(hasReferences(name) && { nameParts: partsOf(name, values) }),
    requirement,
    ...(blank && { blank }),
    scope,
    ...(group !== undefined && { group }),
    ...more,
    ...(condition !== undefined && { condition }),
  });
}

/** Defines the artifact's version for other dependencies and files. */
export function addDefinition(
  { manifest, condition, seldom, isActive }: Section,
  id: string,
  { artifactId }: Artifact,
  value: Requirement,
  more: Pick<Definition, 'scope'> = {},
): void {
  manifest.definitions.push({
    id,
    span: artifactId.textSpan,
    value,
    ...more,
    ...(condition !== undefined && !isActive && { condition }),
    ...(seldom && { isRarelyActive: seldom }),
  });
}

/**
 * Keeps the definition of a repeatedly managed artifact that Maven uses: the last one where the list is merged with that of a
 * parent or of BOMs, else the first. Source: Maven's MavenModelMerger and DefaultDependencyManagementInjector.
 */
export function dropRepeatedManaged({
  dependencies,
  definitions,
}: Pick<MutableManifest, 'dependencies' | 'definitions'>): Definition[] {
  if (dependencies.some((it) => it.inherits)) return definitions;
  const seen = new Set<string>();
  return definitions.filter(({ id, condition }) => {
    if (condition !== undefined || !id.startsWith('managed:')) return true;
    return !seen.has(id) && seen.add(id);
  });
}

/** Whether a profile is active only on request, as far as the file shows. */
export function isActivatedOnRequest(profile: XmlElement): boolean {
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
