import * as l10n from '@vscode/l10n';
import type { InlayHint, InlayHintParams, Position, Range } from 'vscode-languageserver';
import { hasMalware } from '../../analysis/findings.ts';
import { fixesFor } from '../../analysis/fixes.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { licenseInShort, verdictOf, worstOfEach } from '../../analysis/verdict.ts';
import { momentText, type Reader, shortMomentText } from '../../base/moments.ts';
import { oneLine } from '../../base/text.ts';
import type { Positions } from '../../formats/text/positions.ts';
import { conflictOf, type EvaluatedDependency, factsOf, isPending } from '../../model/evaluated-dependency.ts';
import { rowOf, type VersionSummary } from '../../model/facts.ts';
import type { HintMarks, HintPart, Settings } from '../../model/settings.ts';
import { isMalware, isSuspicion, ratingText, suspicions } from '../../model/severity-rating.ts';
import type { Span } from '../../model/span.ts';
import type { TargetVerdict, Verdict } from '../../model/verdict.ts';
import { activeBelow, findIgnore, isDeprecationIgnored } from '../../policy/ignores.ts';
import type { PlannedUpdateOf } from '../scheduling/plans.ts';
import { hintsOfService } from '../service-documents/answers.ts';
import {
  chooseVersionCommand,
  factsOfTargets,
  findDependency,
  placeIn,
  readPlace,
  showPlannedCommand,
} from './commands.ts';
import type { AnswerContext, Feature } from './feature.ts';
import { withheldInShort } from './hover/lookup-status.ts';
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
 *     "lodash": "^4.17.15"   ⚠ high · 3 advisories → 4.17.21
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
    const isMissing = (it: EvaluatedDependency): boolean => hintsFor(it, settings).length === 0;
    if (dependencies.every(isMissing)) return 'first';
    const { start, end } = spanIn(range, positions(uri));
    const isInView = ({ linked: { span } }: EvaluatedDependency): boolean => span.end >= start && span.start <= end;
    return dependencies.some((it) => isInView(it) && isPending(it) && isMissing(it)) ? 'rest' : undefined;
  },
  inView: ({ range }, positions) => spanIn(range, positions),
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => [],
  ofService: hintsOfService,
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
      const labels = hintsFor(evaluated, context.settings);
      const plan = context.settings.hintParts.includes('planned') ? context.plans?.of(evaluated) : undefined;
      if (labels.length === 0 || (shown === 'problems' && !plan && !isProblem(evaluated, context.settings))) return [];
      // Several dependencies on one line keep their hints beside them; a lone one has its hint at the end of the line.
      const { line } = positions.at(span.end);
      const alone = line !== lineOf(dependencies[at - 1]) && line !== lineOf(dependencies[at + 1]);
      const end = alone ? positions.offset({ line, character: text.length }) : afterQuote(text, span.end);
      const position = positions.at(end);
      if (!plan || !context.plans) return [{ evaluated, position, labels }];
      const planned = plannedTexts(plan, context.plans.reader, context.settings.hintMarks);
      return [
        { evaluated, position, labels: withPlan(labels, planned, context.settings.hintMarks), planned: plan.event.id },
      ];
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
  const { before, target, after = '' } = labelOf(hint, form);
  const text = oneLine(before + target + after, MAX_LABEL_LENGTH);
  const place = placeIn(evaluated);
  const { client } = context;
  const isWhole = text.endsWith(target + after);
  const choice =
    target === '' || evaluated.linked.isRecorded
      ? undefined
      : { title: l10n.t('Choose a version…'), command: chooseVersionCommand, arguments: [place] };
  const plan =
    after === '' || hint.planned === undefined
      ? undefined
      : { title: l10n.t('Planned updates'), command: showPlannedCommand, arguments: [{ id: hint.planned }] };
  const parts = [
    { value: text.slice(0, text.length - target.length - after.length) },
    ...(target === '' ? [] : [{ value: target, ...(choice && { command: choice }) }]),
    ...(after === '' ? [] : [{ value: after, ...(plan && { command: plan }) }]),
  ];
  return {
    position,
    label: client.commandLinks && isWhole && (choice || plan) ? parts.filter((it) => it.value !== '') : text,
    paddingLeft: true,
    ...(client.resolvesHints ? { data: place } : textEditsOf(evaluated, snapshot, context)),
  };
}

/** A hint with its labels, longest first. */
interface Hint {
  readonly evaluated: EvaluatedDependency;
  readonly position: Position;
  readonly labels: readonly Label[];
  /** The event of its planned update. */
  readonly planned?: string;
}

