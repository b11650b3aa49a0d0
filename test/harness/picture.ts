import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * A picture is a small archive: a sentence, then files. Below a line of a file are the marks of that line, each a line
 * of carets with a label:
 *
 *     A range keeps its caret.
 *     -- package.json --
 *     { "dependencies": { "lodash": "^4.17.15" } }
 *                                    ^^^^^^^^ literal ^4.17.15
 *
 * A mark line repeats the tabs above it and has one caret a code point; an empty span is `|`. Marks are taken out
 * before the text is used, painted anew from what the code answers, and the two pictures compared as text.
 */

export interface Picture {
  readonly path: string;
  readonly title: string;
  readonly sections: readonly Section[];
}

export interface Section {
  /** The text between the dashes: a file name, `after: Update to 1.2.3`, `hover`. */
  readonly name: string;
  /** With its marks, as in the picture. */
  readonly painted: string;
  /** Without its marks. */
  readonly text: string;
}

/** Something to paint: offsets into the text as it was given to the code, byte order mark and all. */
export interface Mark {
  readonly span: { readonly start: number; readonly end: number };
  readonly label: string;
}

const sectionLine = /^-- (.+) --$/;
const markLine = /^\s*(?:\^+|\|)(?: .*)?$/;

/** The pictures of a folder: `*.txt`, in the order of their names. */
export function readPictures(directory: string): Picture[] {
  return readdirSync(directory)
    .filter((it) => it.endsWith('.txt'))
    .sort()
    .map((it) => parsePicture(join(directory, it), readFileSync(join(directory, it), 'utf8')));
}

export function parsePicture(path: string, content: string): Picture {
  const title: string[] = [];
  const sections: { name: string; lines: string[] }[] = [];
  for (const line of content.replace(/\n$/, '').split('\n')) {
    const name = sectionLine.exec(line)?.[1];
    if (name !== undefined) sections.push({ name, lines: [] });
    else (sections.at(-1)?.lines ?? title).push(line);
  }
  return {
    path,
    title: title.join(' ').trim(),
    sections: sections.map(({ name, lines }) => ({
      name,
      painted: lines.join('\n'),
      text: lines.filter((it) => !markLine.test(it)).join('\n'),
    })),
  };
}

/** Writes the archive that `parsePicture` reads. */
function formatPicture(title: string, sections: readonly { name: string; painted: string }[]): string {
  return `${[title, ...sections.map((it) => `-- ${it.name} --\n${it.painted}`)].join('\n')}\n`;
}

/** The same text as files come: with either line end, with and without a byte order mark. */
export function variants(text: string): { readonly name: string; readonly text: string }[] {
  const crlf = text.replaceAll('\n', '\r\n');
  return [
    { name: 'LF', text },
    { name: 'CRLF', text: crlf },
    { name: 'BOM', text: `\uFEFF${text}` },
    { name: 'BOM and CRLF', text: `\uFEFF${crlf}` },
  ];
}

/** The text with its marks under its lines, always with LF and without a byte order mark. */
export function paint(text: string, marks: readonly Mark[]): string {
  const shift = text.startsWith('\uFEFF') ? 1 : 0;
  const sorted = [...marks].sort((a, b) => a.span.start - b.span.start || a.span.end - b.span.end || compare(a, b));
  const painted: string[] = [];
  let start = shift;
  let next = 0;
  for (const line of text.slice(shift).split(/\r?\n/)) {
    painted.push(line);
    const end = start + line.length;
    for (; next < sorted.length; next++) {
      const mark = sorted[next];
      if (mark === undefined || mark.span.start > end) break;
      painted.push(markUnder(line, mark.span.start - start, mark.span.end - start, mark.label));
    }
    start = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return painted.join('\n');
}

function compare(a: Mark, b: Mark): number {
  return a.label < b.label ? -1 : a.label > b.label ? 1 : 0;
}

function markUnder(line: string, start: number, end: number, label: string): string {
  const indent = [...line.slice(0, start)].map((it) => (it === '\t' ? '\t' : ' ')).join('');
  const carets = '^'.repeat([...line.slice(start, Math.min(end, line.length))].length) || '|';
  return `${indent}${carets}${end > line.length ? ' …' : ''}${label === '' ? '' : ` ${label}`}`;
}

/**
 * Compares what the code answers with what a picture shows; under `UPDATE=1` writes the answer into the picture instead.
 * @param actual the sections as they should be painted now
 */
export function expectPicture(picture: Picture, actual: readonly { name: string; painted: string }[]): void {
  const wanted = formatPicture(picture.title, picture.sections);
  const got = formatPicture(picture.title, actual);
  if (got === wanted) return;
  if (process.env['UPDATE'] === '1') {
    if (process.env['CI']) throw new Error('UPDATE=1 is refused under CI: pictures are changed by people');
    writeFileSync(picture.path, got);
    return;
  }
  throw new Error(`${picture.path}\n--- the picture\n${wanted}\n--- the answer\n${got}`);
}
