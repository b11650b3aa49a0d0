import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { ConnectionName } from '../../../../server/src/engine/model/connection.ts';

/** A credential as it is kept: with the only address that it is for. */
interface KeptCredential {
  readonly baseUrl: string;
  /** Absent where VS Code's own sign-in provides it. */
  readonly secret?: string;
  readonly provider?: 'github';
}

/** Credentials of connected services in VS Code's secret storage. */
export interface CredentialStore {
  keep(connection: ConnectionName, kept: KeptCredential): Promise<void>;
  forget(connection: ConnectionName): Promise<void>;
  /** Encrypts a credential for the server of this window. */
  seal(secret: string): string;
}

export function createCredentialStore(secrets: vscode.SecretStorage, seal: CredentialStore['seal']): CredentialStore {
  return {
    keep: async (connection, kept) => secrets.store(idOf(connection), JSON.stringify(kept)),
    forget: async (connection) => secrets.delete(idOf(connection)),
    seal,
  };
}

/** Answers the server's request for a credential: only with the one that was kept for this very address. */
export function provideCredentials(
  client: BaseLanguageClient,
  secrets: vscode.SecretStorage,
  { seal }: CredentialStore,
): vscode.Disposable {
  return client.onRequest(
    'packageInsights/credential',
    async ({ connection, baseUrl }: { readonly connection: ConnectionName; readonly baseUrl: string }) => {
      const kept = read(await secrets.get(idOf(connection)));
      if (kept?.baseUrl !== baseUrl) return null;
      if (kept.secret !== undefined) return { sealed: seal(kept.secret) };
      const session = kept.provider && (await signedIn(kept.provider));
      // Without it requests would be anonymous, which the person has not chosen.
      if (!session) throw new Error('signed out');
      return { sealed: seal(session.accessToken) };
    },
  );
}

/** A session of VS Code's own accounts. Asks nothing. */
async function signedIn(provider: 'github'): Promise<vscode.AuthenticationSession | undefined> {
  return vscode.authentication.getSession(provider, [], { silent: true });
}

function idOf(connection: ConnectionName): string {
  return `connection ${connection}`;
}

function read(text: string | undefined): KeptCredential | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
