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
  DocumentDiagnosticParams,
  DocumentDiagnosticReport,
  Hover,
  HoverParams,
  InlayHint,
  InlayHintParams,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { documentCommand } from '../../../editor/command-names.ts';
import { isQuickFixRequested } from '../../../editor/features/code-actions.ts';
import { severityNumber } from '../../../editor/features/diagnostics.ts';
import { toMarkup } from '../../../editor/features/markup.ts';
import { type OfferedMethod, source } from '../../../editor/features/offers.ts';
import { oneLine } from '../../../engine/base/text.ts';
import type {
  DocumentCommand,
  DocumentCompletion,
  DocumentCompletionKind,
  DocumentFinding,
  DocumentFix,
} from '../../model/documents/service-document.ts';
import type { ClaimedDocument } from './documents.ts';

/** What the kinds of service documents return, as the protocol has it. They throw what the kind throws. */
const answers = {
  'textDocument/diagnostic': diagnosticsOf,
  'textDocument/hover': hoverOf,
  'textDocument/completion': completionOf,
  'textDocument/inlayHint': hintsOf,
  'textDocument/codeLens': lensesOf,
  'textDocument/codeAction': actionsOf,
} as const satisfies { readonly [Method in OfferedMethod]?: (it: ClaimedDocument, params: never) => Promise<unknown> };

/** The answer to a request, if there is one about such documents. */
export function answerOf(
  method: OfferedMethod,
): ((it: ClaimedDocument, params: never) => Promise<unknown>) | undefined {
  return method in answers ? answers[method as keyof typeof answers] : undefined;
}

async function diagnosticsOf(claimed: ClaimedDocument, _: DocumentDiagnosticParams): Promise<DocumentDiagnosticReport> {
  return { kind: 'full', items: (await claimed.findings()).map((it) => toDiagnostic(it, claimed)) };
}

function toDiagnostic({ span, code, severity, message, tag }: DocumentFinding, claimed: ClaimedDocument): Diagnostic {
  const { positions, client } = claimed;
  const tagNumber = tag === 'deprecated' ? 2 : 1;
  return {
    range: positions.range(span),
    severity: severityNumber(severity),
    source,
    code,
    message: oneLine(message),
    ...(tag && client.deprecatedTag && { tags: [tagNumber] }),
  };
}

async function hoverOf(claimed: ClaimedDocument, { position }: HoverParams): Promise<Hover | null> {
  const { kind, document, positions, context, client, links } = claimed;
  const found = await kind.hover?.(document, positions.offset(position), context);
  return found ? { contents: toMarkup(found.prose, client, links), range: positions.range(found.span) } : null;
}

/** Items in one answer; typing narrows them. */
const MAX_ITEMS = 500;

async function completionOf(claimed: ClaimedDocument, { position }: CompletionParams): Promise<CompletionList> {
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

async function hintsOf(claimed: ClaimedDocument, { range }: InlayHintParams): Promise<InlayHint[]> {
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

async function lensesOf(claimed: ClaimedDocument, _: CodeLensParams): Promise<CodeLens[]> {
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
async function actionsOf(claimed: ClaimedDocument, { range, context: asked }: CodeActionParams): Promise<CodeAction[]> {
  if (!isQuickFixRequested(asked)) return [];
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
