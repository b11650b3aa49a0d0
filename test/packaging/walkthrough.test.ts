import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { ClientCapabilities, CodeAction, Diagnostic, Hover, InlayHint } from 'vscode-languageserver';
import { systems } from '../../server/src/engine/model/system.ts';
import { startLsp } from '../harness/lsp-client.ts';
import { startService } from '../harness/service.ts';
import { root } from '../tools/paths.ts';
import { packagesOf } from '../tools/trial.ts';
import { type Box, columns, draw, type Line, type Piece } from './theme-picture.ts';

/*
 * The pictures of the walkthrough show what the server says about the sample, in both languages. `UPDATE=1` draws them
 * anew.
 */

/** The lines of the sample that the pictures show: the first, and the number of them. */
const shown = { first: 5, count: 8 } as const;
/** The line of lodash. */
const pointed = 9;
/** Rows of a box. More are cut. */
const MAX_HOVER_LINES = 9;
const MAX_FIXES = 5;
/** How long the last facts may take, in ms. */
const PATIENCE = 10_000;

const capabilities: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: [] } },
      isPreferredSupport: true,
      disabledSupport: true,
    },
  },
  workspace: { applyEdit: true },
  experimental: { packageInsightsIgnore: true, packageInsightsUpdated: true, packageInsightsCommands: true },
};

const service = await startService();
const folder = mkdtempSync(join(tmpdir(), 'walkthrough-'));
for (const it of ['package.json', 'package-lock.json']) cpSync(join(root, 'test', 'sample', it), join(folder, it));
const text = readFileSync(join(folder, 'package.json'), 'utf8');
after(async () => {
  await service.close();
  rmSync(folder, { recursive: true });
});

