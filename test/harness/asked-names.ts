import type { ReceivedRequest } from '../../server/src/service/http-server.ts';

/** The names that a service was asked about, in order, each once. */
export function askedNames(requests: readonly Pick<ReceivedRequest, 'path' | 'body'>[]): string[] {
  const all = requests.flatMap(({ path, body }) =>
    body === ''
      ? [decodeURIComponent(path.split('/').at(-1) ?? '')]
      : JSON.parse(body).requests.map((it: { versionKey: { name: string } }) => it.versionKey.name),
  );
  return [...new Set<string>(all)];
}
