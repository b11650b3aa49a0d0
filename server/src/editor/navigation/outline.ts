import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type DocumentHighlightParams,
  type DocumentSymbol,
  type DocumentSymbolParams,
  type SymbolInformation,
  SymbolKind,
} from 'vscode-languageserver';
import { highlightsAt } from '../../engine/analysis/navigation/highlights-at.ts';
import { textOf } from '../../engine/analysis/navigation/subject.ts';
import { type OutlineEntry, outlineOf } from '../../engine/analysis/navigation/symbols.ts';
import { pathOf } from '../../engine/base/uri.ts';
import type { Positions } from '../../engine/formats/text/positions.ts';
import type { NavigationFeature } from './navigate.ts';

/** VS Code has an outline of every JSON file, in which a second one would repeat each name. */
const outlinedByEditor = /\.jsonc?$/;

const kinds = {
  section: SymbolKind.Namespace,
  dependency: SymbolKind.Package,
  definition: SymbolKind.Constant,
} as const satisfies Record<OutlineEntry['kind'], SymbolKind>;

/** The dependencies of the document by section, and the versions that it defines. */
export const documentSymbol: NavigationFeature<DocumentSymbolParams, DocumentSymbol[] | SymbolInformation[]> = {
  method: 'textDocument/documentSymbol',
  uri: (it) => it.textDocument.uri,
  emptyAnswer: [],
  answer(document, _, { client, positions }) {
    const { uri, manifest } = document.file;
    const isOwnExtension = client.experimental?.packageInsightsCommands === true;
    if (isOwnExtension && outlinedByEditor.test(pathOf(uri))) return [];
    const outline = outlineOf(manifest, textOf(document));
    if (client.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport)
      return outline.map((it) => toSymbol(it, positions));
    return outline.flatMap((it) =>
      it.kind === 'section'
        ? it.children.map((child) => ({ ...toInformation(child, uri, positions), containerName: it.name }))
        : [toInformation(it, uri, positions)],
    );
  },
};

function toSymbol(
  { kind, name, detail, span, nameSpan, children }: OutlineEntry,
  positions: Positions,
): DocumentSymbol {
  return {
    name,
    kind: kinds[kind],
    range: positions.range(span),
    selectionRange: positions.range(nameSpan),
    ...(detail !== '' && { detail }),
    ...(children.length > 0 && { children: children.map((it) => toSymbol(it, positions)) }),
  };
}

function toInformation({ kind, name, span }: OutlineEntry, uri: string, positions: Positions): SymbolInformation {
  return { name, kind: kinds[kind], location: { uri, range: positions.range(span) } };
}

/** The places of the document that name the same definition. */
export const documentHighlight: NavigationFeature<DocumentHighlightParams, DocumentHighlight[]> = {
  method: 'textDocument/documentHighlight',
  uri: (it) => it.textDocument.uri,
  emptyAnswer: [],
  async answer(document, { position }, { positions }) {
    const found = await highlightsAt(document, positions.offset(position));
    return found.map(({ span, isDefinition }) => ({
      range: positions.range(span),
      kind: isDefinition ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
    }));
  },
};
