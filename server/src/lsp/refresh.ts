import type { ClientCapabilities, Connection, Diagnostic } from 'vscode-languageserver';

/** What a client has on its screen, as far as we know. */
export interface Shown {
  readonly open: readonly string[];
  readonly diagnostics: (
    uri: string,
  ) => Promise<{ readonly version: number; readonly items: Diagnostic[] } | undefined>;
}

/** Tells a client to ask again, by whatever means it announced; pushes diagnostics to one that never asks. */
export interface Refresh {
  /** Facts arrived or settings changed: everything shown may be out of date. */
  everything(): void;
  /** One document changed: clients that ask will do so by themselves. */
  document(uri: string): void;
  closed(uri: string): void;
}

export function refresh(
  connection: Connection,
  { workspace, textDocument }: ClientCapabilities,
  shown: Shown,
): Refresh {
  const pulls = textDocument?.diagnostic !== undefined;
  const sent = (what: string, request: Promise<unknown>): void => {
    request.catch((error: unknown) =>
      connection.console.log(
        `the client turned down ${what}: ${error instanceof Error ? error.message : String(error)}`,
      ),
    );
  };
  const push = async (uri: string): Promise<void> => {
    const found = await shown.diagnostics(uri);
    if (found) await connection.sendDiagnostics({ uri, version: found.version, diagnostics: found.items });
  };
  return {
    everything() {
      if (!pulls) for (const uri of shown.open) sent('diagnostics', push(uri));
      if (pulls && workspace?.diagnostics?.refreshSupport)
        sent('a refresh of diagnostics', connection.languages.diagnostics.refresh());
      if (workspace?.inlayHint?.refreshSupport) sent('a refresh of hints', connection.languages.inlayHint.refresh());
    },
    document(uri) {
      if (!pulls) sent('diagnostics', push(uri));
    },
    closed(uri) {
      if (!pulls) sent('diagnostics', connection.sendDiagnostics({ uri, diagnostics: [] }));
    },
  };
}
