/** More proposals help no reader. */
const MAX_NAMES = 3;

/**
 * The names that a misspelled text may mean, the likeliest first: `GPL3` → `GPL-3.0-only`, `GPL-3.0-or-later`. Case and
 * punctuation do not count. Empty where nothing is similar.
 */
export function similarNames(text: string, names: readonly string[]): string[] {
  const given = bare(text);
  if (given === '') return [];
  const same = names.filter((it) => bare(it) === given);
  if (same.length > 0) return same.slice(0, MAX_NAMES);
  return names
    .flatMap((name) => {
      const distance = distanceOf(given, bare(name));
      return distance === undefined ? [] : [{ name, distance }];
    })
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMES)
    .map((it) => it.name);
}

/** One mistake for each of these characters counts as a misspelling. */
const CHARACTERS_A_MISTAKE = 4;

function distanceOf(given: string, name: string): number | undefined {
  const mistakes = Math.floor(given.length / CHARACTERS_A_MISTAKE);
  if (Math.abs(given.length - name.length) <= mistakes) {
    const distance = editDistance(given, name);
    if (distance <= mistakes) return distance;
  }
  // An incomplete name is less likely than a misspelled one.
  return name.startsWith(given) ? mistakes + 1 : undefined;
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Levenshtein's distance, with two swapped characters as one mistake: `emial` is one away from `email`. */
function editDistance(a: string, b: string): number {
  let earlier: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const [above = 0, left = 0, before = 0] = [row[j + 1], next[j], row[j]];
      const isSwapped = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      const swapped = isSwapped ? (earlier[j - 1] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(above + 1, left + 1, before + (a[i] === b[j] ? 0 : 1), swapped));
    }
    earlier = row;
    row = next;
  }
  return row[b.length] ?? 0;
}

/** Whether one mistake turns a name into another: a character more, less, another or two swapped. */
export function isOneEditApart(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  if (a === b || Math.max(a.length, b.length) - shorter > 1) return false;
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.length - end - start, b.length - end - start];
  if (left <= 1 && right <= 1) return true;
  return left === 2 && right === 2 && a[start] === b[start + 1] && a[start + 1] === b[start];
}
