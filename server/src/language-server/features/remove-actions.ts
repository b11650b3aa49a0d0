import * as l10n from '@vscode/l10n';
import type { CodeAction } from 'vscode-languageserver';
import { findingsIn, hasMalware } from '../../analysis/findings.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { verdictOf } from '../../analysis/verdict.ts';
import { oneLine } from '../../base/text.ts';
import { removalOf } from '../../ecosystems/removal.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import { toDiagnostic } from './diagnostics.ts';
import type { AnswerContext } from './feature.ts';
import { quickFix } from './offers.ts';
import { toWorkspaceEdit } from './workspace-edit.ts';

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
