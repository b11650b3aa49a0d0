import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { followHeaders } from './language-server/framing.ts';
import { createOpening } from './language-server/opening.ts';
import { version } from './platform/version.ts';

/*
 * The language server, as a process: it answers `initialize`, and the engine, a bundle of its own, does the rest. The
 * command line chooses the transport: `--stdio`, `--node-ipc`, `--socket=…`.
 */
if (process.argv.includes('--stdio')) {
  process.stdin.on(
    'data',
    followHeaders((reason) => {
      // The editor starts a new server. A message over the connection might not arrive.
      process.stderr.write(`package-insights: ${reason}\n`);
      process.exit(1);
    }),
  );
}
const opening = createOpening(version, async (it) => (await import('./engine.ts')).startEngine(it));
const connection = createConnection(ProposedFeatures.all, opening);
opening.answer(connection);
connection.listen();
