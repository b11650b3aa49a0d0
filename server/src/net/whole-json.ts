const quote = 0x22;
const backslash = 0x5c;

/** Whether a JSON object or array ends as often as it begins: a text that was cut off anywhere does not. */
export function isWholeJson(json: Uint8Array): boolean {
  let depth = 0;
  let hasEnd = false;
  for (let at = 0; at < json.length; at++) {
    switch (json[at]) {
      case 0x5b:
      case 0x7b:
        depth++;
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        hasEnd = true;
        break;
      case quote:
        at = endOfString(json, at + 1);
        if (at === json.length) return false;
        break;
    }
  }
  return hasEnd && depth <= 0;
}

/** Where the quote stands that ends a string, or the end of the text. */
function endOfString(json: Uint8Array, from: number): number {
  for (let at = from; at < json.length; at++) {
    if (json[at] === backslash) at++;
    else if (json[at] === quote) return at;
  }
  return json.length;
}
