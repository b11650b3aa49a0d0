const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Responses of the service are some five levels deep, and lockfiles as deep as their packages are nested. */
const MAX_JSON_DEPTH = 200;

/** In characters. A shorter text is parsed quickly at any depth. */
const MIN_CHECKED_LENGTH = 1024 * 1024;

/**
 * Whether a JSON text is nested deeper than any real one. `JSON.parse` needs seconds and gigabytes for such a text: 32 MiB
 * of brackets are 32 million nested arrays.
 */
export function isTooDeep(json: string): boolean {
  return excessOf(json, Number.POSITIVE_INFINITY) === 'depth';
}

/**
 * The limit that a JSON text exceeds: 32 MiB of `{},` are eleven million objects, which take a gigabyte.
 * @param maxValues objects, arrays and their elements
 * @param minLength in characters; a shorter text is not checked
 */
export function excessOf(
  json: string,
  maxValues: number,
  minLength = MIN_CHECKED_LENGTH,
): 'depth' | 'values' | undefined {
  if (json.length < minLength) return undefined;
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
    if (values > maxValues) return 'values';
  }
  return undefined;
}

/** The offset of the quote that ends a string, or the end of the text. */
function endOfString(json: string, from: number): number {
  for (let at = json.indexOf('"', from); at >= 0; at = json.indexOf('"', at + 1)) {
    let escapes = 0;
    while (json.charCodeAt(at - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return json.length;
}
