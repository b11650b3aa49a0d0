import * as l10n from '@vscode/l10n';
import type { InlayHint, InlayHintParams, Position, Range } from 'vscode-languageserver';
import { fixesFor } from '../../engine/analysis/fixes.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { verdictOf, worstOfEach } from '../../engine/analysis/verdict.ts';
import { oneLine } from '../../engine/base/text.ts';
import type { Positions } from '../../engine/formats/text/positions.ts';
import { type EvaluatedDependency, isPending } from '../../engine/model/evaluated-dependency.ts';
import type { HintMarks } from '../../engine/model/settings.ts';
import type { Span } from '../../engine/model/span.ts';
import { chooseVersionCommand, factsOfTargets, findDependency, placeIn, readPlace } from './commands.ts';
import { type AnswerContext, added, type Feature, type HintNote } from './feature.ts';
import { affectedBelow, type HintSettings, isRefused, type Label, labelsOf, lengthOf } from './hint-labels.ts';
import { proseOf } from './hover.ts';
import { addressesIn, toMarkup } from './markup.ts';

/**
 * In characters. VS Code cuts the hints of a line at this length together. Source: the default of its
 * editor.inlayHints.maximumLength.
 */
const MAX_LINE_LENGTH = 43;

/**
 * In columns, for the text of a line and its hints. An editor of 900 px shows about as many beside its explorer: what is
 * written already, or stands before the target, gives way.
 */
const MAX_COLUMNS = 60;

/** In columns. Source: the default of VS Code's editor.tabSize. */
const TAB_WIDTH = 4;

/** In characters, for editors that do not cut hints. */
const MAX_LABEL_LENGTH = 120;

/**
 * Behind each requirement: what is wrong, what differs from the text, and the version to move to.
 *
 *     "lodash": "^4.17.15"   ⚠ high → 4.17.21 · 3 vulnerabilities
 *     "request": "^2.88.2"   ⚠ critical transitive · deprecated · no fix
 *     "chalk": "^5.3.0"      5.3.0 · MIT → 5.6.2
 */
export const inlayHints: Feature<InlayHintParams, InlayHint[]> = {
  method: 'textDocument/inlayHint',
  patience: 2000,
  awaitedFacts({ uri, dependencies }, { range }, { client, settings, positions }) {
    if (settings.inlayHints === 'off') return undefined;
    // A client without refreshes (Helix) would keep its first hints.
    if (!client.refreshesHints && dependencies.some(isBeingTyped)) return 'names';
    if (!dependencies.some(isPending)) return undefined;
    if (!client.refreshesHints) return 'all';
    const isMissing = (it: EvaluatedDependency): boolean => labelsOf(it, settings).length === 0;
    if (dependencies.every(isMissing)) return 'first';
    const { start, end } = spanIn(range, positions(uri));
    const isInView = ({ linked: { span } }: EvaluatedDependency): boolean => span.end >= start && span.start <= end;
    return dependencies.some((it) => isInView(it) && isPending(it) && isMissing(it)) ? 'rest' : undefined;
  },
  inView: ({ range }, positions) => spanIn(range, positions),
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  answer(snapshot, { range }, context) {
    const chosen = context.settings.inlayHints;
    // In a lockfile with thousands of lines only problems get hints.
    const shown = chosen === 'all' && snapshot.format.record === 'lockfile' ? 'problems' : chosen;
    if (shown === 'off') return [];
    const text = snapshot.texts.get(snapshot.uri) ?? '';
    const positions = context.positions(snapshot.uri);
    const from = positions.offset(range.start);
    const to = positions.offset(range.end);
    const dependencies = inOrder(snapshot);
    const lineOf = (evaluated: EvaluatedDependency | undefined) =>
      evaluated && positions.at(evaluated.linked.span.end).line;
    const hints = dependencies.flatMap((evaluated, at): Hint[] => {
      const { span } = evaluated.linked;
      if (span.end < from || span.start > to) return [];
      const labels = labelsOf(evaluated, context.settings);
      const [note] = added('hints', evaluated, context);
      if (labels.length === 0 || (shown === 'problems' && !note && !isProblem(evaluated, context.settings))) return [];
      // Several dependencies on one line keep their hints beside them; a lone one has its hint at the end of the line.
      const { line } = positions.at(span.end);
      const alone = line !== lineOf(dependencies[at - 1]) && line !== lineOf(dependencies[at + 1]);
      const end = alone ? positions.offset({ line, character: text.length }) : afterQuote(text, span.end);
      const position = positions.at(end);
      if (!note) return [{ evaluated, position, labels }];
      return [{ evaluated, position, labels: withNote(labels, note, context.settings.hintMarks), note }];
    });
    return linesOf(hints).flatMap((line) => {
      const form = formFor(line, columnsOf(line[0], text, positions));
      return line.map((it) => toInlayHint(it, form, snapshot, context));
    });
  },
};

