import { type ClientCapabilities, type Connection, type InitializeParams, TextDocuments } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { PositionEncoding } from '../../engine/formats/text/positions.ts';
import { encodingFor } from '../capabilities.ts';
import { type ClientTraits, traitsOf } from '../client-traits.ts';

/** The client of a server: what it is able to do, has told, and has open. */
export class ClientState {
  readonly connection: Connection;
  readonly documents = new TextDocuments(TextDocument);
  capabilities: ClientCapabilities = {};
  /** Those of the capabilities that answers depend on. */
  traits: ClientTraits = traitsOf({});
  encoding: PositionEncoding = 'utf-16';
  /** The language of all texts; undefined for English. */
  locale: string | undefined;
  /** Untrusted. Used where the client has no setting of its own. */
  initializationOptions: unknown;
  /** Whether the person trusts the workspace. True for clients without that concept. */
  isTrusted = true;
  /** Whether `initialize` was received, and was valid. */
  isInitialized = false;
  /** The reasons for failed lookups that are already logged. */
  readonly loggedFailures = new Set<string>();
  /** Whether the client reports changed files. */
  isWatching = false;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  initialize({ capabilities, initializationOptions }: InitializeParams): void {
    this.capabilities = capabilities;
    this.traits = traitsOf(capabilities, initializationOptions);
    this.encoding = encodingFor(capabilities);
    this.initializationOptions = initializationOptions;
    this.isTrusted = initializationOptions?.isTrusted !== false;
  }

  log(what: string, error: unknown): void {
    this.connection.console.error(
      `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
}
