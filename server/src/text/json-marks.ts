/* The characters that JSON is made of, as what scanners that read millions of them compare with. */
export const lineFeed = '\n'.charCodeAt(0);
export const carriageReturn = '\r'.charCodeAt(0);
export const space = ' '.charCodeAt(0);
export const quote = '"'.charCodeAt(0);
export const backslash = '\\'.charCodeAt(0);
export const colon = ':'.charCodeAt(0);
export const comma = ','.charCodeAt(0);
export const openBrace = '{'.charCodeAt(0);
export const closeBrace = '}'.charCodeAt(0);
export const openBracket = '['.charCodeAt(0);
export const closeBracket = ']'.charCodeAt(0);
