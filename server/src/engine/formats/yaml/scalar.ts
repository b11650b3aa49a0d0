import { CST } from 'yaml';
import type { Literal, Span } from '../../model/span.ts';

/** `span` is inside the quotes, `text` is decoded. Numbers and other types are undecoded texts. */
export interface YamlScalar {
  readonly kind: 'scalar';
  readonly span: Span;
  readonly text: string;
  readonly style: 'plain' | 'single' | 'double' | 'block';
  /** It is in a flow collection, where commas and brackets end a plain value. */
  readonly flow: boolean;
  /** The undecoded text, where it differs from `text`. */
  readonly raw?: string;
}

/**
 * The editable literal of a scalar, or of the range from `from` to `to` of it (offsets in its decoded text).
 *
 *     react: npm:preact@^10.5.0
 *                       ^^^^^^^   yamlLiteral(value, 11)
 */
export function yamlLiteral(value: YamlScalar, from = 0, to = value.text.length): Literal {
  const whole = from === 0 && to === value.text.length;
  return { span: yamlSpan(value, from, to), text: value.text.slice(from, to), encode: encoders(value, whole) };
}

/** The span in the file of a range of a scalar's decoded text. */
export function yamlSpan(value: YamlScalar, from: number, to: number): Span {
  if (value.raw === undefined) return { start: value.span.start + from, end: value.span.start + to };
  // A value that is folded from several lines has one span.
  if (value.style === 'plain' || value.style === 'block' || value.raw.includes('\n')) return value.span;
  return { start: offsetOf(value, value.raw, from), end: offsetOf(value, value.raw, to) };
}

