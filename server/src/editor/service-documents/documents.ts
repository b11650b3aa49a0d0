import type { TextDocument } from 'vscode-languageserver-textdocument';
import { requestLanguage } from '../../connected/model/documents/requests.ts';
import type {
  DocumentContext,
  DocumentFinding,
  ServiceDocument,
  ServiceDocumentKind,
} from '../../connected/model/documents/service-document.ts';
import { type Positions, positionsIn } from '../../engine/formats/text/positions.ts';
import type { LinkSafety } from '../../engine/model/links.ts';
import type { ClientTraits } from '../features/feature.ts';
import type { Session } from '../session.ts';
import { throttle } from '../util/throttle.ts';

/** The languages that belong to connected services alone: a person who opens such a document asks for them. */
const ownLanguages: readonly string[] = [requestLanguage];

/** An open document, its kind, and what an answer about it needs. */
export interface ClaimedDocument {
  readonly kind: ServiceDocumentKind;
  readonly document: ServiceDocument;
  readonly positions: Positions;
  readonly context: DocumentContext;
  readonly client: ClientTraits;
  readonly links: LinkSafety | undefined;
  /** Its problems, kept until it changes. */
  findings(): Promise<readonly DocumentFinding[]>;
}

/** In ms, between two refreshes. */
const REFRESH_PAUSE_MS = 100;

/** The open documents of connected services. */
export interface ServiceDocuments {
  /** The document as the kind that claims it takes it; undefined for all others. */
  claim(uri: string, signal: AbortSignal): Promise<ClaimedDocument | undefined>;
  kind(name: string): ServiceDocumentKind | undefined;
  /** The kinds are loaded. */
  loaded(kinds: readonly ServiceDocumentKind[]): void;
  /** Settings have changed: kept findings may be others. */
  forget(): void;
  closed(uri: string): void;
  /** Called when open documents are to be shown again. */
  onRefresh: () => void;
}

interface KeptFindings {
  readonly version: number;
  readonly kind: ServiceDocumentKind;
  readonly found: Promise<readonly DocumentFinding[]>;
  readonly aborting: AbortController;
}

export function createServiceDocuments(
  session: Pick<
    Session,
    'documents' | 'services' | 'clock' | 'log' | 'read' | 'files' | 'mayBeManifest' | 'encoding' | 'traits'
  > & {
    readonly links: Session['links'];
  },
): ServiceDocuments {
  let kinds: readonly ServiceDocumentKind[] = [];
  const kept = new Map<string, KeptFindings>();
  const discard = (uri: string): void => {
    kept.get(uri)?.aborting.abort();
    kept.delete(uri);
  };
  const forget = (): void => {
    for (const uri of [...kept.keys()]) discard(uri);
  };

  /** The kinds, loaded first for a document that is nothing but a service's. */
  async function kindsFor({ languageId }: TextDocument): Promise<readonly ServiceDocumentKind[]> {
    if (kinds.length === 0 && ownLanguages.includes(languageId)) await session.services.load();
    return kinds;
  }

  function findingsIn(kind: ServiceDocumentKind, document: ServiceDocument): KeptFindings['found'] {
    const { uri, version } = document;
    const before = kept.get(uri);
    if (before?.version === version && before.kind === kind) return before.found;
    discard(uri);
    const aborting = new AbortController();
    const found = findingsOf(kind, document, contextOf(session, aborting.signal)).catch((error: unknown) => {
      session.log(`the findings of ${kind.name}`, error);
      return [];
    });
    kept.set(uri, { version, kind, found, aborting });
    return found;
  }

  const created: ServiceDocuments = {
    onRefresh: () => {},
    async claim(uri, signal) {
      const document = session.documents.get(uri);
      if (document === undefined || !session.mayBeManifest(document)) return undefined;
      const all = await kindsFor(document);
      const it = documentOf(document);
      const kind = all.find((kind) => kind.claims(it));
      if (kind === undefined) return undefined;
      return {
        kind,
        document: it,
        positions: positionsIn(it.text, session.encoding),
        context: contextOf(session, signal),
        client: session.traits,
        links: session.links,
        findings: () => findingsIn(kind, it),
      };
    },
    kind: (name) => kinds.find((it) => it.name === name),
    loaded(given) {
      kinds = given;
      const refresh = throttle(
        session.clock,
        async () => {
          forget();
          created.onRefresh();
        },
        () => REFRESH_PAUSE_MS,
      );
      for (const it of kinds) it.onDidChange(() => refresh());
      if (kinds.length > 0) refresh();
    },
    forget,
    closed: discard,
  };
  return created;
}

async function findingsOf(
  kind: ServiceDocumentKind,
  document: ServiceDocument,
  context: DocumentContext,
): Promise<readonly DocumentFinding[]> {
  return kind.findings(document, context);
}

export function documentOf(document: TextDocument): ServiceDocument {
  const { uri, languageId, version } = document;
  return { uri, languageId, version, text: document.getText() };
}

export function contextOf(
  { traits, read, files }: Pick<Session, 'traits' | 'read' | 'files'>,
  signal: AbortSignal,
): DocumentContext {
  const readQuietly = (uri: string) => read(uri).catch(() => undefined);
  return {
    signal,
    client: { isOwnExtension: traits.commandLinks, takesSnippets: traits.takesSnippets },
    read: readQuietly,
    async readUnlinked(uri) {
      const isLinked = await files.isLinked?.(uri).catch(() => true);
      return isLinked ? undefined : readQuietly(uri);
    },
  };
}
