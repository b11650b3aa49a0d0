import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../tools/paths.ts';

const literal = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`(?:[^`$\\\\]|\\\\[^])*`'}`;
/** `l10n.t(`, `vscode.l10n.t(`, and `t(` where a function has taken it out of `vscode.l10n`. */
const call = /(?<![\w.])(?:vscode\.)?(?:l10n\.)?t\(\s*/g;
const plain = new RegExp(`(${literal})`, 'y');
const commented = new RegExp(
  String.raw`\{\s*message:\s*(${literal}),(?:\s*args:[^}]*?,)?\s*comment:\s*(${literal}),?\s*\}`,
  'y',
);

/** Where a text for people stands that could not be read: its first argument is no literal. */
class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/**
 * The texts for people that client and server are translated by, as bundles name them: the message, and behind a
 * slash the comment where there is one. Calls must have literals, so that this can find them.
 * @throws Unreadable
 */
export function messagesInSources(): ReadonlySet<string> {
  const found = new Set<string>();
  for (const path of globSync(['client/src/**/*.ts', 'server/src/**/*.ts'], { cwd: root })) {
    const code = readFileSync(join(root, path), 'utf8');
    if (code.includes('l10n')) for (const it of messagesIn(code, path)) found.add(it);
  }
  return found;
}

function* messagesIn(code: string, path: string): Generator<string> {
  for (const { index, 0: opening } of withoutComments(code).matchAll(call)) {
    const at = index + opening.length;
    plain.lastIndex = at;
    commented.lastIndex = at;
    const [, message] = plain.exec(code) ?? [];
    const [, text, comment] = commented.exec(code) ?? [];
    if (message !== undefined) yield textOf(message);
    else if (text !== undefined && comment !== undefined) yield `${textOf(text)}/${textOf(comment)}`;
    else throw new Unreadable(`${path}: ${code.slice(index, at + 60)}`);
  }
}

/** Of the same length, so that places stay what they are. */
function withoutComments(code: string): string {
  return code.replace(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, (it) => ' '.repeat(it.length));
}

/** What a literal of JavaScript stands for. */
function textOf(written: string): string {
  return written
    .slice(1, -1)
    .replace(/\\(\n|u\{?([0-9a-f]+)\}?|.)/gi, (_, escaped: string, code: string | undefined) => {
      if (escaped === '\n') return '';
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
      return escaped === 'n' ? '\n' : escaped;
    });
}
