import type * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import type { ReadFile } from '../../../server/src/editor/sync/client-files.ts';
import type { DocumentSender } from '../window-documents.ts';

/** What the desktop and a browser do differently. An entry point passes it in. */
export interface World {
  /** Starts a language server as far as it starts without its client. */
  readonly startServer: (context: vscode.ExtensionContext) => CreateClient;
  /** The bytes of a file as messages to the server carry them. */
  readonly encode: (bytes: Uint8Array) => Extract<ReadFile, Uint8Array | string>;
  /** The commands that cannot work here, with the reason that a person sees; a sentence. */
  readonly withoutCommand: (id: string) => string | undefined;
  /** Whether private registries can be asked. */
  readonly canAskRegistries: boolean;
}

/** Creates the client of a server, without starting it. Loads what a window without manifests does not need. */
export type CreateClient = (options: LanguageClientOptions) => Promise<StartableClient>;

export interface StartableClient {
  readonly client: BaseLanguageClient;
  /** Those that it was created with. */
  readonly options: LanguageClientOptions;
  readonly documents: DocumentSender;
  /** Encrypts a credential for the server. */
  readonly seal: (secret: string) => string;
}
