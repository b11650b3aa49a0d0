/*
 * Pictures of the editor as SVG, in the colors of the reader's theme. VS Code shows them in the walkthrough between 350
 * and 530 pixels wide and forbids styles in them, so all is said by attributes. Each text is stretched to its cells, so a
 * squiggle is below its text in every font.
 */

/** A line of text: pieces that follow each other. */
export interface Line {
  readonly pieces: readonly Piece[];
}

export interface Piece {
  readonly text: string;
  /** The name of a theme color, `editor-foreground`. */
  readonly color: string;
  readonly background?: string;
  /** The color of a squiggle below. */
  readonly squiggle?: string;
  readonly isBold?: boolean;
}

/** A box of lines with a background. */
export interface Box {
  readonly lines: readonly Line[];
  readonly background: string;
  readonly border: string;
  /** In cells. */
  readonly indent: number;
  /** The line that is selected. */
  readonly selected?: number;
}

/** The widest line, in cells. */
export const columns = 62;

const cell = { width: 7.6, height: 20 } as const;
const fontSize = 12.6;
const padding = 10;

/** Draws boxes below each other. */
export function draw(boxes: readonly Box[], alternative: string): string {
  const width = Math.ceil(columns * cell.width + 2 * padding);
  let top = 0;
  const shapes = boxes.flatMap((box) => {
    const drawn = drawBox(box, top, width);
    top += heightOf(box) + 6;
    return drawn;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${top}" role="img" aria-label="${escapeXml(alternative)}"`,
    `  font-family="var(--vscode-editor-font-family), monospace" font-size="${fontSize}">`,
    ...shapes.map((it) => `  ${it}`),
    '</svg>',
    '',
  ].join('\n');
}

function heightOf({ lines }: Box): number {
  return lines.length * cell.height + 2 * padding;
}

function drawBox(box: Box, top: number, width: number): string[] {
  const left = box.indent * cell.width;
  const frame = { x: left + 0.5, y: top + 0.5, width: width - left - 1, height: heightOf(box) - 1 };
  return [
    rect(frame, `rx="4" fill="${color(box.background)}" stroke="${color(box.border)}"`),
    ...box.lines.flatMap((line, at) => {
      const y = top + padding + at * cell.height;
      const row = { x: left + 4, y, width: width - left - 8, height: cell.height };
      const selection =
        at === box.selected ? [rect(row, `rx="3" fill="${color('editorActionList-focusBackground')}"`)] : [];
      return [...selection, ...drawLine(line, left + padding, y)];
    }),
  ];
}

function drawLine({ pieces }: Line, left: number, top: number): string[] {
  let x = left;
  return pieces.flatMap((piece) => {
    const indent = piece.text.length - piece.text.trimStart().length;
    const start = x + indent * cell.width;
    const shown = piece.text.trim();
    const width = [...shown].length * cell.width;
    x += [...piece.text].length * cell.width;
    if (shown === '') return [];
    const base = top + cell.height * 0.7;
    const weight = piece.isBold ? ' font-weight="bold"' : '';
    return [
      ...(piece.background === undefined
        ? []
        : [
            rect(
              { x: start - 3, y: top + 2, width: width + 6, height: cell.height - 4 },
              `rx="3" fill="${color(piece.background)}"`,
            ),
          ]),
      `<text x="${round(start)}" y="${round(base)}" textLength="${round(width)}" lengthAdjust="spacingAndGlyphs" fill="${color(piece.color)}"${weight}>${escapeXml(shown)}</text>`,
      ...(piece.squiggle === undefined ? [] : [squiggle(start, base + 4, width, piece.squiggle)]),
    ];
  });
}

function squiggle(x: number, y: number, width: number, name: string): string {
  const waves = Math.round(width / 6);
  return `<path d="M${round(x)} ${round(y)}${' q1.5 -3 3 0 t3 0'.repeat(waves)}" fill="none" stroke="${color(name)}"/>`;
}

function rect(at: Readonly<Record<'x' | 'y' | 'width' | 'height', number>>, rest: string): string {
  const place = Object.entries(at).map(([name, value]) => `${name}="${round(value)}"`);
  return `<rect ${place.join(' ')} ${rest}/>`;
}

function color(name: string): string {
  return `var(--vscode-${name})`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
