import type { FileLink } from '../../../model/manifest.ts';
import { punctuationAt, wordAt } from '../statements.ts';
import type { ScriptString, Token } from '../tokens.ts';

/** Projects of one build. The largest public ones have some 1000. */
const MAX_LINKS = 2000;

/**
 * The places that name projects of a build by their paths, which count from the directory of its settings.
 *
 *     include ':app', ':libs:core'        implementation(project(path = ":libs:core"))        includeBuild("../lib")
 *              ^^^^    ^^^^^^^^^^                                        ^^^^^^^^^^                         ^^^^^^
 */
export function projectLinks(tokens: readonly Token[]): readonly FileLink[] {
  const found: FileLink[] = [];
  for (let at = 0; at < tokens.length && found.length < MAX_LINKS; at++) {
    const call = wordAt(tokens, at);
    if (call !== 'include' && call !== 'includeBuild' && call !== 'project') continue;
    for (const it of stringsBehind(tokens, at + 1)) {
      const [piece, ...more] = it.pieces;
      if (piece?.kind === 'text' && more.length === 0)
        found.push({
          span: piece.span,
          upward: true,
          paths: call === 'includeBuild' ? builds(piece.text) : scripts(piece.text),
        });
      if (call !== 'include') break;
    }
  }
  return found;
}

/** The strings that a call has as its first arguments, over several lines: `(`, `path:`, a comma and a line end may be between. */
function stringsBehind(tokens: readonly Token[], from: number): readonly ScriptString[] {
  const found: ScriptString[] = [];
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    const before = punctuationAt(tokens, at - 1);
    if (token?.kind === 'string') found.push(token);
    else if (token?.kind === 'word' ? token.text !== 'path' : !isBetween(token?.text ?? '', before)) break;
  }
  return found;
}

function isBetween(text: string, before: string | undefined): boolean {
  return text === '\n' ? before === ',' || before === '(' : /^[(,:=]$/.test(text);
}

function scripts(path: string): readonly string[] {
  const directory = path.replace(/^:/, '').replaceAll(':', '/');
  const name = directory.slice(directory.lastIndexOf('/') + 1);
  return ['build', name].flatMap((it) => ['', '.kts'].map((end) => `${directory}/${it}.gradle${end}`));
}

function builds(path: string): readonly string[] {
  return ['', '.kts'].map((end) => `${path.replace(/[\\/]$/, '')}/settings.gradle${end}`);
}
