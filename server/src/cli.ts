import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './cli/run.ts';
import { version } from './version.ts';

/** Resolves at the first Ctrl-C or request to end; a second one ends the process the usual way. */
const ended = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
});

/** Beside the bundle, or beside the service's sources. */
const catalog =
  [join(import.meta.dirname, 'catalog'), join(import.meta.dirname, 'service', 'catalog')].find((it) =>
    existsSync(it),
  ) ?? 'catalog';

main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 2;
  },
);

function main(): Promise<number> {
  return run(process.argv.slice(2), {
    out: (line) => console.log(line),
    error: (line) => console.error(line),
    catalog,
    version,
    ended,
    languageServer: async () => {
      await import('./server.ts');
      // The pipe from the editor, and the watch over its process, would keep this one alive.
      ended.then(() => process.exit());
    },
  });
}
