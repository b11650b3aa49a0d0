import type { Definition } from '../../model/manifest.ts';

/** Of one id: more than are looked up, which is said. */
const MAX_VALUES = 100;

/** The values of one file by id, and those that apply in place of them if a condition holds. */
export interface ConditionalValues {
  /** The last unconditional value; without one, what applies where nothing else does, or the last of all. */
  readonly byId: ReadonlyMap<string, Definition>;
  /** Absent for most ids. */
  readonly others: ReadonlyMap<string, readonly Definition[]>;
  readonly isConditional: boolean;
}

export const noValues: ConditionalValues = { byId: new Map(), others: new Map(), isConditional: false };

/**
 * In the order of the text: an unconditional value replaces all before it, a conditional one is another possibility.
 *
 *     <V Condition="a">1</V>                         never applies
 *     <V>2</V>                                       byId
 *     <V Condition="b">3</V>                         others
 *     <V Condition="'$(V)' == ''">4</V>              never applies
 */
export function valuesById(
  definitions: readonly Definition[],
  idOf: (it: Definition) => string = (it) => it.id,
): ConditionalValues {
  const byId = new Map<string, Definition>();
  const others = new Map<string, Definition[]>();
  let isConditional = false;
  const addOther = (id: string, it: Definition): void => {
    const known = others.get(id);
    if (known === undefined) others.set(id, [it]);
    else if (known.length < MAX_VALUES) known.push(it);
  };
  for (const it of definitions) {
    const id = idOf(it);
    isConditional ||= it.condition !== undefined;
    const before = byId.get(id);
    if (it.condition === undefined) {
      byId.set(id, it);
      // A profile counts wherever it stands.
      const rest = before && others.get(id)?.filter((other) => other.isRarelyActive);
      if (rest) others.set(id, rest);
      if (before?.isRarelyActive && before.condition !== undefined) addOther(id, before);
    } else if (before === undefined) byId.set(id, it);
    else if (it.isFallback) {
      if (before.condition === undefined || before.isFallback) continue;
      addOther(id, before);
      byId.set(id, it);
    } else if (isUsual(before) || (it.isRarelyActive && !before.isRarelyActive)) addOther(id, it);
    else {
      addOther(id, before);
      byId.set(id, it);
    }
  }
  return { byId, others, isConditional };
}

/** Whether it applies where no condition holds. */
function isUsual({ condition, isFallback }: Definition): boolean {
  return condition === undefined || isFallback === true;
}
