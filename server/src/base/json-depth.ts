const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Answers of the service are some five deep, and lockfiles as deep as packages lie in each other's folders. */
const MAX_JSON_DEPTH = 200;

/** What is shorter is read in no time, however deep it is nested. */
const MIN_CHECKED_LENGTH = 1024 * 1024;

/**
 * Whether a JSON text is nested deeper than anything that somebody means. `JSON.parse` takes such a text, but takes
 * seconds and gigabytes for it: 32 MiB of brackets are 32 million arrays, one within the other.
 */
export function isTooDeep(json: string): boolean {
  return excessOf(json, Number.POSITIVE_INFINITY) === 'depth';
}

/**
 * What a JSON text has more of than may be read: 32 MiB of `{},` are eleven million objects, which take a gigabyte.
 * @param mostValues objects, lists, and what they hold
 */
export function excessOf(json: string, mostValues: number): 'depth' | 'values' | undefined {
  if (json.length < MIN_CHECKED_LENGTH) return undefined;
  let depth = 0;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case 0x5b:
      case 0x7b:
        depth++;
        values++;
        if (depth > MAX_JSON_DEPTH) return 'depth';
        break;
      case comma:
        values++;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
      case quote:
        at = endOfString(json, at + 1);
        break;
    }
    if (values > mostValues) return 'values';
  }
  return undefined;
}

/** Where the quote stands that ends a string, or the end of the text. */
function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}