function spanIn({ start, end }: Range, { offset }: Positions): Span {
  return { start: offset(start), end: offset(end) };
}

/** The dependencies and definitions of a document by position. */
function inOrder({ dependencies: all, definitions }: Snapshot): readonly EvaluatedDependency[] {
  const dependencies = worstOfEach(all);
  if (definitions.length === 0) return dependencies;
  return [...dependencies, ...definitions].sort((a, b) => a.linked.span.end - b.linked.span.end);
}

/** The tooltip of a hint, which is the hover, and the edit of accepting it: requested when they are needed. */
export const inlayHintResolve: Feature<InlayHint, InlayHint> = {
  method: 'inlayHint/resolve',
  patience: 800,
  uri: ({ data }) => readPlace(data)?.uri ?? '',
  emptyAnswer: (hint) => hint,
  awaitedFacts(snapshot, { data }) {
    const evaluated = dependencyOf(snapshot, data);
    return evaluated && isPending(evaluated) ? 'all' : undefined;
  },
  neededFacts(snapshot, { data }) {
    const evaluated = dependencyOf(snapshot, data);
    return evaluated ? factsOfTargets(evaluated) : [];
  },
  isAsked: true,
  addresses(snapshot, { data }, context) {
    const evaluated = dependencyOf(snapshot, data);
    return evaluated ? addressesIn(proseOf(evaluated, snapshot, context)) : [];
  },
  answer(snapshot, hint, context) {
    const evaluated = dependencyOf(snapshot, hint.data);
    if (!evaluated) return hint;
    return {
      ...hint,
      tooltip: toMarkup(proseOf(evaluated, snapshot, context), context.client, context.links),
      ...textEditsOf(evaluated, snapshot, context),
    };
  },
};

function dependencyOf(snapshot: Snapshot, data: unknown): EvaluatedDependency | undefined {
  const place = readPlace(data);
  return place && findDependency(snapshot, place);
}

/** The update that accepting a hint makes. Only edits of the hint's own document fit into the protocol. */
function textEditsOf(
  evaluated: EvaluatedDependency,
  snapshot: Snapshot,
  context: AnswerContext,
): Pick<InlayHint, 'textEdits'> {
  const { uri } = evaluated.linked;
  const { recommended } = verdictOf(evaluated);
  // It may be malware.
  if (!recommended?.isChecked) return {};
  const around = { all: snapshot.dependencies, elsewhere: context.dependents, facts: context.facts };
  const move = fixesFor(evaluated, around).find((it) => it.target === recommended)?.move;
  if (!move?.ok || move.overrides || move.edits.some((it) => it.uri !== uri)) return {};
  const { range } = context.positions(uri);
  return { textEdits: move.edits.map(({ span, newText }) => ({ range: range(span), newText })) };
}

