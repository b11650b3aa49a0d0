import { type Purl, parsePurl } from '../../model/purl.ts';
import type { Span } from '../../model/span.ts';

/** A purl in the midst of any text. */
export interface PurlInText {
  /** All of it, what qualifies it included. */
  readonly span: Span;
  readonly purl: Purl;
}

/** How far around an offset a purl is looked for, in characters. None that names a package comes near it. */
const MAX_PURL_LENGTH = 2000;

/**
 * Type and path, qualifiers, subpath. What quotes, brackets and markdown put around it is none of its characters, and
 * `&` ends it where no qualifiers have begun: `&quot;`.
 */
const purls =
  /(?<![a-z\d.+-])pkg:\/{0,3}[a-z][a-z\d.+-]*\/[\w.~%+!@:/-]+(?:\?[\w.-]+=[\w.~%+!@:/,=-]*(?:&[\w.-]+=[\w.~%+!@:/,=-]*)*)?(?:#[\w.~%+!@:/-]+)?/gi;

/**
 * The purl that an offset is on, of a package that can be looked up. Qualifiers and a subpath say nothing of which
 * package it is.
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
