import type { Dependency, Scope } from '../model/manifest.ts';
import { parsePurl } from '../model/purl.ts';
import type { Literal } from '../model/span.ts';
import { stated } from './stated.ts';

/** A purl as it stands in a file, and the stretches of it. */
export interface WrittenPurl {
  readonly text: string;
  readonly literal: (from: number, to: number) => Literal;
}

/**
 * The package of a component, by its purl. What qualifies it (an architecture, a repository) says nothing of which
 * package it is. Undefined for what is none of a system that is known, or has no version.
 *
 *     "purl": "pkg:npm/%40babel/traverse@7.23.2?vcs_url=…"
 *              ^^^^^^^^^^^^^^^^^^^^^^^^^ name
 *                                        ^^^^^^ requirement
 *
 * @param version the component's own statement of its version, for a purl without one
 */
export function component(
  { text, literal }: WrittenPurl,
  version: Literal | undefined,
  scope: Scope = 'runtime',
): Dependency | undefined {
  const end = text.search(/[?#]|$/);
  const reading = parsePurl(text.slice(0, end));
  if (reading.kind === 'invalid') return undefined;
  const { key, version: written } = reading.purl;
  const at = written === undefined ? end : text.lastIndexOf('@', end - 1);
  const own = written === undefined ? version : { ...literal(at + 1, end), text: written };
  if (own === undefined || own.text.trim() === '') return undefined;
  return {
    key,
    name: key.name,
    nameSpan: literal(0, at).span,
    by: 'purl',
    requirement: { kind: 'literal', at: stated(key.system, own) },
    scope,
    frozen: 'an SBOM states what is there',
  };
}
