import type { ApiAnswer, ApiRequest, ConnectionName, Credential } from '../model/connection.ts';

/** Where a service expects its credential. Sources: the contracts of the services. */
const placements: Readonly<Record<ConnectionName, 'bearer' | 'key' | 'access_token'>> = {
  'code-host': 'bearer',
  'link-safety': 'key',
  scheduling: 'bearer',
  deployments: 'bearer',
  'token-audit': 'access_token',
};

/** The path and the headers of a request with its credential. */
export function placeCredential(
  { connection, path }: Pick<ApiRequest, 'connection' | 'path'>,
  secret: string | undefined,
): { readonly path: string; readonly headers: Readonly<Record<string, string>> } {
  if (secret === undefined) return { path, headers: {} };
  const placement = placements[connection];
  if (placement === 'bearer') return { path, headers: { authorization: `Bearer ${secret}` } };
  return { path: `${path}${path.includes('?') ? '&' : '?'}${placement}=${encodeURIComponent(secret)}`, headers: {} };
}

/** In characters. A shorter text may stand in an answer for other reasons. */
const MIN_SECRET_LENGTH = 6;
const MASK = '[credential]';

/** Removes a credential that a service repeats, in an error for example. */
export function redactor(credential: Credential | undefined): (answer: ApiAnswer) => ApiAnswer {
  const secret = credential?.secret ?? '';
  if (secret.length < MIN_SECRET_LENGTH) return (answer) => answer;
  const forms = [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
  const redact = (text: string): string => forms.reduce((all, it) => all.replaceAll(it, MASK), text);
  return (answer) => {
    if (answer.kind === 'aborted') return answer;
    if (answer.kind !== 'answer') return { ...answer, reason: redact(answer.reason) };
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, redact(value)]));
    return { ...answer, headers, text: redact(answer.text) };
  };
}
