import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import { mayBeMalicious } from '../../engine/analysis/evaluate/advisories.ts';
import { pinnedVersion } from '../../engine/analysis/evaluate/resolve.ts';
import { findingsIn, hasMalware } from '../../engine/analysis/findings.ts';
import { similarNamesOf } from '../../engine/analysis/rules/not-found.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { oneLine } from '../../engine/base/text.ts';
import { removalOf } from '../../engine/ecosystems/removal.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import { toDiagnostic } from './diagnostics.ts';
import type { AnswerContext } from './feature.ts';
import { quickFix } from './offers.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

/**
 * Writes a similar name in place of a new one without a known owner: one that the file does not have already, and of which
 * the version is not known to be malware.
 */
export function renameActions(
  evaluated: EvaluatedDependency,
  { texts, dependencies }: Pick<Snapshot, 'texts' | 'dependencies'>,
  context: AnswerContext,
  afterwards: (title: string) => Pick<CodeAction, 'command'>,
): CodeAction[] {
  const { linked, resolution, shared, isNewName } = evaluated;
  const { name, nameSpan: span, key } = linked.dependency;
  if (!isNewName || resolution.kind !== 'unknown' || shared || linked.isRecorded) return [];
  // Of an alias, or behind a reference, the name is located elsewhere.
  if (texts.get(linked.uri)?.slice(span.start, span.end) !== name || name !== key.name) return [];
  const present = new Set(dependencies.map((it) => it.linked.key.name));
  const pinned = pinnedVersion(linked);
  const isSound = (it: string): boolean =>
    pinned === undefined ||
    !mayBeMalicious(context.facts.version({ ...linked.key, name: it, version: pinned }), context.facts);
  const diagnostics = findingsIn([evaluated], context.settings).map((it) => toDiagnostic(it, context));
  return similarNamesOf(evaluated)
    .filter((it) => isPlainName.test(it) && !present.has(it) && isSound(it))
    .map((it) => {
      const title = oneLine(l10n.t('Rename {0} to {1}', name, it));
      const edit = toWorkspaceEdit([{ uri: linked.uri, span, newText: it }], context);
      return { title, kind: quickFix, ...(diagnostics.length > 0 && { diagnostics }), edit, ...afterwards(title) };
    });
}

/** A name that needs no escape in any format. Others could only come from the service. */
const isPlainName = /^[\w.-]+$/;

/** Removes what is malicious or brings malware along, and a new name without a known owner, from the file that declares it. */
export function removeActions(
  evaluated: EvaluatedDependency,
  { format, texts }: Pick<Snapshot, 'format' | 'texts'>,
  context: AnswerContext,
  afterwards: (title: string) => Pick<CodeAction, 'command'>,
): CodeAction[] {
  const { linked, resolution, shared, isNewName, below } = evaluated;
  const isInvented = isNewName === true && resolution.kind === 'unknown';
  const isMalicious = verdictOf(evaluated).isMalicious || below?.affected.some(hasMalware) === true;
  if (!(isMalicious || isInvented) || linked.isRecorded || shared) return [];
  const text = texts.get(linked.uri);
  const edits = text === undefined ? undefined : removalOf(format, text, linked.dependency);
  if (edits === undefined) return [];
  const title = oneLine(l10n.t('Remove {0}', linked.dependency.name));
  const diagnostics = findingsIn([evaluated], context.settings).map((it) => toDiagnostic(it, context));
  const edit = toWorkspaceEdit(
    edits.map((it) => ({ uri: linked.uri, ...it })),
    context,
  );
  return [{ title, kind: quickFix, ...(diagnostics.length > 0 && { diagnostics }), edit, ...afterwards(title) }];
}
