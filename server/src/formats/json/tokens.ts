import type { ScanError, SyntaxKind } from 'jsonc-parser';

// The values of jsonc-parser's `SyntaxKind`, a `const enum` that single files cannot import.
export const openBrace = 1 satisfies SyntaxKind;
export const closeBrace = 2 satisfies SyntaxKind;
export const openBracket = 3 satisfies SyntaxKind;
export const closeBracket = 4 satisfies SyntaxKind;
export const comma = 5 satisfies SyntaxKind;
export const colon = 6 satisfies SyntaxKind;
export const stringLiteral = 10 satisfies SyntaxKind;
export const endOfFile = 17 satisfies SyntaxKind;
export const unexpectedEndOfString = 2 satisfies ScanError;