function toInlayHint(hint: Hint, form: number, snapshot: Snapshot, context: AnswerContext): InlayHint {
  const { evaluated, position } = hint;
  const { before, target, rest = '', after = '' } = labelOf(hint, form);
  const text = oneLine(before + target + rest + after, MAX_LABEL_LENGTH);
  const place = placeIn(evaluated);
  const { client } = context;
  const isWhole = text === before + target + rest + after;
  const choice =
    target === '' || evaluated.linked.isRecorded
      ? undefined
      : { title: l10n.t('Choose a version…'), command: chooseVersionCommand, arguments: [place] };
  const more = after === '' ? undefined : hint.note?.command;
  const parts = [
    { value: before },
    { value: target, ...(choice && { command: choice }) },
    { value: rest },
    { value: after, ...(more && { command: more }) },
  ];
  return {
    position,
    label: client.commandLinks && isWhole && (choice || more) ? parts.filter((it) => it.value !== '') : text,
    paddingLeft: true,
    ...(client.resolvesHints ? { data: place } : textEditsOf(evaluated, snapshot, context)),
  };
}

/** A hint with its labels, longest first. */
interface Hint {
  readonly evaluated: EvaluatedDependency;
  readonly position: Position;
  readonly labels: readonly Label[];
  readonly note?: HintNote;
}

function linesOf(hints: readonly Hint[]): readonly (readonly Hint[])[] {
  const lines = new Map<number, Hint[]>();
  for (const it of hints) {
    const line = lines.get(it.position.line);
    if (line) line.push(it);
    else lines.set(it.position.line, [it]);
  }
  return [...lines.values()];
}

/** The width of a line without its hints. */
function columnsOf(hint: Hint | undefined, text: string, { offset }: Positions): number {
  if (hint === undefined) return 0;
  const { line } = hint.position;
  const written = text.slice(offset({ line, character: 0 }), offset({ line, character: text.length }));
  return written.length + (written.split('\t').length - 1) * (TAB_WIDTH - 1);
}

/**
 * The longest form in which all hints of a line fit; the last if none does.
 * @param columns the width of the line
 */
function formFor(line: readonly Hint[], columns: number): number {
  const forms = line.reduce((most, { labels }) => Math.max(most, labels.length), 0);
  for (let form = 0; form < forms; form++) {
    const length = line.reduce((sum, it) => sum + lengthOf(labelOf(it, form)), 0);
    const isTooWide = columns + length > MAX_COLUMNS && line.some((it) => labelOf(it, form).isExtra);
    if (length <= MAX_LINE_LENGTH && !isTooWide) return form;
  }
  return forms;
}

function labelOf({ labels }: Hint, form: number): Label {
  return labels[form] ?? labels.at(-1) ?? { before: '', target: '' };
}

function withNote(labels: readonly Label[], note: HintNote, marks: HintMarks): readonly Label[] {
  const add = (label: Label, text: string): Label => {
    const isEmpty = label.before === '' && label.target === '';
    const isOther = !label.target.startsWith(note.target);
    const shown = isOther ? `${note.target} ${text}` : text;
    return { ...label, after: isEmpty ? shown : ` · ${shown}` };
  };
  const long = labels.map((it) => add(it, note.long));
  const [last] = labels.slice(-1);
  if (last === undefined) return long;
  const short = add(last, note.short);
  const isProblem = marks.problem !== '' && last.before.startsWith(marks.problem) && last.target !== '';
  return [...long, short, ...(isProblem ? [{ ...short, before: `${marks.problem} ${marks.target} ` }] : [])];
}

function isProblem(evaluated: EvaluatedDependency, { hintParts }: HintSettings): boolean {
  if (hintParts.includes('below') && affectedBelow(evaluated).length > 0) return true;
  const { needsMove, isLicenseDenied } = verdictOf(evaluated);
  return needsMove || isLicenseDenied || evaluated.resolution.kind === 'no-match' || isRefused(evaluated);
}

function afterQuote(text: string, offset: number): number {
  return text[offset] === '"' || text[offset] === "'" ? offset + 1 : offset;
}

function isBeingTyped({ resolution }: EvaluatedDependency): boolean {
  return resolution.kind === 'none' && resolution.isBeingTyped === true;
}
