import {
  type Connection,
  ErrorCodes,
  ExitNotification,
  type InitializeParams,
  InitializeRequest,
  Message,
  type MessageStrategy,
  ResponseError,
  ShutdownRequest,
} from 'vscode-languageserver';
import { nextTurn } from '../engine/base/next-turn.ts';
import { serverCapabilities } from './capabilities.ts';

/** The loaded server. Called with the parameters of `initialize`. */
export type Initialize = (params: InitializeParams) => void;

/** The connection's side of the opening. */
export interface Opening {
  /** An option of the connection. */
  readonly messageStrategy: MessageStrategy;
  /** Answers `initialize` over the connection. */
  answer(connection: Connection): void;
  /** To be called with each message as it arrives: it may wait for others before it is handled. */
  arrived(message: Message): void;
  /**
   * Resolves when the shutdown that has arrived is answered, or at once where the engine is not loaded, which has nothing to
   * end. Undefined without one.
   */
  shutdown(): Promise<void> | undefined;
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
 * A message that comes too early is handled by the engine as well. An `exit` waits for nothing but the answer to the
 * `shutdown` before it.
 */
export function createOpening(version: string, load: (connection: Connection) => Promise<Initialize>): Opening {
  /** Resolves when the next message may be handled. */
  let ready: Promise<void> | undefined;
  let isReady = false;
  let engine: Initialize | undefined;
  let initial: InitializeParams | undefined;
  let open: () => Promise<void> = async () => {};
  let shutdown: Promise<void> | undefined;
  let isShutDown = (): void => {};

  async function handle(message: Message, next: (message: Message) => void): Promise<void> {
    if (isExit(message)) await shutdown;
    else if (!isReady && !isRequestOf(message, InitializeRequest.method)) {
      ready ??= open();
      await ready;
    }
    await next(message);
    if (isRequestOf(message, ShutdownRequest.method)) isShutDown();
  }

  return {
    messageStrategy: { handleMessage: handle },
    arrived(message) {
      if (!isRequestOf(message, ShutdownRequest.method)) return;
      shutdown ??= new Promise((resolve) => {
        isShutDown = resolve;
      });
    },
    shutdown: () => (isReady ? shutdown : shutdown && Promise.resolve()),
    answer(connection) {
      const initialize = (loaded: Initialize, params: InitializeParams): void => {
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

function isRequestOf(message: Message, method: string): boolean {
  return Message.isRequest(message) && message.method === method;
}

function isExit(message: Message): boolean {
  return Message.isNotification(message) && message.method === ExitNotification.method;
}

/** Resolves when the response that is being made is written: the library of the protocol does so in its next turn. */
async function answered(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
