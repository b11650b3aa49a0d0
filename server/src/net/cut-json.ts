const quote = 0x22;
const backslash = 0x5c;

/** Nothing that is nested deeper is an answer: it is left to whoever reads it to say so. */
const deepest = 1000;

/** Whether a JSON object or array stops before its end. What does not fit together is broken otherwise. */
export function isCutShort(json: Uint8Array): boolean {
  const ends: number[] = [];
  let hasEnd = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    switch (byte) {
      case 0x5b:
      case 0x7b:
        // `]` and `}` are two places behind.
        ends.push(byte + 2);
        if (ends.length > deepest) return false;
        break;
      case 0x5d:
      case 0x7d:
        if (ends.pop() !== byte) return false;
        hasEnd = true;
        break;
      case quote:
        at = endOfString(json, at + 1);
        if (at >= json.length) return true;
        break;
    }
  }
  return ends.length > 0 || !hasEnd;
}

/** Where the quote stands that ends a string, or behind the end of the text. */
function endOfString(json: Uint8Array, from: number): number {
  for (let at = from; at < json.length; at++) {
    if (json[at] === backslash) at++;
    else if (json[at] === quote) return at;
  }
  return json.length;
}