for (const { locale, suffix } of [
  { locale: 'en', suffix: '' },
  { locale: 'de', suffix: '.de' },
]) {
  test(`the pictures of the walkthrough show what the server says (${locale})`, async (t) => {
    const client = await startLsp({
      capabilities,
      settings: { baseUrl: service.url },
      folder: pathToFileURL(folder).href,
      locale,
    });
    t.after(() => client.process.kill());
    const uri = pathToFileURL(join(folder, 'package.json')).href;
    await client.open(uri, text);
    const deadline = Date.now() + PATIENCE;
    const isUpdate = process.env['UPDATE'] === '1';
    for (;;) {
      const pictures = picturesOf(await answersOf(client, uri), suffix);
      const isDone = isUpdate ? Date.now() > deadline - PATIENCE / 2 : pictures.every(isAsDrawn);
      if (isDone || Date.now() > deadline) {
        if (isUpdate) for (const { path, svg } of pictures) writeFileSync(path, svg);
        for (const { path, svg } of pictures) assert.equal(svg, readFileSync(path, 'utf8'), path);
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await client.stop();
  });
}

test('the walkthrough names the number of packages in the catalog', () => {
  const packages = systems.reduce((sum, it) => sum + packagesOf(it), 0);
  for (const name of ['package.nls.json', 'package.nls.de.json']) {
    const texts = JSON.parse(readFileSync(join(root, name), 'utf8'));
    for (const step of ['catalog', 'registries'])
      assert.ok(texts[`walkthrough.${step}.description`].includes(` ${packages} `), `${name}: ${packages} packages`);
  }
});

interface Answers {
  readonly hints: readonly InlayHint[];
  readonly diagnostics: readonly Diagnostic[];
  readonly hover: string;
  readonly fixes: readonly string[];
}

async function answersOf({ connection, pushed }: Awaited<ReturnType<typeof startLsp>>, uri: string): Promise<Answers> {
  const textDocument = { uri };
  const position = { line: pointed, character: 16 };
  const cursor = { start: position, end: position };
  const all = { start: { line: 0, character: 0 }, end: { line: 99, character: 0 } };
  const hints = await connection.sendRequest<InlayHint[]>('textDocument/inlayHint', { textDocument, range: all });
  const hover = await connection.sendRequest<Hover | null>('textDocument/hover', { textDocument, position });
  const context = { diagnostics: [] };
  const actions = await connection.sendRequest<CodeAction[]>('textDocument/codeAction', {
    textDocument,
    range: cursor,
    context,
  });
  const contents = hover?.contents;
  return {
    hints,
    diagnostics: pushed.get(uri) ?? [],
    hover: typeof contents === 'object' && 'value' in contents ? contents.value : '',
    // The day on which an ignore would end is another each day.
    fixes: actions.map((it) => it.title).filter((it) => !/\d{4}-\d\d-\d\d|\d\d\.\d\d\.\d{4}/.test(it)),
  };
}

function picturesOf(answers: Answers, suffix: string): readonly { readonly path: string; readonly svg: string }[] {
  const texts = JSON.parse(readFileSync(join(root, `package.nls${suffix}.json`), 'utf8'));
  const picture = (name: string, boxes: readonly Box[]) => ({
    path: join(root, 'docs', 'walkthrough', `${name}${suffix}.svg`),
    svg: draw(boxes, texts[`walkthrough.${name}.alt`]),
  });
  const fixes = answers.fixes
    .slice(0, MAX_FIXES)
    .map((it) => line({ text: cut(it, columns - 3), color: 'editorActionList-foreground' }));
  return [
    picture('hover', [code(answers, shown.first, shown.count), hoverBox(answers.hover)]),
    picture('fix', [
      code(answers, pointed - 1, 3),
      {
        lines: fixes,
        selected: 0,
        background: 'editorActionList-background',
        border: 'editorHoverWidget-border',
        indent: 2,
      },
    ]),
  ];
}

function isAsDrawn({ path, svg }: { readonly path: string; readonly svg: string }): boolean {
  return readFileSync(path, 'utf8') === svg;
}

/** Lines of the manifest with their hints and squiggles. */
function code({ hints, diagnostics }: Answers, first: number, count: number): Box {
  const lines = text
    .split('\n')
    .slice(first, first + count)
    .map((content, index): Line => {
      const number = first + index;
      const [flaw] = diagnostics
        .filter((it) => it.range.start.line === number)
        .sort((a, b) => (a.severity ?? 4) - (b.severity ?? 4));
      const own = hints.filter((it) => it.position.line === number).map(labelOf);
      const hint: Piece[] = own.map((it) => ({
        text: `  ${it}`,
        color: 'editorInlayHint-foreground',
        background: 'editorInlayHint-background',
      }));
      // Half of the indentation leaves room for the hints.
      return { pieces: fitted([...tokens(content.replace(/^ {2}/, ''), flaw), ...hint], columns) };
    });
  return { lines, background: 'editor-background', border: 'editorHoverWidget-border', indent: 0 };
}

/** The pieces that fit a width; the last one is cut. */
function fitted(pieces: readonly Piece[], width: number): Piece[] {
  let left = width;
  return pieces.flatMap((piece) => {
    const text = cut(piece.text, left);
    left = Math.max(0, left - text.length);
    return text === '' ? [] : [{ ...piece, text }];
  });
}

function labelOf({ label }: InlayHint): string {
  return typeof label === 'string' ? label : label.map((it) => it.value).join('');
}

/** `  "lodash": "^4.17.15",` in the colors that the debugger gives to names and strings. */
function tokens(content: string, flaw: Diagnostic | undefined): Piece[] {
  const squiggle = flaw?.severity === 1 ? 'editorError-foreground' : 'editorWarning-foreground';
  return content.split(/("[^"]*")/).map((piece, at, all): Piece => {
    if (!piece.startsWith('"')) return { text: piece, color: 'editor-foreground' };
    const isKey = all[at + 1]?.startsWith(':') === true;
    const isFlawed = flaw !== undefined && !isKey && (flaw.severity ?? 4) < 3;
    return {
      text: piece,
      color: isKey ? 'debugTokenExpression-name' : 'debugTokenExpression-string',
      ...(isFlawed && { squiggle }),
    };
  });
}

/** The first lines of a hover. */
function hoverBox(markdown: string): Box {
  const lines = markdown
    .split('\n')
    .filter((it) => it.trim() !== '' && !/^-{3,}$/.test(it))
    .slice(0, MAX_HOVER_LINES)
    .map((it): Line => ({ pieces: inline(it) }));
  return { lines, background: 'editorHoverWidget-background', border: 'editorHoverWidget-border', indent: 2 };
}

/** `**bold**`, `[label](address)` and codes of one line, cut at the width of the picture. */
function inline(markdown: string): Piece[] {
  const plain = markdown
    .replace(/^- /, '• ')
    .replace(/\\([^\w\s])/g, '$1')
    .replaceAll('&nbsp;', ' ');
  const pieces = plain.split(/(\*\*.+?\*\*|\[[^\]]*\]\([^)]*\)|`[^`]*`)/).flatMap((piece): Piece[] => {
    const [, bold, label] = /^\*\*(.+)\*\*$|^\[(.*)\]\(.*\)$/s.exec(piece) ?? [];
    const bare = bold ?? label ?? piece.replace(/^`(.*)`$/, '$1');
    if (bare === '') return [];
    return [
      {
        text: bare,
        color: label === undefined ? 'editorHoverWidget-foreground' : 'textLink-foreground',
        ...(bold !== undefined && { isBold: true }),
      },
    ];
  });
  return fitted(pieces, columns - 3);
}

function line(piece: Piece): Line {
  return { pieces: [piece] };
}

function cut(given: string, length: number): string {
  return given.length <= length ? given : length <= 0 ? '' : `${given.slice(0, length - 1)}…`;
}
