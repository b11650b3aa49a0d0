import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { ClientTraits } from '../../../editor/client-traits.ts';
import type { ServerState } from '../../../editor/state/server-state.ts';
import { throttle } from '../../../editor/util/throttle.ts';
import { type Positions, positionsIn } from '../../../engine/formats/text/positions.ts';
import type { LinkSafety } from '../../../engine/model/links.ts';
import { requestLanguage } from '../../model/documents/requests.ts';
import type {
  DocumentContext,
  DocumentFinding,
  ServiceDocument,
  ServiceDocumentKind,
} from '../../model/documents/service-document.ts';
import type { Services } from '../connections/services.ts';

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

interface KeptFindings {
  readonly version: number;
  readonly kind: ServiceDocumentKind;
  readonly found: Promise<readonly DocumentFinding[]>;
  readonly aborting: AbortController;
}

/** The open documents of connected services. */
export class ServiceDocuments {
  readonly #server: ServerState;
  readonly #services: Services;
  readonly #kept = new Map<string, KeptFindings>();

  constructor(services: Services, server: ServerState) {
    this.#services = services;
    this.#server = server;
  }

  /** The document as the kind that claims it takes it; undefined for all others. */
  async claim(uri: string, signal: AbortSignal): Promise<ClaimedDocument | undefined> {
    const { client, folders, engine } = this.#server;
    const document = client.documents.get(uri);
    if (document === undefined || !folders.mayBeManifest(document)) return undefined;
    const all = await this.#kindsFor(document);
    const it = documentOf(document);
    const kind = all.find((kind) => kind.claims(it));
    if (kind === undefined) return undefined;
    return {
      kind,
      document: it,
      positions: positionsIn(it.text, client.encoding),
      context: contextOf(this.#server, signal),
      client: client.traits,
      links: engine.links,
      findings: () => this.#findingsIn(kind, it),
    };
  }

  /**
   * The kinds are loaded.
   * @param show shows open documents again
   */
  follow(kinds: readonly ServiceDocumentKind[], show: () => void): void {
    const refresh = throttle(
      this.#server.engine.clock,
      async () => {
        this.forget();
        show();
      },
      () => REFRESH_PAUSE_MS,
    );
    for (const it of kinds) it.onDidChange(() => refresh());
    if (kinds.length > 0) refresh();
  }

  /** Settings have changed: kept findings may be others. */
  forget(): void {
    for (const uri of [...this.#kept.keys()]) this.closed(uri);
  }

  closed(uri: string): void {
    this.#kept.get(uri)?.aborting.abort();
    this.#kept.delete(uri);
  }

  /** The kinds, loaded first for a document that is nothing but a service's. */
  async #kindsFor({ languageId }: TextDocument): Promise<readonly ServiceDocumentKind[]> {
    const { loaded } = this.#services;
    if (loaded === undefined && ownLanguages.includes(languageId))
      return (await this.#services.load())?.documents ?? [];
    return loaded?.documents ?? [];
  }

  #findingsIn(kind: ServiceDocumentKind, document: ServiceDocument): KeptFindings['found'] {
    const { uri, version } = document;
    const before = this.#kept.get(uri);
    if (before?.version === version && before.kind === kind) return before.found;
    this.closed(uri);
    const aborting = new AbortController();
    const found = findingsOf(kind, document, contextOf(this.#server, aborting.signal)).catch((error: unknown) => {
      this.#server.client.log(`the findings of ${kind.name}`, error);
      return [];
    });
    this.#kept.set(uri, { version, kind, found, aborting });
    return found;
  }
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
  { client: { traits }, engine: { read, files } }: ServerState,
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
