import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { DefinitionRef, Part, Requirement } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';

/** The coordinates of a POM, and how references in it are named and replaced. */
export interface PomValues {
  /** The id of a property as a reference should name it: the old names `pom.version` and `version` are `project.version`. */
  readonly propertyId: (name: string) => string;
  /** Replaces the references that this file alone can resolve; the others stay. */
  readonly interpolate: (text: string) => string;
  /** Renames the references to the names of `propertyId`. */
  readonly normalize: (text: string) => string;
  /** Properties that the project's own version is made of: `${revision}`. */
  readonly ownVersion: ReadonlySet<string>;
  /** The elements of `project.groupId` and its like. A project inherits missing ones from its parent. */
  readonly builtIn: ReadonlyMap<string, XmlElement>;
  /** `group:artifact`, where this file alone determines it. */
  readonly identity?: string;
}

/** Steps of replacing references: a property may refer to itself. Real files stay below 5. */
const MAX_REFERENCE_DEPTH = 50;
/** In characters: a value may double with each step. No coordinate is that long. */
export const MAX_VALUE_LENGTH = 1000;

const coordinates = ['groupId', 'artifactId', 'version'] as const;
/** Names that need no `project.` in front, unless a property has that name. */
const bare: ReadonlySet<string> = new Set(coordinates.flatMap((it) => [it, `parent.${it}`]));
const wholeReference = /^\$\{([^${}]+)\}$/;
const anyReference = /\$\{([^${}]+)\}/g;

export function pomValues(project: XmlElement): PomValues {
  const builtIn = builtInElements(project);
  const own = new Map<string, string>();
  for (const properties of childrenOf(project, 'properties')) {
    for (const it of properties.children) own.set(it.name, it.text);
  }
  const ownVersion = new Set<string>();
  for (const [, name] of (childOf(project, 'version')?.text ?? '').matchAll(anyReference)) {
    if (name !== undefined) ownVersion.add(name);
  }
  const interpolation = interpolationOf(own, new Map([...builtIn].map(([name, { text }]) => [name, text])));
  const group = builtIn.get('project.groupId')?.text;
  const artifact = builtIn.get('project.artifactId')?.text;
  const identity = group && artifact ? interpolation.interpolate(`${group}:${artifact}`) : undefined;
  return { ...interpolation, ownVersion, builtIn, ...(identity && !hasReferences(identity) && { identity }) };
}

/**
 * How references are named and replaced in one POM.
 * @param own its properties
 * @param builtIn its coordinates, by `project.version` and its like
 */
export function interpolationOf(
  own: ReadonlyMap<string, string>,
  builtIn: ReadonlyMap<string, string>,
): Pick<PomValues, 'propertyId' | 'interpolate' | 'normalize'> {
  const known = new Map<string, string | undefined>();
  return {
    propertyId: (name) => `property:${trueName(name)}`,
    interpolate: (it) => replace(it, 0),
    normalize: (it) =>
      hasReferences(it) ? it.replace(anyReference, (_, name: string) => `\${${trueName(name)}}`) : it,
  };

  function trueName(name: string): string {
    if (name.startsWith('pom.')) return `project.${name.slice('pom.'.length)}`;
    return bare.has(name) && !own.has(name) ? `project.${name}` : name;
  }

  function replace(text: string, depth: number): string {
    if (depth > MAX_REFERENCE_DEPTH || text.length > MAX_VALUE_LENGTH || !hasReferences(text)) return text;
    const replaced = text.replace(anyReference, (whole, name: string) => valueFor(trueName(name), depth) ?? whole);
    return replaced.length > MAX_VALUE_LENGTH ? text : replaced;
  }

  /** Resolved once for each property: values that refer to many others would take exponential time. */
  function valueFor(name: string, depth: number): string | undefined {
    if (known.has(name)) return known.get(name);
    // Until it is known, a reference back to it stays as written.
    known.set(name, undefined);
    const text = builtIn.get(name) ?? own.get(name);
    const value = text === undefined || text.length > MAX_VALUE_LENGTH ? undefined : replace(text, depth + 1);
    known.set(name, value);
    return value;
  }
}

/**
 * The requirement of an element.
 *
 *     <version>${spring.version}</version>
 *              ^^^^^^^^^^^^^^^^^            a reference
 *     <version>1.${minor}</version>
 *              ^^^^^^^^^^                   a template, which is never edited
 */
export function requirementOf(element: XmlElement, values: PomValues): Requirement {
  const { text, textSpan, literal } = element;
  const composed = requirementOfText(text, textSpan, values);
  const isPlain = composed.kind === 'template' && composed.parts.every((it) => typeof it === 'string');
  return literal && isPlain ? { kind: 'literal', at: literal } : composed;
}

/** The requirement of a text without an editable literal. */
export function requirementOfText(
  text: string,
  span: Span,
  values: Pick<PomValues, 'propertyId'>,
): Extract<Requirement, { readonly kind: 'reference' | 'template' }> {
  const whole = wholeReference.exec(text)?.[1];
  return whole === undefined
    ? { kind: 'template', parts: partsOf(text, values), span }
    : { kind: 'reference', to: definitionRef(whole, values), span };
}

/** Splits a text at its references: `1.${minor}` → `1.` and the property. A text beyond MAX_VALUE_LENGTH stays whole. */
export function partsOf(text: string, values: Pick<PomValues, 'propertyId'>): Part[] {
  if (text.length > MAX_VALUE_LENGTH || !hasReferences(text)) return [text];
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(anyReference)) {
    if (found.index > from) parts.push(text.slice(from, found.index));
    if (found[1] !== undefined) parts.push(definitionRef(found[1], values));
    from = found.index + found[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

/** Whether a text contains references. */
export function hasReferences(text: string): boolean {
  return text.includes('${');
}

/** A reference to a value that this file, a parent or an imported one defines. */
export function referenceRequirement(id: string, label: string, span: Span): Requirement {
  return { kind: 'reference', to: { id, label }, span };
}

function definitionRef(name: string, values: Pick<PomValues, 'propertyId'>): DefinitionRef {
  return { id: values.propertyId(name), label: `\${${name}}` };
}

function builtInElements(project: XmlElement): Map<string, XmlElement> {
  const parent = childOf(project, 'parent');
  const found = new Map<string, XmlElement>();
  for (const name of coordinates) {
    const inherited = childOf(parent, name);
    const element = childOf(project, name) ?? (name === 'artifactId' ? undefined : inherited);
    if (element?.text) found.set(`project.${name}`, element);
    if (inherited?.text) found.set(`project.parent.${name}`, inherited);
  }
  return found;
}
