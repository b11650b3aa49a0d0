import type { Severity } from '../../../engine/model/finding.ts';
import type { Span } from '../../../engine/model/span.ts';

/*
 * Documents that belong to a connected service rather than to packages: requests to one, manifests of deployments. Each
 * kind is an object of the interface below, a row of `ConnectedServices.documents`. The language server gives it texts and
 * shows what it returns; language-server/service-documents/ is the only code that knows the protocol.
 *
 *     connected.ts                        documents: [requestDocuments(…), …]
 *       → service-documents/documents.ts  which kind claims an open document
 *       → service-documents/answers.ts    hovers, completions, hints, lenses, actions, diagnostics of the protocol
 *
 * To add a kind: a file that creates it, and its row in connected.ts. VS Code sends the documents that the selectors of
 * client/src/selector.ts name; other editors send the languages that a person configures.
 */

/** An open document, as the editor shows it. */
export interface ServiceDocument {
  /** `file:` or `untitled:`. */
  readonly uri: string;
  /** As the editor names it: `yaml`, `package-insights-request`. */
  readonly languageId: string;
  /** Grows with each change. */
  readonly version: number;
  readonly text: string;
}

/**
 * A kind of service document. Its functions get the text of this moment and return what to show for it; offsets and spans
 * are in UTF-16 units of this text. Each may return a promise. One that throws or rejects gives an empty answer, and the
 * log says why; none ends the server.
 *
 * - Return soon: an editor waits for each answer. What is to be requested first is requested by the kind, without a wait;
 *   `onDidChange` has the editor ask again when it is there.
 * - The signal aborts when the editor needs the answer no more: when the person types on, for example.
 * - Texts are plain text: the frame escapes them, and shortens those of one line. Credentials must be in none.
 */
export interface ServiceDocumentKind {
  /** Unique: `request`, `deployment`. It names the kind in commands. */
  readonly name: string;
  /**
   * Whether a document is one of this kind now. Called with each request for a document that is no manifest of packages,
   * so it must take microseconds, and must not throw. False while the service of the kind is not connected, unless the
   * language of the document is the kind's own. The first kind in the list that claims a document has it.
   */
  claims(document: ServiceDocument): boolean;
  /** The problems of the whole document. They are kept until it changes, or until `onDidChange`. */
  findings(document: ServiceDocument, context: DocumentContext): Awaitable<readonly DocumentFinding[]>;
  hover?(document: ServiceDocument, offset: number, context: DocumentContext): Awaitable<DocumentHover | undefined>;
  completion?(
    document: ServiceDocument,
    offset: number,
    context: DocumentContext,
  ): Awaitable<readonly DocumentCompletion[]>;
  /** Those in a span; others are left out anyway. */
  hints?(document: ServiceDocument, seen: Span, context: DocumentContext): Awaitable<readonly DocumentHint[]>;
  lenses?(document: ServiceDocument, context: DocumentContext): Awaitable<readonly DocumentLens[]>;
  /** Actions besides the fixes of findings, which are offered by themselves. */
  actions?(document: ServiceDocument, selected: Span, context: DocumentContext): Awaitable<readonly DocumentFix[]>;
  /**
   * Runs one of its `{ run }` commands, in any editor.
   * @param args untrusted
   * @returns JSON for the client
   */
  run?(name: string, args: readonly unknown[], context: RunContext): Promise<unknown>;
  /**
   * Calls a listener when answers may be others for the same text: facts have arrived. Findings, hints and lenses are shown
   * again, at most ten times a second. A change of settings need not be reported.
   * @returns a function that unsubscribes
   */
  onDidChange(listener: () => void): () => void;
}

export type Awaitable<T> = T | Promise<T>;

/** The circumstances of an answer. */
export interface DocumentContext {
  readonly signal: AbortSignal;
  readonly client: DocumentClient;
  /**
   * The text of another file, as it is open or on disk: a template that a manifest imports. Undefined if it is absent,
   * unreadable, or outside the workspace and the folders of open documents.
   */
  readonly read: (uri: string) => Promise<string | undefined>;
  /** The same for a text that is sent elsewhere: undefined for a link, too, which may lead to a hidden file. */
  readonly readUnlinked: (uri: string) => Promise<string | undefined>;
}

