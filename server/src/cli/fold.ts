import { wrap } from '../report/wrap.ts';

/** Lines longer than this are hard to read, however wide the terminal. */
const widest = 100;

/** Less room than this beside the names is none: what they mean then stands below them. */
const least = 24;

/**
 * A help made to fit a terminal. What belongs to an option stands behind it, or below it where there is no room;
 * commands, which begin with two spaces, stay on their line.
 *
 *     --all    lockfiles and bills        --all
 *              of materials, too             lockfiles and bills of materials, too
 */
export function fold(help: string, columns: number | undefined): string {
  if (columns === undefined) return help;
  const width = Math.min(columns, widest);
  return paragraphsOf(help)
    .flatMap(({ name, column, text }): readonly string[] => {
      if (text === '') return [name];
      const isBeside = width - column >= least;
      const indent = isBeside ? column : Math.min(column, 6);
      const lines = wrap(text, width - indent).map((it) => ' '.repeat(indent) + it);
      if (name === '') return lines;
      const [first = '', ...others] = lines;
      return isBeside && name.length < column ? [name.padEnd(column) + first.trimStart(), ...others] : [name, ...lines];
    })
    .join('\n');
}

interface Paragraph {
  /** What the text is about, with its indentation: `  --all`; empty where it is about everything. */
  readonly name: string;
  /** Where the text begins. */
  readonly column: number;
  readonly text: string;
}

function paragraphsOf(help: string): readonly Paragraph[] {
  const all: Paragraph[] = [];
  for (const line of help.split('\n')) {
    const before = all.at(-1);
    const [, name = '', gap = '', text = ''] = /^( {2}\S+(?: \S+)*)(?:( {2,})(\S.*))?$/.exec(line) ?? [];
    const [, margin = '', rest = ''] = /^( *)(.*)$/.exec(line) ?? [];
    // Another line of the same: deeper than a name, or more prose below prose.
    const isMore =
      before !== undefined &&
      rest !== '' &&
      (margin.length > 2 ? before.name !== '' : margin === '' && isProse(before));
    if (isMore) {
      const joined = before.text === '' ? rest : `${before.text} ${rest}`;
      all[all.length - 1] = { ...before, column: before.column || margin.length, text: joined };
    } else if (name !== '') all.push({ name, column: text === '' ? 0 : name.length + gap.length, text });
    else all.push({ name: '', column: 0, text: rest });
  }
  return all;
}

function isProse({ name, text }: Paragraph): boolean {
  return name === '' && text !== '';
}
