import { isRecord } from '../../engine/base/text.ts';

/** One place in a JSON schema, with the schema that its references lead into. */
export interface SchemaNode {
  readonly root: unknown;
  readonly node: unknown;
}

/** What a place in a schema means, its references and `allOf` resolved. */
export interface SchemaView {
  readonly title?: string;
  readonly description?: string;
  /** `string`, `integer`; empty where any kind is allowed. */
  readonly kinds: readonly string[];
  readonly properties: ReadonlyMap<string, SchemaNode>;
  readonly required: readonly string[];
  /** Empty where any value is allowed. */
  readonly values: readonly unknown[];
  readonly items?: SchemaNode;
  /** Whether there may be members besides `properties`, and of which form. `unsaid`: the schema does not forbid them. */
  readonly additional: 'unsaid' | 'forbidden' | 'any' | SchemaNode;
  /** Names of further members, as regular expressions: members are not checked if there are any. */
  readonly hasPatterns: boolean;
  /** One of these, or several: `oneOf` and `anyOf`. */
  readonly alternatives: readonly SchemaNode[];
  readonly default?: unknown;
  /** `int64` */
  readonly format?: string;
  readonly isDeprecated: boolean;
  readonly isReadOnly: boolean;
}

/** References in a row, and the parts of `allOf`. A schema may refer to itself. */
const MAX_PARTS = 50;
/** Members of one object. */
const MAX_PROPERTIES = 5000;

/** Different kinds of one place. */
const MAX_KINDS = 10;
/** Allowed values. A place with more of them is not compared with them. */
const MAX_VALUES = 2000;

const views = new WeakMap<object, SchemaView>();
const members = new WeakMap<object, ReadonlyMap<string, SchemaNode>>();

/** Reads one place. Never throws, whatever the schema contains. */
export function viewOf(place: SchemaNode): SchemaView {
  if (!isRecord(place.node)) return readView(place);
  const view = views.get(place.node) ?? readView(place);
  views.set(place.node, view);
  return view;
}

