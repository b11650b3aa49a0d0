const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The text that is meant, with line ends as LF. `complete` is false where an entity stays as written, because only the
 * file itself could say what it means.
 */
export function decode(raw: string, cdata: boolean): { readonly text: string; readonly complete: boolean } {
  const text = raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw;
  if (cdata || !text.includes('&')) return { text, complete: true };
  let complete = true;
  const decoded = text.replace(
    /&(?:#([0-9]{1,8})|#x([0-9a-fA-F]{1,8})|([a-zA-Z_][\w.-]*));/g,
    (whole, ten, sixteen, name) => {
      const code = ten ? Number.parseInt(ten, 10) : sixteen ? Number.parseInt(sixteen, 16) : -1;
      if (code >= 0 && code <= 0x10ffff) return String.fromCodePoint(code);
      const character = Object.hasOwn(entities, name ?? '') ? entities[name] : undefined;
      if (character === undefined) complete = false;
      return character ?? whole;
    },
  );
  return { text: decoded, complete };
}

/** For text between tags. */
export function encodeText(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
}

/** For an attribute in double quotes. */
export function encodeDouble(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** For an attribute in single quotes. */
export function encodeSingle(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;');
}

/** For the inside of a CDATA section. */
export function encodeCdata(value: string): string {
  return value.replaceAll(']]>', ']]]]><![CDATA[>');
}
