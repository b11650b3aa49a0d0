import * as l10n from '@vscode/l10n';
import { type Decoded, decode, type Encoding } from '../../engine/formats/text/decode.ts';
import type { Edit } from '../../engine/model/finding.ts';

/** A file's bytes after some edits, or a clause with the reason why they cannot be made. */
export type ByteEditResult =
  | { readonly ok: true; readonly before: string; readonly after: string; readonly bytes: Uint8Array }
  | { readonly ok: false; readonly reason: string };

/**
 * Applies edits to the bytes of a file. All other bytes stay the same: byte order mark, line ends, and invalid text.
 * @param expected the text that the spans of the edits refer to
 */
export function applyByteEdits(
  bytes: Uint8Array,
  expected: string,
  edits: readonly Pick<Edit, 'span' | 'newText'>[],
): ByteEditResult {
  const decoded = decode(bytes);
  if (decoded.text !== expected) return { ok: false, reason: l10n.t('it has changed in the meantime') };
  const sorted = [...edits].sort((a, b) => a.span.start - b.span.start);
  const pieces: Uint8Array[] = [];
  let done = { text: 0, bytes: markLength(decoded) };
  let kept = 0;
  let after = '';
  for (const { span, newText } of sorted) {
    if (span.start < done.text || span.end > expected.length) return { ok: false, reason: l10n.t('two edits overlap') };
    const start = done.bytes + lengthOf(expected.slice(done.text, span.start), decoded.encoding);
    const end = start + lengthOf(expected.slice(span.start, span.end), decoded.encoding);
    const written = encode(newText, decoded.encoding);
    if (written === undefined)
      return { ok: false, reason: l10n.t('{0} cannot be encoded in {1}', newText, decoded.encoding) };
    pieces.push(bytes.subarray(kept, start), written);
    after += expected.slice(done.text, span.start) + newText;
    kept = end;
    done = { text: span.end, bytes: end };
  }
  after += expected.slice(done.text);
  const whole = Buffer.concat([...pieces, bytes.subarray(kept)]);
  // Invalid bytes may shift offsets, so that another place was replaced.
  if (decode(whole).text !== after) return { ok: false, reason: l10n.t('it is not valid {0}', decoded.encoding) };
  return { ok: true, before: expected, after, bytes: whole };
}

function markLength({ bom, encoding }: Decoded): number {
  return bom ? (encoding === 'utf-8' ? 3 : 2) : 0;
}

function lengthOf(text: string, encoding: Encoding): number {
  switch (encoding) {
    case 'utf-8':
      return Buffer.byteLength(text);
    case 'windows-1252':
      return text.length;
    case 'utf-16le':
    case 'utf-16be':
      return text.length * 2;
  }
}

function encode(text: string, encoding: Encoding): Uint8Array | undefined {
  switch (encoding) {
    case 'utf-8':
      return Buffer.from(text);
    case 'windows-1252':
      // Versions are ASCII; the other characters of this encoding are not worth a table.
      return /^\p{ASCII}*$/u.test(text) ? Buffer.from(text, 'latin1') : undefined;
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
  }
}
