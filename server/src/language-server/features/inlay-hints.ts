import * as l10n from '@vscode/l10n';
import type { InlayHint, InlayHintParams, Position } from 'vscode-languageserver';
import { needsMove } from '../../analysis/fixes.ts';
import { isCountKnown } from '../../analysis/rules/advisory.ts';
import { isDenied } from '../../analysis/rules/license.ts';
import { oneLine } from '../../base/text.ts';
import { versioning } from '../../ecosystems/versioning.ts';
import { type Advisory, type EvaluatedDependency, factsOf, isPending } from '../../model/evaluated-dependency.ts';
import { licensesOf } from '../../model/license-policy.ts';
import { activeAdvisories, isDeprecationIgnored } from '../../policy/ignores.ts';
import type { Feature } from './feature.ts';

/**
 * In characters. VS Code cuts the hints of a line at this length together. Source: the default of its
 * editor.inlayHints.maximumLength.
 */
const MAX_LINE_LENGTH = 43;

/** In characters. A longer license is a full text, which the hover shows. */
const MAX_LICENSE_LENGTH = 20;
/** In characters, for editors that do not cut hints. */
const MAX_LABEL_LENGTH = 120;

/** Behind each requirement: `4.17.15 · MIT · 2 advisories → 4.18.1`, the last being the default version. */
export const inlayHints: Feature<InlayHintParams, InlayHint[]> = {
  method: 'textDocument/inlayHint',
  patience: 2000,
  awaitedFacts({ dependencies }, _, { client, settings }) {
    if (settings.inlayHints === 'off') return undefined;
    // A client without refreshes (Helix) would keep its first hints.
    if (!client.refreshesHints && dependencies.some(isBeingTyped)) return 'names';
    if (!dependencies.some(isPending)) return undefined;
    if (!client.refreshesHints) return 'all';
    return dependencies.every((it) => hintsFor(it).length === 0) ? 'first' : undefined;
  },
  inView: ({ range }, positions) => ({ start: positions.offset(range.start), end: positions.offset(range.end) }),
  capability: (client) => (client.textDocument?.inlayHint ? { inlayHintProvider: true } : undefined),
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
    const { dependencies } = snapshot;
    const lineOf = (evaluated: EvaluatedDependency | undefined) =>
      evaluated && positions.at(evaluated.linked.span.end).line;
    const hints = dependencies.flatMap((evaluated, at): Hint[] => {
      const { span } = evaluated.linked;
      if (span.end < from || span.start > to) return [];
      const labels = hintsFor(evaluated);
      if (labels.length === 0 || (shown === 'problems' && !isProblem(evaluated))) return [];
      // Several dependencies on one line keep their hints beside them; a lone one has its hint at the end of the line.
      const { line } = positions.at(span.end);
      const alone = line !== lineOf(dependencies[at - 1]) && line !== lineOf(dependencies[at + 1]);
      const end = alone ? positions.offset({ line, character: text.length }) : afterQuote(text, span.end);
      return [{ position: positions.at(end), labels }];
    });
    return linesOf(hints).flatMap((line) => {
      const form = formFor(line);
      return line.map((it) => ({
        position: it.position,
        label: oneLine(labelOf(it, form), MAX_LABEL_LENGTH),
        paddingLeft: true,
      }));
    });
  },
};

/** A hint with its labels, longest first. */
interface Hint {
  readonly position: Position;
  readonly labels: readonly string[];
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

/** The longest form in which all hints of a line fit; the last if none does. */
function formFor(line: readonly Hint[]): number {
  const forms = line.reduce((most, { labels }) => Math.max(most, labels.length), 0);
  for (let form = 0; form < forms; form++) {
    if (line.reduce((sum, it) => sum + labelOf(it, form).length, 0) <= MAX_LINE_LENGTH) return form;
  }
  return forms;
}

function labelOf({ labels }: Hint, form: number): string {
  return labels[form] ?? labels.at(-1) ?? '';
}

/** The labels of a hint, longest first; empty while nothing is known. */
function hintsFor(evaluated: EvaluatedDependency): readonly string[] {
  const { resolution } = evaluated;
  if (resolution.kind === 'no-match') return [l10n.t('no such version')];
  if (resolution.kind === 'unknown') return [l10n.t('not found')];
  const facts = factsOf(evaluated);
  if (resolution.kind !== 'version' || !facts) return [];
  const licenses = licensesOf(facts).join(', ');
  const advisories = activeAdvisories(evaluated);
  const target = (evaluated.matureVersion ?? evaluated.target)?.version;
  const behind = target !== undefined && versioning[facts.key.system].compare(target, resolution.version) > 0;
  const arrow = behind ? ` → ${target}` : '';
  const license = licenses.length > MAX_LICENSE_LENGTH ? `${licenses.slice(0, MAX_LICENSE_LENGTH)}…` : licenses;
  const problems = [
    ...(facts.isDeprecated && !isDeprecationIgnored(evaluated) ? [l10n.t('deprecated')] : []),
    ...(advisories.length > 0 ? [advisoriesInShort(advisories)] : []),
    ...(isDenied(evaluated.project, evaluated.linked, facts) ? [l10n.t('license denied')] : []),
  ];
  const short = [resolution.version, ...problems].join(' · ');
  const full = [resolution.version, ...(license === '' ? [] : [license]), ...problems].join(' · ');
  // Shorter forms omit the default version, then the license, then both.
  return [full + arrow, full, short + arrow, short];
}

/** `1 advisory`, `2 advisories`; `advisories` while aliases of one flaw may still be counted apart. */
function advisoriesInShort(advisories: readonly Advisory[]): string {
  // These messages are separate because hints have little room.
  if (!isCountKnown(advisories)) return l10n.t({ message: 'advisories', comment: 'in a hint' });
  return advisories.length === 1
    ? l10n.t({ message: '1 advisory', comment: 'in a hint' })
    : l10n.t({ message: '{0} advisories', args: [advisories.length], comment: 'in a hint' });
}

function isProblem(evaluated: EvaluatedDependency): boolean {
  const facts = factsOf(evaluated);
  return facts
    ? needsMove(evaluated) || isDenied(evaluated.project, evaluated.linked, facts)
    : evaluated.resolution.kind === 'no-match';
}

function afterQuote(text: string, offset: number): number {
  return text[offset] === '"' || text[offset] === "'" ? offset + 1 : offset;
}

function isBeingTyped({ resolution }: EvaluatedDependency): boolean {
  return resolution.kind === 'none' && resolution.isBeingTyped === true;
}
