import * as l10n from '@vscode/l10n';
import type { Span } from '../model/span.ts';

/** The parts of `group:artifact:version`, as stretches of the text. */
export interface Notation {
  /** `group:artifact` */
  readonly name: Span;
  readonly version?: Span;
  readonly frozen?: string;
}

/**
 * Reads Gradle's notation of an artifact.
 *
 *     org.slf4j:slf4j-api:1.7.25:tests@jar
 *     ^^^^^^^^^^^^^^^^^^^ name
 *                         ^^^^^^ version
 *     org.slf4j:slf4j-api:[1.7,1.8[!!1.7.25     strictly in a range, by preference 1.7.25
 *                                    ^^^^^^
 */
export function readNotation(text: string): Notation | undefined {
  const [, name, rest] = /^([^:\s@/]+:[^:\s@/]+)(?::([^:@]*))?(?=[:@]|$)/.exec(text) ?? [];
  if (name === undefined || !isModule(name)) return undefined;
  const at = { start: 0, end: name.length };
  if (rest === undefined || rest === '') return { name: at };
  const start = name.length + 1;
  const strict = rest.indexOf('!!');
  if (strict < 0) return { name: at, version: { start, end: start + rest.length } };
  if (strict + 2 === rest.length) return { name: at, version: { start, end: start + strict } };
  return {
    name: at,
    version: { start: start + strict + 2, end: start + rest.length },
    frozen: l10n.t('a strict version bounds it'),
  };
}

/** Stands for a reference in a value's text. No coordinate has it. */
export const hole = '\uFFFC';

/**
 * What could be a half of a name. Source: Maven's DefaultModelValidator, which refuses other characters; a port, a time
 * or a version is none, either.
 */
const half = /^(?![\d.]+$)[\w.\uFFFC-]+$/;

/** Whether a text could name a group and an artifact: not `localhost:8080`, `10:30`, or a group with a blank. */
export function isModule(name: string): boolean {
  const colon = name.indexOf(':');
  return half.test(name.slice(0, colon)) && half.test(name.slice(colon + 1));
}
