/** In hexadecimal digits, two for each byte. */
export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('');
}

/** Of a few bytes: a digest, a credential. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

/** The UTF-8 bytes of a text in base64. */
export function textInBase64(text: string): string {
  return base64Of(new TextEncoder().encode(text));
}

/** The UTF-8 text of base64, read as leniently as Node reads it: other characters are skipped, also a last one alone. */
export function textFromBase64(base64: string): string {
  const [digits = ''] = base64.split('=', 1);
  const known = digits
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/[^A-Za-z0-9+/]/g, '');
  const whole = known.length % 4 === 1 ? known.slice(0, -1) : known;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(atob(whole), (it) => it.charCodeAt(0)));
}
