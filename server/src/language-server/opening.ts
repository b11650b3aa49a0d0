import {
  type Connection,
  ErrorCodes,
  type InitializeParams,
  InitializeRequest,
  Message,
  type MessageStrategy,
  ResponseError,
} from 'vscode-languageserver';
import { nextTurn } from '../base/next-turn.ts';
import { serverCapabilities } from './capabilities.ts';

/** The loaded server. Called with the parameters of `initialize`. */
export type Engine = (params: InitializeParams) => void;

/** The connection's side of the opening. */
export interface Opening {
  /** An option of the connection. */
  readonly messageStrategy: MessageStrategy;
  /** Answers `initialize` over the connection. */
  answer(connection: Connection): void;
}

/**
 * Answers `initialize` with what the tables offer, and has the engine loaded while the client reads the response:
 *
 *     client                       server
 *     initialize              →    loads the protocol alone
 *                             ←    capabilities
 *     registers its features       loads the engine
 *     initialized, didOpen    →    the engine handles this and all that follows
 *
 * A message that comes too early is handled by the engine as well.
 */
export function createOpening(version: string, load: (connection: Connection) => Promise<Engine>): Opening {
  /** Resolves when the next message may be handled. */
  let ready: Promise<void> | undefined;
  let isReady = false;
  let engine: Engine | undefined;
  let initial: InitializeParams | undefined;
  let open: () => Promise<void> = async () => {};

  return {
    messageStrategy: {
      async handleMessage(message, next) {
        if (isReady || (Message.isRequest(message) && message.method === InitializeRequest.method))
          return next(message);
        ready ??= open();
        await ready;
        return next(message);
      },
    },
    answer(connection) {
      const initialize = (loaded: Engine, params: InitializeParams): void => {
        try {
          loaded(params);
        } catch (error) {
          // The client has its response already: every request is answered with `ServerNotInitialized` from here on.
          connection.console.error(`initialize: ${error instanceof Error ? error.stack : String(error)}`);
        }
      };
      open = async () => {
        engine = await load(connection);
        if (initial) initialize(engine, initial);
        isReady = true;
      };
      connection.onInitialize((params) => {
        if (initial) return new ResponseError(ErrorCodes.InvalidRequest, 'initialized already');
        const capabilities = serverCapabilities(params.capabilities);
        initial = params;
        if (engine) initialize(engine, params);
        else ready ??= answered().then(open);
        return { serverInfo: { name: 'Package Insights', version }, capabilities };
      });
    },
  };
}

/** Resolves when the response that is being made is written: the library of the protocol does so in its next turn. */
async function answered(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
