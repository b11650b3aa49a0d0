import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CompletionItem } from 'vscode-languageserver';
import { codeActions } from '../../../server/src/editor/features/code-actions.ts';
import { factsOfTargets } from '../../../server/src/editor/features/commands.ts';
import { completion } from '../../../server/src/editor/features/completion.ts';
import { documentLinks } from '../../../server/src/editor/features/document-links.ts';
import type { AnswerContext } from '../../../server/src/editor/features/feature.ts';
import { hover } from '../../../server/src/editor/features/hover.ts';
import { inlayHints } from '../../../server/src/editor/features/inlay-hints.ts';
import { affectedOf } from '../../../server/src/engine/analysis/below/ways-search.ts';
import { findingsAtDefinitions, findingsIn } from '../../../server/src/engine/analysis/findings.ts';
import type { Snapshot } from '../../../server/src/engine/analysis/snapshot.ts';
import { type Lab, openLab } from '../../harness/lab.ts';
import { expectPicture, paint, readPictures, type Section, variants } from '../../harness/picture.ts';

/*
 * A picture of what a person sees. The first file is the one that is open; `insights.json` is what the service knows,
 * and `settings.json` what the person has set; `HEAD:NAME` is a file in the last commit. Findings are painted under the text. Further sections are answers: `hints`
 * (the text with its hints), `actions` (every quick fix), `hover` (at the `$0` in the text), `completion` (what is offered
 * there, and what it would replace), `links` (names and where they lead to), `after: TITLE` (the changed files once that
 * action was taken).
 */
// Each waits for its own service most of the time.
describe('pictures', { concurrency: 4 }, () => {
  for (const picture of readPictures(import.meta.dirname)) {
    test(picture.title, async () => {
      const [main, ...others] = picture.sections;
      assert.ok(main, 'a picture has a file');
      const catalog = JSON.parse(picture.sections.find((it) => it.name === 'insights.json')?.text ?? '{}');
      const chosen = JSON.parse(picture.sections.find((it) => it.name === 'settings.json')?.text ?? '{}');
      const cursor = main.text.indexOf('$0');
      const clean = main.text.replace('$0', '');
      for (const variant of variants(clean)) {
        const files = new Map([
          [main.name, variant.text],
          ...others.filter(isFile).map((it) => [it.name, it.text] as const),
        ]);
        const lab = await openLab(files, catalog, chosen);
        try {
          const snapshot = await withTargets(main.name, lab);
          const answers = await Promise.all(
            others.map((it) => answer(it, snapshot, lab, cursor + shift(variant.text, cursor))),
          );
          const painted = paintFindings(snapshot, variant.text, await lab.context(snapshot));
          expectPicture(picture, [
            { name: main.name, painted: cursor < 0 ? painted : withCursor(painted, clean, cursor) },
            ...others.map((it, at) => ({ name: it.name, painted: answers[at] ?? it.painted })),
          ]);
        } catch (error) {
          throw new Error(`with ${variant.name}: ${error instanceof Error ? error.message : error}`);
        } finally {
          await lab.close();
        }
      }
    });
  }
});

/** The facts that hovers and actions request when they are opened. */
async function withTargets(name: string, lab: Lab): Promise<Snapshot> {
  const { dependencies } = await lab.settled(name);
  await lab.obtain(dependencies.flatMap(factsOfTargets));
  for (;;) {
    const snapshot = await lab.settled(name);
    const managing = snapshot.dependencies.map((it) => snapshot.findManagingFixes(it));
    const ways = snapshot.dependencies.flatMap((it) => affectedOf(it).map((at) => snapshot.findWaysOut(it, at)));
    if (![...managing, ...ways].some((it) => it.isSearching)) return snapshot;
    await lab.obtain([...managing, ...ways].flatMap((it) => it.wanted));
  }
}

function isFile({ name }: Section): boolean {
  return (
    name !== 'insights.json' &&
    name !== 'settings.json' &&
    !/^(hints|actions|completion|links|hover|after: .*)$/.test(name)
  );
}

/** How far an offset of the plain text moves in a variant of it. */
function shift(variant: string, offset: number): number {
  const mark = variant.startsWith('\uFEFF') ? 1 : 0;
  return (
    mark +
    (variant.includes('\r\n')
      ? variant
          .replaceAll('\r', '')
          .slice(mark, offset + mark)
          .split('\n').length - 1
      : 0)
  );
}

async function answer(section: Section, snapshot: Snapshot, lab: Lab, cursor: number): Promise<string | undefined> {
  const context = await lab.context(snapshot);
  const text = snapshot.texts.get(snapshot.uri) ?? '';
  if (section.name === 'hints') return paintHints(snapshot, text, context);
  if (section.name === 'actions') return actionsOf(snapshot, context).map(describeAction).join('\n');
  if (section.name === 'hover') {
    const position = context.positions(snapshot.uri).at(cursor);
    const found = hover.answer(snapshot, { textDocument: { uri: snapshot.uri }, position }, context);
    return found && typeof found.contents === 'object' && 'value' in found.contents ? found.contents.value : 'nothing';
  }
  if (section.name === 'completion') return paintCompletion(snapshot, lab, cursor);
  if (section.name === 'links') return paintLinks(snapshot, text, context);
  const title = /^after: (.*)$/.exec(section.name)?.[1];
  return title === undefined ? undefined : apply(snapshot, context, title);
}

