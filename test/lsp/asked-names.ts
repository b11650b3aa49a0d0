import type { ScriptedServer } from '../harness/scripted-server.ts';

/** The names that a service was asked about, in order, each once. */
export function askedNames({ arrived }: ScriptedServer): string[] {
  const all = arrived.flatMap(({ path, body }) =>
    body === ''
      ? [decodeURIComponent(path.split('/').at(-1) ?? '')]
      : JSON.parse(body).requests.map((it: { versionKey: { name: string } }) => it.versionKey.name),
  );
  return [...new Set<string>(all)];
}
