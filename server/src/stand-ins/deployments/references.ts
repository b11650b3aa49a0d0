import { isRecord } from '../../engine/base/text.ts';

/** `$(ref.net.subnets[0].selfLink)`, with the name and the path. `$$(` is a literal text. */
const reference = /(?<!\$)\$\(ref\.([^.[\]()\s]+)((?:\.[^.[\]()\s]+|\[\d{1,9}\])*)\)/g;

/** The names of the resources that a value refers to. */
export function referencesIn(value: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  visit(value, (text) => {
    for (const [, name = ''] of text.matchAll(reference)) found.add(name);
  });
  return found;
}

/** Whether a text contains a reference, whose value is only known once the resource it names exists. */
export function hasReference(value: unknown): boolean {
  return typeof value === 'string' && value.search(reference) !== -1;
}

/** A reference without a value. The message is for the caller. */
export class ReferenceProblem extends Error {}

/**
 * The value with every reference replaced. A text that is one reference as a whole takes the type of its value.
 * @param outputsOf what references to a resource find
 * @throws ReferenceProblem
 */
export function resolveReferences(value: unknown, outputsOf: (name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((it) => resolveReferences(it, outputsOf));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, resolveReferences(it, outputsOf)]));
  }
  if (typeof value !== 'string') return value;
  const [first] = value.matchAll(reference);
  if (first?.[0] === value) return lookUp(first, outputsOf);
  return value.replace(reference, (...found) => {
    const replacement = lookUp(found, outputsOf);
    return typeof replacement === 'string' ? replacement : JSON.stringify(replacement);
  });
}

function lookUp([whole, name = '', path = '']: readonly string[], outputsOf: (name: string) => unknown): unknown {
  let value = outputsOf(name);
  for (const [, member, index] of path.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g)) {
    if (member !== undefined) value = isRecord(value) && Object.hasOwn(value, member) ? value[member] : undefined;
    else value = Array.isArray(value) ? value[Number(index)] : undefined;
  }
  if (value === undefined) throw new ReferenceProblem(`${whole} has no value: resource ${name} has no such output`);
  return value;
}

function visit(value: unknown, text: (text: string) => void): void {
  if (typeof value === 'string') text(value);
  else if (Array.isArray(value)) for (const it of value) visit(it, text);
  else if (isRecord(value)) for (const it of Object.values(value)) visit(it, text);
}

/**
 * Names that require themselves, directly or through others, each with the way back: `a → b → a`.
 * @param after what each name requires
 */
export function findCycles(after: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const cycles = new Map<string, readonly string[]>();
  for (const start of after.keys()) {
    if (cycles.has(start)) continue;
    const way = wayBack(start, after);
    for (const name of way ?? []) if (!cycles.has(name)) cycles.set(name, way ?? []);
  }
  return cycles;
}

function wayBack(start: string, after: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const from = new Map<string, string>();
  const queue = [start];
  for (const name of queue) {
    for (const next of after.get(name) ?? []) {
      if (next === start) {
        const way = [name];
        for (let at = name; at !== start; ) {
          at = from.get(at) ?? start;
          way.unshift(at);
        }
        return [...way, start];
      }
      if (from.has(next)) continue;
      from.set(next, name);
      queue.push(next);
    }
  }
  return undefined;
}