interface Label {
  /** With its separator: `⚠ high · 3 advisories → ` */
  readonly before: string;
  /** `4.17.21`; `''` for none */
  readonly target: string;
  /** When an update is planned, with its separator: ` · planned Tue 24 Nov 14:00` */
  readonly after?: string;
  /** Set if a shorter label says as much, or leaves room for the target. */
  readonly isExtra?: boolean;
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

function lengthOf({ before, target, after = '' }: Label): number {
  return before.length + target.length + after.length;
}

/** When an update is planned: a later day with its time, or without. */
function plannedTexts({ event, target }: PlannedUpdateOf, reader: Reader, { planned }: HintMarks) {
  const at = { at: event.start, isAllDay: event.isAllDay };
  const text = (when: string): string => (planned === '' ? l10n.t('planned {0}', when) : `${planned} ${when}`);
  return { target, long: text(momentText(at, reader)), short: text(shortMomentText(at, reader)) };
}

/** The time of a planned update gives way last: all forms have it. Its version is left out where the hint has it. */
function withPlan(
  labels: readonly Label[],
  planned: ReturnType<typeof plannedTexts>,
  marks: HintMarks,
): readonly Label[] {
  const add = (label: Label, text: string): Label => {
    const isEmpty = label.before === '' && label.target === '';
    const isOther = !label.target.startsWith(planned.target);
    const shown = isOther ? `${planned.target} ${text}` : text;
    return { ...label, after: isEmpty ? shown : ` · ${shown}` };
  };
  const long = labels.map((it) => add(it, planned.long));
  const [last] = labels.slice(-1);
  if (last === undefined) return long;
  const short = add(last, planned.short);
  const isProblem = marks.problem !== '' && last.before.startsWith(marks.problem) && last.target !== '';
  return [...long, short, ...(isProblem ? [{ ...short, before: `${marks.problem} ${marks.target} ` }] : [])];
}

/**
 * The labels of a hint, longest first; empty while nothing is known. Shorter ones omit first what repeats the text, then the
 * license, then the count. The target, or that there is none, is in all of them.
 */
function hintsFor(
  evaluated: EvaluatedDependency,
  { hintMarks: marks, hintParts: parts }: HintSettings,
): readonly Label[] {
  const { resolution, linked, shared } = evaluated;
  if (shared && resolution.kind !== 'version') return [];
  const withheld = withheldInShort(evaluated);
  if (withheld !== '') return [{ before: withheld, target: '' }];
  if (evaluated.isNewName) return [{ before: problemMarked(l10n.t('no such package?'), marks), target: '' }];
  if (resolution.kind === 'unknown') return [{ before: l10n.t('not found'), target: '' }];
  const verdict = verdictOf(evaluated);
  const { recommended } = verdict;
  const isShown = (it: HintPart): boolean => parts.includes(it);
  const isBack = recommended?.isDowngrade === true;
  const isTarget = recommended && (!isBack || verdict.isMalicious || resolution.kind === 'no-match');
  const target = isShown('target') && isTarget ? targetText(recommended, marks) : '';
  const label = (texts: readonly string[]): Label => {
    const text = texts.filter((it) => it !== '').join(' · ');
    return { before: target === '' ? text : `${text} ${marks.target}`.trim().concat(' ').trimStart(), target };
  };
  if (resolution.kind === 'no-match') return [label([`${marks.problem} ${l10n.t('no such version')}`.trim()])];
  if (resolution.kind !== 'version') return [];
  const facts = factsOf(evaluated);
  const listed = facts === undefined ? listedVersion(evaluated) : undefined;
  if (facts === undefined && listed === undefined && !verdict.isMalicious) return [];
  const { requirement } = linked;
  const isWritten = requirement.kind === 'text' && requirement.text.includes(resolution.version);
  const problems = problemsOf(evaluated, verdict, marks, isShown);
  const resolved = isShown('version') ? resolution.version : '';
  const version = isWritten ? '' : resolved;
  const ending = endingOf(evaluated, verdict);
  if (shared) {
    const moved = shared.count > 1 ? l10n.t('{0} dependencies', shared.count) : '';
    // A line that nothing is wrong with, and that no update concerns, is left alone.
    if (problems.length === 0 && target === '') return [];
    return [[...problems, moved], problems, problems.slice(0, 1)].map((it) => label([...it, ending]));
  }
  if (listed?.isDeprecated && !isDeprecationIgnored(evaluated))
    return [{ before: `${problemMarked(l10n.t('deprecated'), marks)} · ${UNCHECKED}`, target: '' }];
  const below = isShown('below') ? belowInShort(evaluated) : '';
  if (problems.length > 0) {
    const short = [problems, problems.slice(0, 2), problems.slice(0, 1)];
    const forms = [[...problems, version, below], ...short.map((it) => [...it, below]), problems.slice(0, 1)];
    return forms.map((it) => label([...it, ending]));
  }
  const license = facts === undefined ? UNCHECKED : isShown('license') ? licenseInShort(facts) : '';
  const { uri, at } = (requirement.kind === 'text' && requirement.place) || {};
  const isRepeated = isWritten && uri === linked.uri && at?.span.start === linked.span.start;
  const shorter = label([version, license, below]);
  const forms = [
    { ...label([resolved, license, below]), isExtra: isRepeated && lengthOf(shorter) > 0 },
    { ...shorter, isExtra: target !== '' },
    label([version, facts === undefined ? UNCHECKED : below]),
    ...(below === '' || facts === undefined ? [] : [label([below])]),
  ];
  // Something remains: a line without a hint looks as if it had not been looked up.
  return forms.filter((it, at) => at === 0 || lengthOf(it) > 0);
}

/**
 * In place of the license while only the list of versions is known: neither it nor advisories were checked.
 *
 *     "chalk": "^5.3.0"      5.3.0 · … → 5.6.2
 */
const UNCHECKED = '…';

/** The resolved version in the list, while its own facts are requested. */
function listedVersion({
  resolution,
  version,
  package: list,
  shared,
}: EvaluatedDependency): VersionSummary | undefined {
  if (shared || resolution.kind !== 'version' || version?.state !== 'pending' || list?.state !== 'ready')
    return undefined;
  return rowOf(list.value.versions, resolution.version);
}

/** Why there is no version to move to. */
function endingOf(evaluated: EvaluatedDependency, { isWithoutFix, unusualFix, fixUnknown }: Verdict): string {
  if (isWithoutFix) return l10n.t('no fix');
  if (unusualFix) return unusualFix.kind === 'pre-release' ? l10n.t('no stable fix') : l10n.t('only a deprecated fix');
  if (fixUnknown !== undefined) return l10n.t('fix unknown');
  return conflictOf(evaluated) ? l10n.t('no common version') : '';
}

type HintSettings = Pick<Settings, 'hintMarks' | 'hintParts'>;

/** `4.17.21`, `5.0.0 (major)`, `go back to 1.0.0` */
function targetText({ version, step, isDowngrade }: TargetVerdict, { major }: HintMarks): string {
  if (isDowngrade) return l10n.t({ message: 'go back to {0}', args: [version], comment: 'in a hint' });
  return step === 'major' && major !== '' ? `${version} ${major}` : version;
}

/** `⚠ high`, `3 advisories`: the worst first, with the mark */
function problemsOf(
  evaluated: EvaluatedDependency,
  verdict: Verdict,
  { problem }: HintMarks,
  isShown: (it: HintPart) => boolean,
): string[] {
  const { advisories, isCountKnown, worst, isDeprecated, isLicenseDenied } = verdict;
  const recorded = advisories.filter((it) => !isSuspicion(it.id));
  const isMalicious = verdict.isMalicious || evaluated.below?.affected.some(hasMalware);
  const parts = [
    ...(isShown('severity') && worst && worst.rating !== 'unrated' && worst.rating !== 'malicious'
      ? [ratingText(worst.rating)]
      : []),
    ...(isShown('advisories') && recorded.length > 0 ? [advisoriesInShort(recorded.length, isCountKnown)] : []),
    ...(isDeprecated ? [l10n.t('deprecated')] : []),
    ...(isLicenseDenied ? [l10n.t('license denied')] : []),
  ];
  if (isMalicious) return [`${MALICIOUS} ${malwareInShort(evaluated)}`, ...parts];
  return parts.map((it, at) => (at === 0 ? problemMarked(it, { problem }) : it));
}

/** `malicious`, or that it is only suspected */
function malwareInShort({ advisories, below }: EvaluatedDependency): string {
  const all = [...advisories, ...(below?.affected ?? []).flatMap((it) => it.advisories)].filter(isMalware);
  const isQuarantined = all.every((it) => it.id === suspicions.quarantined);
  return isQuarantined ? l10n.t({ message: 'malware suspected', comment: 'in a hint' }) : ratingText('malicious');
}

/** Whatever marks and parts a person has chosen. */
const MALICIOUS = '⛔';

function problemMarked(text: string, { problem }: Pick<HintMarks, 'problem'>): string {
  return `${problem} ${text}`.trim();
}

/** `1 advisory`, `2 advisories`; `advisories` while aliases of one flaw may still be counted apart. */
function advisoriesInShort(count: number, isCountKnown: boolean): string {
  // These messages are separate because hints have little room.
  if (!isCountKnown) return l10n.t({ message: 'advisories', comment: 'in a hint' });
  return count === 1
    ? l10n.t({ message: '1 advisory', comment: 'in a hint' })
    : l10n.t({ message: '{0} advisories', args: [count], comment: 'in a hint' });
}

/** `+2 below`: packages with known advisories that the dependency brings; `''` without any. */
function belowInShort(evaluated: EvaluatedDependency): string {
  const count = findIgnore(evaluated.project, evaluated.linked.key, ['advisory-below'])
    ? 0
    : (activeBelow(evaluated)?.affected.length ?? 0);
  return count === 0
    ? ''
    : l10n.t({
        message: '+{0} below',
        args: [count],
        comment: 'in a hint: affected packages that a dependency brings',
      });
}

function isProblem(evaluated: EvaluatedDependency, { hintParts }: HintSettings): boolean {
  if (hintParts.includes('below') && belowInShort(evaluated) !== '') return true;
  const { needsMove, isLicenseDenied } = verdictOf(evaluated);
  return needsMove || isLicenseDenied || evaluated.resolution.kind === 'no-match';
}

function afterQuote(text: string, offset: number): number {
  return text[offset] === '"' || text[offset] === "'" ? offset + 1 : offset;
}

function isBeingTyped({ resolution }: EvaluatedDependency): boolean {
  return resolution.kind === 'none' && resolution.isBeingTyped === true;
}
