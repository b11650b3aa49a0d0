import { type Purl, parsePurl } from '../../model/purl.ts';
import type { Span } from '../../model/span.ts';

/** A purl within any text. */
export interface PurlInText {
  /** Including qualifiers and subpath. */
  readonly span: Span;
  readonly purl: Purl;
}

/** In characters, before and behind an offset. Real purls have some hundred. */
const MAX_PURL_LENGTH = 2000;

/**
 * Type and path, qualifiers, subpath. Quotes, brackets and Markdown end it, and so does `&` before the qualifiers:
 * `&quot;`.
 */
const purls =
  /(?<![a-z\d.+-])pkg:\/{0,3}[a-z][a-z\d.+-]*\/[\w.~%+!@:/-]+(?:\?[\w.-]+=[\w.~%+!@:/,=-]*(?:&[\w.-]+=[\w.~%+!@:/,=-]*)*)?(?:#[\w.~%+!@:/-]+)?/gi;

/**
 * The purl at an offset, if its package can be looked up. Qualifiers and a subpath do not matter for that.
 *
 *     see [lodash](pkg:npm/lodash@4.17.21?vcs_url=x), or …
 *                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
 */
export function purlAt(text: string, offset: number): PurlInText | undefined {
  const [before = ''] = /[^\r\n]*$/.exec(text.slice(Math.max(0, offset - MAX_PURL_LENGTH), offset)) ?? [];
  const [behind = ''] = /^[^\r\n]*/.exec(text.slice(offset, offset + MAX_PURL_LENGTH)) ?? [];
  const from = offset - before.length;
  for (const { 0: found, index } of (before + behind).matchAll(purls)) {
    const start = from + index;
    // The punctuation of the sentence around it, and emphasis that ends with it.
    const written = found.replace(text[start - 1] === '_' ? /[.,:!~_]+$/ : /[.,:!~]+$/, '');
    if (offset < start || offset > start + written.length) continue;
    const reading = parsePurl(written.replace(/[?#].*$/, ''));
    return reading.kind === 'purl' ? { span: { start, end: start + written.length }, purl: reading.purl } : undefined;
  }
  return undefined;
}