/** An escape of a double-quoted scalar, complete or not, or one character. */
const doubleUnit = /\\x[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\U[\da-fA-F]{8}|\\[\s\S]|[\s\S]/g;
const singleUnit = /''|[\s\S]/g;

function offsetOf(value: YamlScalar, raw: string, index: number): number {
  if (index >= value.text.length) return value.span.end;
  let decoded = 0;
  for (const it of raw.matchAll(value.style === 'single' ? singleUnit : doubleUnit)) {
    if (decoded >= index) return value.span.start + it.index;
    decoded += /^\\U/.test(it[0]) && Number.parseInt(it[0].slice(2), 16) > 0xffff ? 2 : 1;
  }
  return value.span.end;
}

type ReportProblem = (message: string, start: number, end: number) => void;

/**
 * Reads one scalar, also an incomplete one.
 * @param unclosed the offsets of unterminated quotes, which were read as plain letters
 */
export function readScalar(
  text: string,
  token: CST.FlowScalar | CST.BlockScalar,
  flow: boolean,
  unclosed: ReadonlySet<number>,
  problem: ReportProblem,
): YamlScalar {
  const { offset } = token;
  if (token.type === 'block-scalar') return readBlock(text, token, problem);
  const end = offset + token.source.length;
  for (const it of token.end ?? []) {
    if (it.type === 'space' || it.type === 'comment' || it.type === 'newline' || it.type === 'comma') continue;
    problem('this does not belong here', it.offset, it.offset + it.source.length);
  }
  const quote = text[offset];
  if (token.type === 'scalar' && !unclosed.has(offset)) {
    // Source: YAML 1.2.2, rule 22, indicators that no plain scalar may begin with.
    if (/^[@`%]/.test(token.source)) problem('this needs quotes', offset, end);
    return scalar(text, { start: offset, end }, decode(token), 'plain', flow);
  }
  const style = quote === "'" ? 'single' : 'double';
  const closed = token.type !== 'scalar' && isClosed(token.source);
  if (!closed) problem('the closing quote is missing', offset, end);
  const span = { start: offset + 1, end: Math.max(offset + 1, end - (closed ? 1 : 0)) };
  return scalar(text, span, closed ? decode(token) : text.slice(span.start, span.end), style, flow);
}

function scalar(text: string, span: Span, decoded: string, style: YamlScalar['style'], flow: boolean): YamlScalar {
  const raw = text.slice(span.start, span.end);
  return { kind: 'scalar', span, text: decoded, style, flow, ...(raw !== decoded && { raw }) };
}

/** Whether the last quote closes the text: `"a\\"` and `'a''` are still open. */
function isClosed(source: string): boolean {
  const quote = source[0] ?? '';
  if (source.length < 2 || !source.endsWith(quote)) return false;
  const escaping = quote === "'" ? "'" : '\\';
  let escapes = 0;
  while (escapes < source.length - 2 && source[source.length - 2 - escapes] === escaping) escapes++;
  return escapes % 2 === 0;
}

function decode(token: CST.FlowScalar): string {
  const { source } = token;
  if (token.type === 'scalar' && !source.includes('\n')) return source;
  if (token.type === 'single-quoted-scalar' && !source.includes('\n')) return source.slice(1, -1).replaceAll("''", "'");
  if (token.type === 'double-quoted-scalar' && !/[\\\n]/.test(source)) return source.slice(1, -1);
  // Errors go to the callback, which ignores them: an invalid scalar is shown undecoded.
  return CST.resolveAsScalar(token, false, () => {})?.value ?? source;
}

/**
 * The content of `|` and `>`. It is only shown, since no version is written this way. A range without its quotes begins one
 * by mistake:
 *
 *     react: >=18.0.0
 *            ^^^^^^^^ the header of a text that begins in the next line
 */
function readBlock(text: string, token: CST.BlockScalar, problem: ReportProblem): YamlScalar {
  const header = token.props.find((it) => it.type === 'block-scalar-header');
  const written = header && 'source' in header ? header.source : '';
  if (header && !/^[|>][-+\d]*$/.test(written)) {
    const { offset: start } = header;
    const line = text.indexOf('\n', start);
    const [range = ''] = text.slice(start, line < 0 ? text.length : line).split(/\s#/, 1);
    const end = start + range.trimEnd().length;
    problem('this needs quotes', start, end);
    return scalar(text, { start, end }, range.trimEnd(), 'plain', false);
  }
  const content = token.source.trim();
  const at = token.props.reduce((end, it) => ('source' in it ? it.offset + it.source.length : end), token.offset);
  const start = content === '' ? at : at + token.source.length - token.source.trimStart().length;
  const lines = content.split('\n').map((it) => it.trim());
  return scalar(text, { start, end: start + content.length }, lines.join(' '), 'block', false);
}

function encoders({ style, flow }: YamlScalar, whole: boolean): (value: string) => string {
  switch (style) {
    case 'double':
      return (value) => JSON.stringify(value).slice(1, -1);
    case 'single':
      return (value) => value.replaceAll("'", "''");
    case 'plain':
      // A part of a longer value cannot be quoted, and no version needs quotes there.
      return (value) => (whole && needsQuotes(value, flow) ? `'${value.replaceAll("'", "''")}'` : value);
    case 'block':
      return (value) => value;
  }
}

/** A start that makes a plain scalar something else, or invalid. Source: YAML 1.2.2, chapter 5.3 and rule 126. */
const indicator = /^(?:[&*!|>'"%@`#,[\]{}\s]|[-?:](?:\s|$)|---|\.\.\.)/;
/** A scalar of another type in YAML 1.1 or 1.2. Source: YAML 1.2.2, chapter 10.3, and the types of YAML 1.1. */
const otherType =
  /^(?:~|null|true|false|yes|no|on|off|y|n|[-+]?(?:0[xob])?[\d_]+|[-+]?(?:\d[\d_]*)?(?:\.[\d_]*)?(?:e[-+]?\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+|[-+]?\.(?:inf|nan)|\d{4}-\d\d?-\d\d?(?:[t\s].*)?)$/i;

function needsQuotes(value: string, flow: boolean): boolean {
  if (value === '' || indicator.test(value) || otherType.test(value)) return true;
  return /:(?:\s|$)|\s#|\s$|[\n\r]/.test(value) || (flow && /[,[\]{}]/.test(value));
}