function readView({ root, node }: SchemaNode): SchemaView {
  const parts: Readonly<Record<string, unknown>>[] = [];
  const queue: unknown[] = [node];
  for (const it of queue) {
    if (parts.length >= MAX_PARTS || queue.length > 4 * MAX_PARTS) break;
    if (!isRecord(it) || parts.includes(it)) continue;
    parts.push(it);
    if (typeof it['$ref'] === 'string') queue.push(targetOf(it['$ref'], root));
    if (Array.isArray(it['allOf'])) queue.push(...it['allOf'].slice(0, MAX_PARTS));
  }
  const at = (inner: unknown): SchemaNode => ({ root, node: inner });
  const first = <T>(read: (part: Readonly<Record<string, unknown>>) => T | undefined): T | undefined => {
    for (const it of parts) {
      const value = read(it);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const text = (name: string): string | undefined =>
    first((it) => (typeof it[name] === 'string' && it[name].trim() !== '' ? it[name] : undefined));
  const properties = new Map<string, SchemaNode>();
  for (const part of parts) {
    if (!isRecord(part['properties'])) continue;
    for (const [name, inner] of Object.entries(part['properties']).slice(0, MAX_PROPERTIES)) {
      if (!properties.has(name)) properties.set(name, at(inner));
    }
  }
  const items = first((it) => (isRecord(it['items']) ? it['items'] : undefined));
  const [title, description] = [text('title'), text('description')];
  const format = text('format');
  const fallback = first((it) => it['default']);
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    kinds: first((it) => kindsOf(it['type'])) ?? [],
    properties,
    required: [...new Set(parts.flatMap((it) => textsIn(it['required'])))],
    values: first(valuesIn) ?? [],
    ...(items !== undefined && { items: at(items) }),
    additional: additionalOf(parts, at),
    hasPatterns: parts.some((it) => isRecord(it['patternProperties'])),
    alternatives: parts.flatMap((it) =>
      ['oneOf', 'anyOf'].flatMap((name) => (Array.isArray(it[name]) ? it[name].slice(0, MAX_PARTS).map(at) : [])),
    ),
    ...(fallback !== undefined && { default: fallback }),
    ...(format !== undefined && { format }),
    isDeprecated: parts.some((it) => it['deprecated'] === true),
    isReadOnly: parts.some((it) => it['readOnly'] === true),
  };
}

/** The members of an object, with those of all alternatives. */
export function membersOf(place: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const known = isRecord(place.node) ? members.get(place.node) : undefined;
  if (known) return known;
  const view = viewOf(place);
  const all = new Map(view.properties);
  for (const it of view.alternatives) {
    for (const [name, inner] of viewOf(it).properties) if (!all.has(name)) all.set(name, inner);
  }
  if (isRecord(place.node)) members.set(place.node, all);
  return all;
}

/** The values that are allowed in a place, with those of all alternatives. Empty if the schema names none. */
export function valuesOf(node: SchemaNode): readonly unknown[] {
  const view = viewOf(node);
  const own = view.values.length > 0 ? view.values : view.kinds.includes('boolean') ? [true, false] : [];
  return own.length > 0 ? own : view.alternatives.flatMap((it) => viewOf(it).values);
}

/** The schema of a member; undefined where the schema says nothing of it. */
export function memberOf(node: SchemaNode, name: string): SchemaNode | undefined {
  const known = membersOf(node).get(name);
  if (known) return known;
  const views = [viewOf(node), ...viewOf(node).alternatives.map(viewOf)];
  return views.map((it) => it.additional).find((it) => typeof it === 'object');
}

/** The schema of the elements of a list. */
export function itemOf(node: SchemaNode): SchemaNode | undefined {
  const view = viewOf(node);
  return view.items ?? view.alternatives.map((it) => viewOf(it).items).find((it) => it !== undefined);
}

/** The schema below a path of members and indices. */
export function schemaAt(node: SchemaNode | undefined, path: readonly (string | number)[]): SchemaNode | undefined {
  let at = node;
  for (const it of path) {
    if (!at) return undefined;
    at = typeof it === 'number' ? itemOf(at) : memberOf(at, it);
  }
  return at;
}

/** `string`, `array of string`, `object`, `string or integer`; empty where the schema does not say. */
export function kindText(node: SchemaNode, depth = 0): string {
  const view = viewOf(node);
  const kinds = view.kinds.length > 0 ? view.kinds : [...new Set(view.alternatives.flatMap((it) => viewOf(it).kinds))];
  return kinds
    .map((it) => {
      const of = it === 'array' && view.items && depth < 3 ? kindText(view.items, depth + 1) : '';
      return of === '' ? it : `${it} of ${of}`;
    })
    .join(' or ');
}

/** `#/definitions/Disk`; anything else, as an address, leads nowhere and is not requested. */
function targetOf(reference: string, root: unknown): unknown {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) {
    // The schemas of service descriptions refer to each other by their bare names.
    const named = isRecord(root) && isRecord(root['schemas']) ? root['schemas'] : undefined;
    return named && Object.hasOwn(named, reference) ? named[reference] : undefined;
  }
  let at: unknown = root;
  for (const raw of reference.slice(2).split('/')) {
    const name = decoded(raw).replaceAll('~1', '/').replaceAll('~0', '~');
    if (isRecord(at) && Object.hasOwn(at, name)) at = at[name];
    else if (Array.isArray(at) && /^\d{1,6}$/.test(name)) at = at[Number(name)];
    else return undefined;
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function valuesIn(part: Readonly<Record<string, unknown>>): readonly unknown[] | undefined {
  const { enum: listed } = part;
  if (Array.isArray(listed)) return listed.length > MAX_VALUES ? [] : listed;
  return Object.hasOwn(part, 'const') ? [part['const']] : undefined;
}

function additionalOf(
  parts: readonly Readonly<Record<string, unknown>>[],
  at: (inner: unknown) => SchemaNode,
): SchemaView['additional'] {
  const said = parts.map((it) => it['additionalProperties']).filter((it) => it !== undefined);
  const form = said.find(isRecord);
  if (form) return at(form);
  if (said.includes(true)) return 'any';
  return said.includes(false) ? 'forbidden' : 'unsaid';
}

function kindsOf(type: unknown): string[] | undefined {
  const kinds = typeof type === 'string' ? [type] : textsIn(type);
  const known = kinds.map((it) => it.toLowerCase()).filter((it) => it !== 'any');
  return kinds.length === 0 ? undefined : [...new Set(known)].slice(0, MAX_KINDS);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === 'string') : [];
}
