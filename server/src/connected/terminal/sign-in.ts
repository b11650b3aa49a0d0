import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import {
  type ConnectionName,
  CredentialError,
  connectionNames,
  connectionVariable,
  readConnectionAddress,
} from '../../engine/model/connection.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { UsageError } from '../../terminal/command.ts';
import { notOneOf } from '../../terminal/options.ts';
import type { ConnectedTerminal } from './connected-terminal.ts';

/**
 * `package-insights connections sign-in NAME`: tries a credential, and keeps it in the keyring of the system.
 * @param given the address; default: the one that is connected
 */
export async function signIn(name: string, given: string | undefined, terminal: ConnectedTerminal): Promise<number> {
  const connection = readName(name);
  const baseUrl = addressOf(connection, given, terminal);
  const secret = await terminal.secret(l10n.t('Credential of {0} for {1}: ', connection, baseUrl));
  if (secret === undefined) throw new UsageError(l10n.t('canceled'));
  if (secret === '') throw new UsageError(l10n.t('the credential is empty'));
  const services = await terminal.services(terminal.settings({}));
  try {
    const trial = await services.connections.try(connection, baseUrl, { secret });
    if (!trial.ok) throw new UsageError(l10n.t('{0}: {1}; nothing is kept', connection, trial.reason));
  } finally {
    services.close();
  }
  await terminal.signIns.keep(connection, baseUrl, { secret }).catch((error: unknown) => {
    throw new UsageError(insteadOf(error, connection));
  });
  terminal.out(l10n.t('Signed in to {0} at {1}. The credential is in the keyring of the system.', connection, baseUrl));
  if (terminal.settings({}).connections[connection].baseUrl !== baseUrl)
    terminal.error(
      `package-insights connections: ${l10n.t('{0} is another address, and comes first', connectionVariable(connection, 'URL'))}`,
    );
  return 0;
}

/** `package-insights connections sign-out NAME`: forgets the address and the credential. */
export async function signOut(name: string, terminal: ConnectedTerminal): Promise<number> {
  const connection = readName(name);
  const was = await terminal.signIns.remove(connection).catch((error: unknown) => {
    const reason = reasonOf(error);
    throw new UsageError(
      error instanceof CredentialError
        ? l10n.t(
            '{0} is not connected any more, but its credential may still be in the keyring: {1}',
            connection,
            reason,
          )
        : reason,
    );
  });
  terminal.out(was ? l10n.t('Signed out of {0}.', connection) : l10n.t('Not signed in to {0}.', connection));
  return 0;
}

function readName(name: string): ConnectionName {
  const found = connectionNames.find((it) => it === name);
  if (found) return found;
  throw notOneOf(name, connectionNames, l10n.t('the service'));
}

function addressOf(connection: ConnectionName, given: string | undefined, terminal: ConnectedTerminal): string {
  const text = given ?? terminal.settings({}).connections[connection].baseUrl;
  if (text === '') throw new UsageError(l10n.t('{0} has no address: --base-url URL sets it', connection));
  const address = readConnectionAddress(text);
  if (address.kind === 'valid') return address.origin + address.prefix;
  throw new UsageError(l10n.t('invalid address in {0}: {1}', '--base-url', address.reason));
}

/** What failed, and what works without it. */
function insteadOf(error: unknown, connection: ConnectionName): string {
  const [address, credential] = [connectionVariable(connection, 'URL'), connectionVariable(connection, 'TOKEN')];
  return l10n.t('{0}; nothing is kept. Set {1} and {2} instead.', reasonOf(error), address, credential);
}

function reasonOf(error: unknown): string {
  return error instanceof CredentialError ? error.message : sanitize(fileTrouble(error));
}
