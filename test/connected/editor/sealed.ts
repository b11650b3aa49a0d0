import { createCipheriv, randomBytes } from 'node:crypto';
import { type LspClient, type LspClientOptions, startLsp } from '../../harness/lsp-client.ts';

const key = randomBytes(32);

/** Encrypts as the extension does. */
export function seal(text: string, by: Buffer = key): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', by, nonce);
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, bytes, cipher.getAuthTag()]).toString('base64');
}

/**
 * A client that keeps credentials, as VS Code does.
 * @param answer what it answers when the server asks for one; without it, the client keeps none
 */
export function startSealed(
  settings: object,
  answer?: (params: unknown) => unknown,
  { env, ...others }: LspClientOptions = {},
): Promise<LspClient> {
  return startLsp({
    settings: { baseUrl: 'http://127.0.0.1:9', ...settings },
    env: { ...process.env, PACKAGE_INSIGHTS_SESSION_KEY: key.toString('base64'), ...env },
    ...(answer && {
      capabilities: { experimental: { packageInsightsConnections: true } },
      answers: { 'packageInsights/credential': answer },
    }),
    ...others,
  });
}
