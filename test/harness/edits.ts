import fc from 'fast-check';

/**
 * Texts as they are while somebody types: some stretches replaced, doubled or lost.
 * @param pieces what may stand in the place of a stretch
 */
export function editedTexts(texts: readonly string[], pieces: readonly string[]): fc.Arbitrary<string> {
  const edit = fc.tuple(fc.nat(), fc.nat({ max: 12 }), fc.constantFrom(...pieces));
  return fc.tuple(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 4 })).map(([original, edits]) =>
    edits.reduce((text, [at, length, inserted]) => {
      const start = at % (text.length + 1);
      return text.slice(0, start) + inserted + text.slice(start + length);
    }, original),
  );
}
