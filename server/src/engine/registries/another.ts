import * as l10n from '@vscode/l10n';
import type { RegistryQuestion, RegistryReply, RegistryRequest } from '../model/registries/registry-client.ts';

/** The answer where a registry has answered about another package. */
export function ofAnother(): { readonly kind: 'failed'; readonly reason: string } {
  return { kind: 'failed', reason: l10n.t('the answer is not about this package') };
}

/** Sends a request. A text that is not about the package is no answer. */
export async function sendAbout(
  { send }: Pick<RegistryQuestion, 'send'>,
  request: RegistryRequest,
  isOf: (text: string) => boolean,
): Promise<RegistryReply> {
  const reply = await send({ ...request, isOf });
  return reply.kind === 'reply' && reply.status === 200 && !isOf(reply.text) ? ofAnother() : reply;
}
