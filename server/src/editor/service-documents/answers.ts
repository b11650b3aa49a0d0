import type {
  CodeAction,
  CodeActionParams,
  CodeLens,
  CodeLensParams,
  Command,
  CompletionItem,
  CompletionList,
  CompletionParams,
  Diagnostic,
  Hover,
  HoverParams,
  InlayHint,
  InlayHintParams,
  WorkspaceEdit,
} from 'vscode-languageserver';
import type {
  DocumentCommand,
  DocumentCompletion,
  DocumentCompletionKind,
  DocumentFinding,
  DocumentFix,
} from '../../connected/model/documents/service-document.ts';
import { oneLine } from '../../engine/base/text.ts';
import { type Severity, severities } from '../../engine/model/finding.ts';
import { documentCommand } from '../command-names.ts';
import { toMarkup } from '../features/markup.ts';
import type { ClaimedDocument } from './documents.ts';

/*
 * What the kinds of service documents return, as the protocol has it. Each function belongs to a feature of the same name,
 * and throws what the kind throws: the dispatch catches it.
 */

export async function diagnosticsOfService(claimed: ClaimedDocument): Promise<Diagnostic[]> {
  return (await claimed.findings()).map((it) => toDiagnostic(it, claimed));
}

function toDiagnostic({ span, code, severity, message, tag }: DocumentFinding, claimed: ClaimedDocument): Diagnostic {
  const { positions, client } = claimed;
  const tagNumber = tag === 'deprecated' ? 2 : 1;
  return {
    range: positions.range(span),
    severity: severityNumber(severity),
    source: 'package-insights',
    code,
    message: oneLine(message),
    ...(tag && client.deprecatedTag && { tags: [tagNumber] }),
  };
}

/** Source: Language Server Protocol 3.17, DiagnosticSeverity: 1 is the error, 4 the hint. */
function severityNumber(severity: Severity): 1 | 2 | 3 | 4 {
  return ([1, 2, 3, 4] as const)[severities.indexOf(severity)] ?? 3;
}

export async function hoverOfService(claimed: ClaimedDocument, { position }: HoverParams): Promise<Hover | null> {
  const { kind, document, positions, context, client, links } = claimed;
  const found = await kind.hover?.(document, positions.offset(position), context);
  return found ? { contents: toMarkup(found.prose, client, links), range: positions.range(found.span) } : null;
}

/** Items in one answer; typing narrows them. */
const MAX_ITEMS = 500;

export async function completionOfService(
  claimed: ClaimedDocument,
  { position }: CompletionParams,
): Promise<CompletionList> {
  const { kind, document, positions, context } = claimed;
  const items = (await kind.completion?.(document, positions.offset(position), context)) ?? [];
  return {
    isIncomplete: items.length > MAX_ITEMS,
    items: items.slice(0, MAX_ITEMS).map((it, at) => toItem(it, at, claimed)),
  };
}

/** Source: Language Server Protocol 3.17, CompletionItemKind. */
const itemKinds = {
  method: 2,
  property: 10,
  value: 12,
  enum: 20,
  type: 7,
  reference: 18,
} as const satisfies Readonly<Record<DocumentCompletionKind, number>>;

function toItem(item: DocumentCompletion, at: number, { positions, client, links }: ClaimedDocument): CompletionItem {
  const { label, kind, span, newText, isSnippet, filterText, detail, prose, isDeprecated, continues } = item;
  const shown = detail === undefined ? undefined : oneLine(detail);
  return {
    label,
    kind: itemKinds[kind],
    textEdit: { range: positions.range(span), newText },
    sortText: String(at).padStart(4, '0'),
    ...(isSnippet && { insertTextFormat: 2 }),
    ...(filterText !== undefined && { filterText }),
    ...(shown !== undefined && (client.labelDetails ? { labelDetails: { description: shown } } : { detail: shown })),
    ...(prose && { documentation: toMarkup(prose, { ...client, markdownHover: client.markdownItems }, links) }),
    ...(isDeprecated && client.deprecatedItems && { tags: [1] }),
    ...(continues && client.commandLinks && { command: { title: '', command: 'editor.action.triggerSuggest' } }),
  };
}

export async function hintsOfService(claimed: ClaimedDocument, { range }: InlayHintParams): Promise<InlayHint[]> {
  const { kind, document, positions, context, client, links } = claimed;
  const seen = { start: positions.offset(range.start), end: positions.offset(range.end) };
  const hints = (await kind.hints?.(document, seen, context)) ?? [];
  return hints
    .filter(({ offset }) => offset >= seen.start && offset <= seen.end)
    .map(({ offset, label, prose }) => ({
      position: positions.at(offset),
      label: oneLine(label),
      paddingLeft: true,
      ...(prose && { tooltip: toMarkup(prose, client, links) }),
    }));
}

export async function lensesOfService(claimed: ClaimedDocument, _: CodeLensParams): Promise<CodeLens[]> {
  const { kind, document, positions, context } = claimed;
  const lenses = (await kind.lenses?.(document, context)) ?? [];
  return lenses.map(({ span, title, command, disabled }) => ({
    range: positions.range(span),
    command:
      disabled === undefined
        ? toCommand(oneLine(title), command, claimed)
        : // Without a command it is text.
          { title: oneLine(`${title} (${disabled})`), command: '' },
  }));
}

/** The fixes of the findings that a range touches, then the actions of the kind. */
export async function actionsOfService(claimed: ClaimedDocument, { range }: CodeActionParams): Promise<CodeAction[]> {
  const { kind, document, positions, context } = claimed;
  const selected = { start: positions.offset(range.start), end: positions.offset(range.end) };
  const touched = (await claimed.findings()).filter(
    ({ span }) => span.start <= selected.end && span.end >= selected.start,
  );
  const own = (await kind.actions?.(document, selected, context)) ?? [];
  return [
    ...touched.flatMap((it) =>
      (it.fixes ?? []).map((fix) => ({ ...toAction(fix, claimed), diagnostics: [toDiagnostic(it, claimed)] })),
    ),
    ...own.map((it) => toAction(it, claimed)),
  ];
}

function toAction(fix: DocumentFix, claimed: ClaimedDocument): CodeAction {
  const { title, edits, command, isPreferred } = fix;
  return {
    title: oneLine(title),
    kind: 'quickfix',
    ...(edits && { edit: toEdit(edits, claimed) }),
    ...(command && { command: toCommand(oneLine(title), command, claimed) }),
    ...(isPreferred && claimed.client.preferredActions && { isPreferred }),
  };
}

/** The edit of the version that the kind has seen: a client refuses it once the text is another one. */
export function toEdit(
  edits: NonNullable<DocumentFix['edits']>,
  { document: { uri, version }, positions, client }: Pick<ClaimedDocument, 'document' | 'positions' | 'client'>,
): WorkspaceEdit {
  const changes = edits.map(({ span, newText }) => ({ range: positions.range(span), newText }));
  if (!client.documentChanges) return { changes: { [uri]: changes } };
  return { documentChanges: [{ textDocument: { uri, version }, edits: changes }] };
}

function toCommand(title: string, command: DocumentCommand, { kind }: ClaimedDocument): Command {
  if ('id' in command) return { title, command: command.id, arguments: [...command.args] };
  return { title, command: documentCommand, arguments: [kind.name, command.run, ...command.args] };
}
