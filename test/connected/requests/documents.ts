import assert from 'node:assert/strict';
import type { DocumentFinding, TextChange } from '../../../server/src/connected/model/documents/service-document.ts';
import { type CheckedRequest, checkRequest } from '../../../server/src/connected/requests/check.ts';
import { parseRequest } from '../../../server/src/connected/requests/parse.ts';

/** A document with all services connected, unless a test is about that. */
export function check(text: string, isConnected = true): Promise<CheckedRequest> {
  return checkRequest(parseRequest(text), { isConnected: () => isConnected, isOwnExtension: true });
}

/** `unknown-parameter sendUpdate`: the code and the text that it is about. */
export function named(text: string, { code, span }: DocumentFinding): string {
  return `${code} ${text.slice(span.start, span.end)}`;
}

/** A text with changes made. */
export function changed(text: string, changes: readonly TextChange[] = []): string {
  return changes
    .toSorted((a, b) => b.span.start - a.span.start)
    .reduce((it, { span, newText }) => it.slice(0, span.start) + newText + it.slice(span.end), text);
}

/** A text whose `|` is the cursor. */
export function withCursor(picture: string): { readonly text: string; readonly offset: number } {
  const offset = picture.indexOf('|');
  assert.ok(offset >= 0, picture);
  return { text: picture.replace('|', ''), offset };
}
