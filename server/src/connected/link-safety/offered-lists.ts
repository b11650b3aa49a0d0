import * as l10n from '@vscode/l10n';
import { type ConnectionClient, type OfferedThreatLists, threatListPattern } from '../../engine/model/connection.ts';
import { listName, listRequest, readLists } from './protocol.ts';

/** The lists of a service that links can be checked against. */
export async function listThreatLists(
  connection: ConnectionClient,
  signal: AbortSignal | undefined,
): Promise<OfferedThreatLists> {
  const answer = await connection.send(listRequest(), { priority: 'asked', ...(signal && { signal }) });
  if (answer.kind === 'aborted') return { kind: 'failure', reason: l10n.t('canceled') };
  if (answer.kind !== 'answer') return { kind: 'failure', reason: answer.reason };
  const offered = answer.status === 200 ? readLists(answer.text) : undefined;
  if (offered === undefined)
    return { kind: 'failure', reason: l10n.t('the service answered with status {0}', answer.status) };
  const pattern = new RegExp(threatListPattern, 'u');
  return { kind: 'lists', names: offered.map(listName).filter((it) => pattern.test(it)) };
}
