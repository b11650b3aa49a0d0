import type { Problem, Span } from '../../model/span.ts';
import { parseJson } from './parse.ts';
import type { JsonProperty, JsonString, JsonValue } from './tree.ts';
import { walkJson } from './walk.ts';

/** A value that the walk is in. */
type Container =
  | { readonly kind: 'root' }
  /** An array of the outermost object whose items are handed on. */
  | { readonly kind: 'stream'; readonly name: string }
  | { readonly kind: 'object'; readonly span: { start: number; end: number }; readonly properties: JsonProperty[] }
  | { readonly kind: 'array'; readonly span: { start: number; end: number }; readonly items: JsonValue[] }
  | { readonly kind: 'ignored' };

/**
 * Streams the arrays of a JSON text of many megabytes that a tool wrote: hands on the items of those that are properties
 * of the outermost object, one by one, so that there is never a tree of the whole. Broken parts are skipped, and comments
 * are not known. Never throws.
 * @param wanted the names of the arrays, and of the properties that their items keep
 * @param take receives an item, with the name of its array
 */
export function streamArrays(
  text: string,
  wanted: ReadonlySet<string>,
  take: (array: string, item: JsonValue) => void,
): readonly Problem[] {
  const around: Container[] = [];
  const root = rootOffset(text);
  let unexpected: Problem | undefined;
  const problems = walkJson(
    text,
    {
      open: (name, start) => enter(name, { kind: 'object', span: { start, end: start }, properties: [] }),
      openArray: (name, start) => enter(name, { kind: 'array', span: { start, end: start }, items: [] }),
      close: leave,
      closeArray: leave,
      string: (name, span) => isKept(name) && add(name, readString(text, span)),
      item: (span) => isKept(undefined) && add(undefined, readString(text, span)),
      unexpected(at) {
        unexpected ??= { span: { start: at, end: at + 1 }, message: 'it is not JSON' };
      },
      scalar: (name, span) =>
        isKept(name) && add(name, { kind: 'scalar', span, text: text.slice(span.start, span.end) }),
    },
    root,
  );
  if (root > 0) problems.unshift({ span: { start: 0, end: root }, message: 'the object should begin here' });
  return unexpected ? [unexpected, ...problems] : problems;

  function enter(name: Span | undefined, value: Extract<Container, JsonValue>): void {
    const kind = around.at(-1)?.kind;
    if (kind === undefined) around.push({ kind: value.kind === 'object' ? 'root' : 'ignored' });
    else if (kind === 'root') {
      const isStream = value.kind === 'array' && name && isWanted(name);
      around.push(isStream ? { kind: 'stream', name: readString(text, name).text } : { kind: 'ignored' });
    } else if (isKept(name)) {
      if (kind !== 'stream') add(name, value);
      around.push(value);
    } else around.push({ kind: 'ignored' });
  }

  function leave(end: number): void {
    const value = around.pop();
    if (value?.kind !== 'object' && value?.kind !== 'array') return;
    value.span.end = end;
    if (around.at(-1)?.kind === 'stream') add(undefined, value);
  }

  function isKept(name: Span | undefined): boolean {
    switch (around.at(-1)?.kind) {
      case 'stream':
      case 'array':
        return true;
      case 'object':
        return name !== undefined && isWanted(name);
      default:
        return false;
    }
  }

  function isWanted(name: Span): boolean {
    const written = text.slice(name.start, name.end);
    return wanted.has(written.includes('\\') ? readString(text, name).text : written);
  }

  function add(name: Span | undefined, value: JsonValue): void {
    const container = around.at(-1);
    if (container?.kind === 'stream') take(container.name, value);
    else if (container?.kind === 'array') container.items.push(value);
    else if (container?.kind === 'object' && name) container.properties.push({ name: readString(text, name), value });
  }
}

/** Where the value begins, behind a conflict marker for example: `<<<<<<< HEAD`. */
function rootOffset(text: string): number {
  return /^[\uFEFF\s]*[{["]/.test(text) ? 0 : Math.max(0, text.indexOf('{'));
}

function readString(text: string, span: Span): JsonString {
  const raw = text.slice(span.start, span.end);
  if (!raw.includes('\\')) return { kind: 'string', span, text: raw };
  const { root } = parseJson(`"${raw}"`);
  return { kind: 'string', span, text: root?.kind === 'string' ? root.text : raw, raw };
}
