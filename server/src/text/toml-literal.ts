import type { Literal } from '../model/span.ts';
import { type TomlString, tomlSpan } from './toml-string.ts';

/**
 * A string, or the stretch of it from `from` to `to` (offsets into its decoded text), as something that can be edited.
 *
 *     "requests>=2.31"
 *              ^^^^^^   tomlLiteral(value, 8)
 */
export function tomlLiteral(value: TomlString, from = 0, to = value.text.length): Literal {
  const encode = value.quote.startsWith('"') ? encodeBasic : encodeLiteral;
  return { span: tomlSpan(value, from, to), text: value.text.slice(from, to), encode };
}

/** JSON's escapes are TOML's too, but for DEL, which TOML wants escaped. */
function encodeBasic(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\x7f', '\\u007F');
}

/** Single quotes know no escapes: what cannot stand between them is left out. No version has such a thing. */
function encodeLiteral(text: string): string {
  return [...text].filter((it) => it !== "'" && (it >= ' ' || it === '\t')).join('');
}