/** What the editor can do. */
export interface DocumentClient {
  /** It is our extension of VS Code, so its commands can be named. */
  readonly isOwnExtension: boolean;
  /** It takes completions with `isSnippet`. */
  readonly takesSnippets: boolean;
}

/** A problem at a place of the document. */
export interface DocumentFinding {
  readonly span: Span;
  /** Stable and short: `unknown-parameter`. */
  readonly code: string;
  readonly severity: Severity;
  /** A sentence. */
  readonly message: string;
  /** What is outdated is struck through, what has no effect is faded. */
  readonly tag?: 'deprecated' | 'unnecessary';
  /** Ways out of it, the best first. */
  readonly fixes?: readonly DocumentFix[];
}

/** An entry of the lightbulb: edits of the document, or a command, or both; the edits come first. */
export interface DocumentFix {
  /** `Change to “calendarId”` */
  readonly title: string;
  readonly edits?: readonly TextChange[];
  readonly command?: DocumentCommand;
  /** Whether it is what most people want, so that a key applies it at once. */
  readonly isPreferred?: boolean;
}

export interface TextChange {
  readonly span: Span;
  readonly newText: string;
}

export interface DocumentHover {
  readonly span: Span;
  readonly prose: DocumentProse;
}

/** Text for people, of safe pieces. A subset of `Markup` of language-server/features/markup.ts, which escapes it. */
export type DocumentProse = readonly {
  /** `rule`: a line between two parts. */
  readonly kind: 'paragraph' | 'item' | 'rule';
  readonly parts: readonly DocumentInline[];
}[];

export type DocumentInline =
  | string
  | { readonly strong: string }
  | { readonly code: string }
  /** A link if it was checked, or links are not checked. */
  | { readonly link: string; readonly url: string };

/** An item of a completion. Editors narrow the list as a person types on. */
export interface DocumentCompletion {
  readonly label: string;
  readonly kind: DocumentCompletionKind;
  /** What is replaced: it contains the cursor, and lies in one line. */
  readonly span: Span;
  readonly newText: string;
  /** Whether `newText` has places to fill, as `$1` and `$0`. Only if `client.takesSnippets`. */
  readonly isSnippet?: boolean;
  /** What is typed to find it, if not the label. */
  readonly filterText?: string;
  /** Behind the label, in one line: a type, a path. */
  readonly detail?: string;
  readonly prose?: DocumentProse;
  readonly isDeprecated?: boolean;
  /** Whether the next list opens at once: the values, behind a name. */
  readonly continues?: boolean;
}

export type DocumentCompletionKind = 'method' | 'property' | 'value' | 'enum' | 'type' | 'reference';

/** A text behind a place of the document. */
export interface DocumentHint {
  readonly offset: number;
  readonly label: string;
  readonly prose?: DocumentProse;
}

/** A line of links above a place of the document; those at one place are in the order of the list. */
export interface DocumentLens {
  readonly span: Span;
  readonly title: string;
  readonly command: DocumentCommand;
  /** Why it cannot be run: the title is shown with it, and is no link. A clause. */
  readonly disabled?: string;
}

export type DocumentCommand =
  /** `run` of the kind with this name. */
  | { readonly run: string; readonly args: readonly unknown[] }
  /** A command of our extension, only if `client.isOwnExtension`. */
  | { readonly id: string; readonly args: readonly unknown[] };

/** What a command can do in the editor. */
export interface RunContext extends DocumentContext {
  /** An open document by its URI, if the kind claims it. */
  readonly document: (uri: string) => ServiceDocument | undefined;
  /** Edits an open document. False if the editor refuses, or the document has changed since `version`. */
  readonly edit: (document: ServiceDocument, label: string, changes: readonly TextChange[]) => Promise<boolean>;
  /** Shows a message. */
  readonly tell: (severity: 'error' | 'warning' | 'information', message: string) => void;
  /** Shows how far it is, if the editor shows progress: `Running: 3 of 5`. */
  readonly report: (message: string) => void;
}
