import type { Part, Requirement } from '../../model/manifest.ts';
import { aliasId, isAliasId, normalizeAlias } from './files/alias-id.ts';
import type { NamedValue, Script } from './script.ts';
import { catalogIds, referenceTo } from './values.ts';

/** The place of the argument in what a function comes to. No name of a build contains it. */
export const ARGUMENT = 'xARGUMENTx';

/** The id of what a function comes to; of several values in the order in which they are taken. */
export function functionId(name: string, value = 0): string {
  return `function:${normalizeAlias(name)}()${value === 0 ? '' : value}`;
}

/** The id of what the properties are that a function looks at before, and that no file may set. */
export function guardId(name: string): string {
  return `guard:${normalizeAlias(name)}()`;
}

/** Whether other ids may stand for one: aliases and functions. */
export function givesIds(id: string): boolean {
  return isAliasId(id) || id.startsWith('function:');
}

/** The function and the argument of a call, by its id. */
export function readCall(id: string): { readonly name: string; readonly argument: string } | undefined {
  const [, name, argument = ''] = /^call:(.+?)\((.*)\)$/s.exec(id) ?? [];
  return name === undefined ? undefined : { name, argument };
}

/** What a function comes to with an argument. */
export function withArgument(value: Requirement, argument: string): Requirement {
  const inText = (text: string) => text.replaceAll(ARGUMENT, argument);
  const inPart = (part: Part): Part => {
    if (typeof part === 'string') return inText(part);
    const isVersion = part.id.startsWith('version:');
    return { ...part, id: part.id.replaceAll(ARGUMENT, isVersion ? normalizeAlias(argument) : argument) };
  };
  switch (value.kind) {
    case 'literal':
      return value.at.text.includes(ARGUMENT)
        ? { kind: 'template', parts: [inText(value.at.text)], span: value.at.span }
        : value;
    case 'reference': {
      const to = inPart(value.to);
      return typeof to === 'string' ? value : { ...value, to };
    }
    case 'template':
      return { ...value, parts: value.parts.map(inPart) };
    case 'source':
    case 'none':
      return value;
  }
}

/** Names that are names of others. Real builds have two. */
const MAX_STEPS = 8;
/** Names that one may mean. */
const MAX_IDS = 50;

/**
 * The ids that an undefined one may mean, nearest first.
 *
 *     ext.libraries = libs      library:libraries-guava     library:guava
 *     deps.room = room          property:deps.room.version  property:room.version
 *
 * @param targets the names that a name has the contents of, by its `aliasId`
 */
export function* otherIds(id: string, targets: (id: string) => readonly string[]): Generator<string> {
  const seen = new Set([id]);
  let open: readonly string[] = [id];
  for (let step = 0; step < MAX_STEPS && open.length > 0; step++) {
    const next: string[] = [];
    for (const at of open)
      for (const it of renamed(at, targets))
        if (!seen.has(it) && seen.size < MAX_IDS) {
          seen.add(it);
          next.push(it);
        }
    yield* next;
    open = next;
  }
}

/** The names in the place of the longest beginning of an id that has others. */
function renamed(id: string, targets: (id: string) => readonly string[]): readonly string[] {
  const colon = id.indexOf(':') + 1;
  const name = id.slice(colon);
  for (let end = name.length; end > 0; end = Math.max(name.lastIndexOf('.', end - 1), name.lastIndexOf('-', end - 1))) {
    const found = targets(aliasId(name.slice(0, end)));
    if (found.length > 0) return found.map((it) => idOf(id.slice(0, colon - 1), `${it}${name.slice(end)}`));
  }
  return [];
}

function idOf(kind: string, name: string): string {
  if (kind === 'property') return referenceTo(name).id;
  return `${kind}:${normalizeAlias(name.replace(/^libs[.-]/, ''))}`;
}

/** The names that an alias means. */
export function targetsOf(value: Requirement | undefined): readonly string[] {
  return value?.kind === 'template' ? value.parts.filter((it) => typeof it === 'string') : [];
}

/** What a script says of a name, or of another name for it. */
export function namedIn({ named, aliases }: Pick<Script, 'named' | 'aliases'>, name: string): NamedValue | undefined {
  const id = catalogIds.library(name.replace(/^libs\./, ''));
  const found = named.get(id);
  if (found || aliases.size === 0) return found;
  for (const it of otherIds(id, (alias) => aliases.get(alias) ?? [])) if (named.has(it)) return named.get(it);
  return undefined;
}
