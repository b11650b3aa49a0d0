/**
 * A value as indented JSON that a terminal may show: what would order it about, turn the direction of its text or take
 * no room is written as an escape, which every reader of JSON takes for the same character.
 */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu,
    (it) => it.replace(/./gs, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}
