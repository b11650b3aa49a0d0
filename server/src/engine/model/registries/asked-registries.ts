import type { Access, AskedRegistry } from './access.ts';

/*
 * The lists of registries that packages are asked of, by a number in this process: the `registry` of a key. Neither an
 * address nor a credential is part of it, so a key may be logged and compared. Settings of a workspace yield few lists.
 */

const ids = new Map<string, string>();
const lists = new Map<string, Access>();
/** An identifier is never given again. */
let last = 0;

/** The identifier of a list. The same registries with the same credentials have the same one. */
export function registryIdOf(access: Access): string {
  const { registries, join, besidePublic } = access;
  const text = JSON.stringify([join, besidePublic === true, registries.map(partsOf)]);
  const before = ids.get(text);
  if (before !== undefined) return before;
  const id = String(++last);
  ids.set(text, id);
  lists.set(id, access);
  return id;
}

/** The list of an identifier. */
export function accessOf(id: string): Access | undefined {
  return lists.get(id);
}

/** Drops all lists with their credentials. Their identifiers name nothing any more. */
export function forgetAccesses(): void {
  ids.clear();
  lists.clear();
}

/** Whether two lists are the same, with the same credentials. */
export function isSameAccess(a: Access | undefined, b: Access | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && registryIdOf(a) === registryIdOf(b));
}

function partsOf({
  protocol,
  address,
  from,
  namedBy,
  credential,
  refusal,
  takes,
  isOptional,
}: AskedRegistry): readonly unknown[] {
  return [
    protocol,
    address,
    from,
    namedBy,
    credential?.mark,
    refusal?.rule,
    refusal?.from,
    refusal?.detail,
    takes,
    isOptional,
  ];
}
