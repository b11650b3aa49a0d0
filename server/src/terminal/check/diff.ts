import type { Edit } from '../../engine/model/finding.ts';

/** Unchanged lines around each change. */
const CONTEXT_LINES = 3;

type PlainEdit = Pick<Edit, 'span' | 'newText'>;

/** The changed lines of the old text, `end` exclusive, and their replacement. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/**
 * Formats edits as a patch for `patch` and `git apply`. The edits must not overlap.
 *
 *     --- a/package.json
 *     +++ b/package.json
 *     @@ -1,3 +1,3 @@
 *      { "dependencies": {
 *     -  "lodash": "^4.17.15"
 *     +  "lodash": "^4.18.1"
 *      } }
 */
export function unifiedDiff(path: string, text: string, edits: readonly PlainEdit[]): string {
  const lines = linesOf(text);
  const changes = changesOf(text, lines, edits);
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const end = last?.at(-1)?.end ?? 0;
    if (last && change.start - end <= 2 * CONTEXT_LINES) last.push(change);
    else hunks.push([change]);
  }
  let shift = 0;
  const written = hunks.map((hunk) => {
    const start = Math.max(0, (hunk[0]?.start ?? 0) - CONTEXT_LINES);
    const end = Math.min(lines.length, (hunk.at(-1)?.end ?? 0) + CONTEXT_LINES);
    const added = hunk.reduce((sum, it) => sum + it.lines.length - (it.end - it.start), 0);
    const head = `@@ -${range(start, end - start)} +${range(start + shift, end - start + added)} @@\n`;
    shift += added;
    let body = '';
    let at = start;
    for (const change of hunk) {
      body += signed(' ', lines.slice(at, change.start));
      body += signed('-', lines.slice(change.start, change.end)) + signed('+', change.lines);
      at = change.end;
    }
    return head + body + signed(' ', lines.slice(at, end));
  });
  return `--- ${patchName(`a/${path}`)}\n+++ ${patchName(`b/${path}`)}\n${written.join('')}`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
};

/**
 * Writes a file name as git does in a patch: a line end in the name could otherwise add lines to it. Follows
 * `core.quotePath=false` of git-config, so that only control characters are escaped.
 *
 *     a/b.txt        a/b.txt
 *     a/b"\n.txt     "a/b\"\n.txt"
 */
function patchName(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is escaped
  const special = /["\\\u0000-\u001f\u007f]/g;
  if (!special.test(path)) return path.includes(' ') ? `${path}\t` : path;
  const octal = (it: string): string => `\\${it.charCodeAt(0).toString(8).padStart(3, '0')}`;
  return `"${path.replace(special, (it) => escapes[it] ?? octal(it))}"`;
}

/** Splits a text into lines with their line ends; the last one may have none. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function changesOf(text: string, lines: readonly string[], edits: readonly PlainEdit[]): Change[] {
  const starts = [0];
  for (const it of lines) starts.push((starts.at(-1) ?? 0) + it.length);
  const blocks: { readonly start: number; end: number; readonly edits: PlainEdit[] }[] = [];
  let line = 0;
  for (const edit of [...edits].sort((a, b) => a.span.start - b.span.start)) {
    while (line < lines.length - 1 && (starts[line + 1] ?? 0) <= edit.span.start) line++;
    let end = line + 1;
    while (end < lines.length && (starts[end] ?? 0) < edit.span.end) end++;
    const last = blocks.at(-1);
    // Adjacent lines are one change: first the old ones, then the new ones.
    if (last && line <= last.end) {
      last.end = Math.max(last.end, end);
      last.edits.push(edit);
    } else blocks.push({ start: line, end: Math.min(end, lines.length), edits: [edit] });
  }
  return blocks.map((block) => {
    let replaced = '';
    let at = starts[block.start] ?? 0;
    for (const { span, newText } of block.edits) {
      replaced += text.slice(at, span.start) + newText;
      at = span.end;
    }
    replaced += text.slice(at, starts[block.end]);
    return { start: block.start, end: block.end, lines: linesOf(replaced) };
  });
}

function range(start: number, length: number): string {
  // An empty range has the number of the line before it.
  const line = length === 0 ? start : start + 1;
  return length === 1 ? `${line}` : `${line},${length}`;
}

function signed(sign: string, lines: readonly string[]): string {
  return lines.map((it) => sign + (it.endsWith('\n') ? it : `${it}\n\\ No newline at end of file\n`)).join('');
}
