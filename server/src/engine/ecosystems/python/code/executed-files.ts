import type { FileRef } from '../../../model/manifest.ts';
import { type PythonTokens, punctuationAt, type TokenRange } from './python-syntax.ts';

/** Calls that run another file, or a text, in this one. */
const running: ReadonlySet<string> = new Set(['exec', 'execfile', 'run_path', 'eval']);
const opening: ReadonlySet<string> = new Set(['open', 'Path', 'execfile', 'run_path', 'join']);
/** Real scripts run one. */
const MAX_FILES = 5;

/**
 * The files that a script runs as its own code, mostly for its version. Where only Python knows which, one that is not there.
 *
 *     exec(open(os.path.join(here, "acme", "version.py")).read())
 *                                   ^^^^    ^^^^^^^^^^
 *     with open("version.py") as f: exec(f.read())
 * @param format of the script
 */
export function executedFiles(source: PythonTokens, format: string): FileRef[] {
  const { tokens } = source;
  const calls = callsIn(source, running, { from: 0, to: tokens.length });
  if (calls.length === 0) return [];
  // What a script runs beside its own call sets values for it, and may be written by a tool.
  const hasOwn = callsIn(source, new Set(['setup']), { from: 0, to: tokens.length }).length > 0;
  const inside = calls.map((it) => pathsIn(source, it));
  const isElsewhere = inside.some((it) => it.length === 0);
  const around = isElsewhere ? pathsIn(source, { from: 0, to: tokens.length }).filter((it) => it.endsWith('.py')) : [];
  const paths = [...new Set([...inside.flat(), ...around])].slice(0, MAX_FILES);
  const required = { required: true } as const;
  if (isElsewhere && around.length === 0) return [{ kind: 'include', path: '${}', format, ...required }];
  return paths.map((path) => ({ kind: 'include', path, format, ...(!hasOwn && required) }));
}

/** From the name of each call to its end. */
function callsIn(source: PythonTokens, names: ReadonlySet<string>, { from, to }: TokenRange): TokenRange[] {
  const found: TokenRange[] = [];
  for (let at = from; at < to; at++) {
    const token = source.tokens[at];
    if (token?.kind !== 'word' || !names.has(token.text) || punctuationAt(source, at + 1) !== '(') continue;
    // `self.exec(…)`, `def exec(…)`
    const before = source.tokens[at - 1];
    const isMethod =
      before?.kind === 'punctuation' && before.text === '.' && !/^(?:join|open|run_path)$/.test(token.text);
    if (isMethod || before?.text === 'def') continue;
    found.push({ from: at, to: source.close[at + 1] ?? to });
  }
  return found;
}

/** The paths that calls open, of the parts that are written as texts. */
function pathsIn(source: PythonTokens, range: TokenRange): string[] {
  return callsIn(source, opening, range).flatMap(({ from, to }) => {
    const strings = source.tokens
      .slice(from, to)
      .flatMap((it) => (it.kind === 'string' && !it.isComputed ? it.text : []));
    const parts = strings.filter((it) => /[./]/.test(it) || /^\w{4,}$/.test(it)).filter((it) => !/^utf/i.test(it));
    const path = parts.join('/').replaceAll('\\', '/').replaceAll('//', '/');
    return /\.\w+$/.test(path) ? [path.replace(/^\//, '')] : [];
  });
}
