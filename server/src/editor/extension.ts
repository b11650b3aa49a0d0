import type { CancellationToken } from 'vscode-languageserver';
import type { Provider } from './providers.ts';
import type { ServerState } from './state/server-state.ts';

/**
 * A request of our own, `packageInsights/…`, that the Language Server Protocol does not define. Any client may send it
 * once initialized; docs/editors.md describes each.
 */
export interface OwnRequest<Params, Answer> {
  readonly method: string;
  /** Set if it reads many or large files: such requests are answered one after the other. */
  readonly isHeavy?: true;
  /** Validates untrusted parameters. Undefined if they are invalid: the client gets an error. */
  readonly read: (params: unknown) => Params | undefined;
  answer(params: Params, server: ServerState, token: CancellationToken): Promise<Answer>;
}

/**
 * The function of a command of workspace/executeCommand: a row of the table in requests/commands.ts, or of an extension.
 * @param args untrusted
 */
export type ServerCommand = (
  args: readonly unknown[],
  server: ServerState,
  token: CancellationToken,
) => Promise<unknown>;

/** What a part of the program outside of the editor brings to the language server, which runs without any as well. */
export interface Extension extends Provider {
  readonly requests?: readonly OwnRequest<unknown, unknown>[];
  /** The functions of commands that command-names.ts announces. */
  readonly commands?: Readonly<Record<string, ServerCommand>>;
}

/** To be called when what an extension knows has changed: shows it. */
export interface Shown {
  hints(): void;
  /** All answers about documents that are no manifests. */
  documents(): void;
  /** Links that were answered before their checks. */
  links(): void;
}

/** Makes the extensions of a server. */
export type Extend = (server: ServerState, shown: Shown) => readonly Extension[];