async function paintCompletion(snapshot: Snapshot, lab: Lab, cursor: number): Promise<string> {
  const context = await lab.context(snapshot);
  const positions = context.positions(snapshot.uri);
  const params = { textDocument: { uri: snapshot.uri }, position: positions.at(cursor) };
  // The list of versions, then those in view, then their advisories.
  for (let round = 0; round < 3; round++) {
    await lab.obtain(completion.neededFacts?.(snapshot, params, context) ?? []);
  }
  const { items } = completion.answer(snapshot, params, context);
  const [first] = items;
  if (first === undefined) return 'nothing';
  assert.ok(first.textEdit && 'range' in first.textEdit);
  const { start, end } = first.textEdit.range;
  const replaced = (snapshot.texts.get(snapshot.uri) ?? '').slice(positions.offset(start), positions.offset(end));
  const written = ({ label, textEdit }: CompletionItem): string =>
    textEdit?.newText === label ? label : `${label} as “${textEdit?.newText}”`;
  return [`in place of “${replaced}”`, ...items.map((it) => [written(it), it.detail].filter(Boolean).join(': '))].join(
    '\n',
  );
}

function paintLinks(snapshot: Snapshot, text: string, context: AnswerContext): string {
  const { offset } = context.positions(snapshot.uri);
  return documentLinks
    .answer(
      snapshot,
      { textDocument: { uri: snapshot.uri } },
      { ...context, settings: { ...context.settings, documentLinks: true } },
    )
    .map(
      ({ range, target, tooltip }) => `${text.slice(offset(range.start), offset(range.end))}: ${target} (${tooltip})`,
    )
    .join('\n');
}

function paintFindings(snapshot: Snapshot, text: string, { settings }: AnswerContext): string {
  const found = [
    ...findingsIn(snapshot.dependencies, settings),
    ...findingsAtDefinitions(snapshot.definitions, settings),
  ];
  const marks = found.map(({ span, severity, code, message }) => ({
    span,
    label: `${severity}[${code}]: ${message}`,
  }));
  return paint(text, marks);
}

function withCursor(painted: string, clean: string, cursor: number): string {
  const line = clean.slice(0, cursor).split('\n').length - 1;
  const column = cursor - (clean.lastIndexOf('\n', cursor - 1) + 1);
  const wanted = clean.split('\n')[line] ?? '';
  let seen = -1;
  return painted
    .split('\n')
    .map((it) => {
      if (/^\s*(?:\^+|\|)(?: .*)?$/.test(it)) return it;
      seen++;
      return seen === line && it === wanted ? `${it.slice(0, column)}$0${it.slice(column)}` : it;
    })
    .join('\n');
}

function wholeRange(text: string, context: AnswerContext, uri: string) {
  const positions = context.positions(uri);
  return { start: positions.at(0), end: positions.at(text.length) };
}

function paintHints(snapshot: Snapshot, text: string, context: AnswerContext): string {
  const { uri } = snapshot;
  const hints = inlayHints.answer(snapshot, { textDocument: { uri }, range: wholeRange(text, context, uri) }, context);
  const lines = text.replace('\uFEFF', '').split(/\r?\n/);
  for (const { position, label } of [...hints].reverse()) {
    const line = lines[position.line] ?? '';
    const at = position.character - (position.line === 0 && text.startsWith('\uFEFF') ? 1 : 0);
    lines[position.line] = `${line.slice(0, at)}⟨${label}⟩${line.slice(at)}`;
  }
  return lines.join('\n');
}

function actionsOf(snapshot: Snapshot, context: AnswerContext) {
  const { uri } = snapshot;
  const text = snapshot.texts.get(uri) ?? '';
  const params = { textDocument: { uri }, range: wholeRange(text, context, uri), context: { diagnostics: [] } };
  return codeActions.answer(snapshot, params, context).filter((it) => 'kind' in it);
}

function describeAction(it: ReturnType<typeof actionsOf>[number]): string {
  if (!('kind' in it)) return it.title;
  const notes = [...(it.isPreferred ? ['preferred'] : []), ...(it.disabled ? [`disabled: ${it.disabled.reason}`] : [])];
  return `${it.title}${notes.length > 0 ? ` [${notes.join('; ')}]` : ''}`;
}

/** The texts that an action changes, each under its name. */
function apply(snapshot: Snapshot, context: AnswerContext, title: string): string {
  const action = actionsOf(snapshot, context).find((it) => it.title === title || it.title.startsWith(`${title} `));
  const changes = action && 'edit' in action ? action.edit?.documentChanges : undefined;
  assert.ok(changes, `there is an action "${title}"`);
  return changes
    .map((it) => {
      assert.ok('edits' in it, 'only texts are changed');
      const { uri } = it.textDocument;
      const positions = context.positions(uri);
      let text = snapshot.texts.get(uri) ?? '';
      const edits = it.edits.flatMap((edit) => ('newText' in edit ? [edit] : []));
      for (const { range, newText } of edits.sort(
        (a, b) => positions.offset(b.range.start) - positions.offset(a.range.start),
      )) {
        text = text.slice(0, positions.offset(range.start)) + newText + text.slice(positions.offset(range.end));
      }
      const name = uri === snapshot.uri ? '' : `${uri.split('/').at(-1)}:\n`;
      return name + text.replace('\uFEFF', '').replaceAll('\r\n', '\n');
    })
    .join('\n');
}
