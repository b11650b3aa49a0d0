import type { Diagnostic, DocumentDiagnosticParams, DocumentDiagnosticReport } from 'vscode-languageserver';
import { wayInto } from '../../engine/analysis/below/way-in.ts';
import { type DependencyFinding, findingsAtDefinitions, findingsIn } from '../../engine/analysis/findings.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import { type Finding, type FindingCode, type Severity, severities } from '../../engine/model/finding.ts';
import type { AnswerContext, Feature } from './feature.ts';
import { wayInText } from './hover/way-in.ts';
import { source } from './offers.ts';

/** Findings for clients that pull them; publish/diagnostics.ts pushes them to others. */
export const diagnostics: Feature<DocumentDiagnosticParams, DocumentDiagnosticReport> = {
  method: 'textDocument/diagnostic',
  patience: 0,
  uri: (it) => it.textDocument.uri,
  emptyAnswer: () => ({ kind: 'full', items: [] }),
  answer: (snapshot, _, context) => ({ kind: 'full', items: diagnosticsOfDocument(snapshot, context) }),
};

/** Those of an open document, with what is found at its definitions. */
export function diagnosticsOfDocument(snapshot: Snapshot, context: AnswerContext): Diagnostic[] {
  const { dependencies, definitions, format } = snapshot;
  if (format.record === 'lockfile')
    return findingsIn(dependencies, context.settings).map((it) => withWayIn(it, snapshot, context));
  const defined = definitions.length > 0 ? findingsAtDefinitions(definitions, context.settings) : [];
  return [...diagnosticsOf(dependencies, context), ...defined.map((it) => toDiagnostic(it, context))];
}

export function diagnosticsOf(dependencies: readonly EvaluatedDependency[], context: AnswerContext): Diagnostic[] {
  return findingsIn(dependencies, context.settings).map((it) => toDiagnostic(it, context));
}

/** What a tool has written is required elsewhere. */
function withWayIn(finding: DependencyFinding, snapshot: Snapshot, context: AnswerContext): Diagnostic {
  const diagnostic = toDiagnostic(finding, context);
  const way = wayInto(snapshot, finding.evaluated, context.graphOf);
  if (way === undefined) return diagnostic;
  const message = wayInText(snapshot.uri, way, context.positions);
  if (!context.client.relatedInformation || way.dependency === undefined)
    return { ...diagnostic, message: `${diagnostic.message} ${message}.` };
  const range = context.positions(way.uri).range(way.dependency.nameSpan);
  const related = { location: { uri: way.uri, range }, message };
  return { ...diagnostic, relatedInformation: [related, ...(diagnostic.relatedInformation ?? [])] };
}

/** The tag that editors strike through. Source: Language Server Protocol 3.17, DiagnosticTag.Deprecated. */
const deprecatedTag = 2;

export function toDiagnostic(finding: Finding, context: AnswerContext): Diagnostic {
  const { span, code, message, subject, details, uri, severity } = finding;
  const range = context.positions(uri).range(span);
  const page = pageOf(code, context);
  return {
    range,
    severity: severityNumber(severity),
    source,
    code,
    ...(page !== undefined && { codeDescription: { href: page } }),
    // A list of problems is far from the line. An unknown package is the answer itself.
    message: code === 'not-found' ? message : `${subject}: ${message}`,
    // VS Code repeats it above our hover, which has the same list with links.
    ...(context.client.relatedInformation &&
      !context.client.commandLinks &&
      details.length > 0 && { relatedInformation: details.map((it) => ({ location: { uri, range }, message: it })) }),
    ...(code === 'deprecated' && context.client.deprecatedTag && { tags: [deprecatedTag] }),
  };
}

/** Shows a page of the documentation in our extension. Its arguments: the name of the page, the heading. */
const showPageCommand = 'packageInsights.showPage';

/** The page about a code, as it is shipped with the program; undefined for a client that cannot open it. */
function pageOf(code: FindingCode, { client, pages }: AnswerContext): string | undefined {
  if (!client.codeDescription) return undefined;
  if (client.commandLinks)
    return `command:${showPageCommand}?${encodeURIComponent(JSON.stringify(['findings', code]))}`;
  return pages && `${pages}/findings.md#${code}`;
}

/** Source: Language Server Protocol 3.17, DiagnosticSeverity: 1 is the error, 4 the hint. */
export function severityNumber(severity: Severity): 1 | 2 | 3 | 4 {
  return ([1, 2, 3, 4] as const)[severities.indexOf(severity)] ?? 3;
}
