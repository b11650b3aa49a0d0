import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { DefinitionRef, Part, Requirement } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';

/** What a POM says of itself, and the properties that values in it refer to. */
export interface PomValues {
  /** The id of a property as a reference should name it: the old names `pom.version` and `version` are `project.version`. */
  readonly propertyId: (name: string) => string;
  /** A text with those references replaced that this file alone can answer; the others stay as written. */
  readonly interpolate: (text: string) => string;
  /** A text whose references have the names that `propertyId` knows them by. */
  readonly normalize: (text: string) => string;
  /** Properties that the project's own version is made of: `${revision}`. */
  readonly ownVersion: ReadonlySet<string>;
  /** Elements behind `project.groupId` and the like. What a project leaves out it has from its parent. */
  readonly builtIn: ReadonlyMap<string, XmlElement>;
  /** `group:artifact`, where this file alone can tell. */
  readonly identity?: string;
}

/** Bounds of what replacing references may cost: a property may refer to itself, or double with each step. */
export const limits = {
  /** Real files stay below 5 steps. */
  depth: 50,
  /** No coordinate is that long, in characters. */
  length: 1000,
} as const;

const coordinates = ['groupId', 'artifactId', 'version'] as const;
/** What may be said without `project.` in front, where no property has that name. */
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
  return { ...interpolation, ownVersion, builtIn, ...(identity && !isComposed(identity) && { identity }) };
}

/**
 * How references are named and replaced in one POM.
 * @param own its properties
 * @param builtIn what it says of itself, by `project.version` and the like
 */
export function interpolationOf(
  own: ReadonlyMap<string, string>,
  builtIn: ReadonlyMap<string, string>,
): Pick<PomValues, 'propertyId' | 'interpolate' | 'normalize'> {
  const known = new Map<string, string | undefined>();
  return {
    propertyId: (name) => `property:${trueName(name)}`,
    interpolate: (it) => replace(it, 0),
    normalize: (it) => (isComposed(it) ? it.replace(anyReference, (_, name: string) => `\${${trueName(name)}}`) : it),
  };

  function trueName(name: string): string {
    if (name.startsWith('pom.')) return `project.${name.slice('pom.'.length)}`;
    return bare.has(name) && !own.has(name) ? `project.${name}` : name;
  }

  function replace(text: string, depth: number): string {
    if (depth > limits.depth || text.length > limits.length || !isComposed(text)) return text;
    const replaced = text.replace(anyReference, (whole, name: string) => valueFor(trueName(name), depth) ?? whole);
    return replaced.length > limits.length ? text : replaced;
  }

  /** Worked out once for each property, or values that refer to many others would take forever. */
  function valueFor(name: string, depth: number): string | undefined {
    if (known.has(name)) return known.get(name);
    // Until it is known, what refers back to it stays as written.
    known.set(name, undefined);
    const text = builtIn.get(name) ?? own.get(name);
    const value = text === undefined || text.length > limits.length ? undefined : replace(text, depth + 1);
    known.set(name, value);
    return value;
  }
}

/**
 * What a value asks for.
 *
 *     <version>${spring.version}</version>
 *              ^^^^^^^^^^^^^^^^^            a reference
 *     <version>1.${minor}</version>
 *              ^^^^^^^^^^                   a template: no edit can say what is meant
 */
export function requirementOf(element: XmlElement, values: PomValues): Requirement {
  const { text, textSpan, literal } = element;
  const composed = composedOf(text, textSpan, values);
  const isPlain = composed.kind === 'template' && composed.parts.every((it) => typeof it === 'string');
  return literal && isPlain ? { kind: 'literal', at: literal } : composed;
}

/** The same of a text that no edit can reach. */
export function composedOf(
  text: string,
  span: Span,
  values: Pick<PomValues, 'propertyId'>,
): Extract<Requirement, { readonly kind: 'reference' | 'template' }> {
  const whole = wholeReference.exec(text)?.[1];
  return whole === undefined
    ? { kind: 'template', parts: partsOf(text, values), span }
    : { kind: 'reference', to: refer(whole, values), span };
}

/** A text cut at its references: `1.${minor}` → `1.` and the property. What is too long to mean anything stays whole. */
export function partsOf(text: string, values: Pick<PomValues, 'propertyId'>): Part[] {
  if (text.length > limits.length || !isComposed(text)) return [text];
  const parts: Part[] = [];
  let from = 0;
  for (const found of text.matchAll(anyReference)) {
    if (found.index > from) parts.push(text.slice(from, found.index));
    if (found[1] !== undefined) parts.push(refer(found[1], values));
    from = found.index + found[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push(text.slice(from));
  return parts;
}

/** Whether a text has references in it. */
export function isComposed(text: string): boolean {
  return text.includes('${');
}

/** A reference to a value that stands under `id` in this file, a parent or an imported one. */
export function managedBy(id: string, label: string, span: Span): Requirement {
  return { kind: 'reference', to: { id, label }, span };
}

function refer(name: string, values: Pick<PomValues, 'propertyId'>): DefinitionRef {
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
