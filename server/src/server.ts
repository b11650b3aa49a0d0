import { type Connection, createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { messageOf } from './base/text.ts';
import { followHeaders } from './language-server/framing.ts';
import { createOpening, type Engine } from './language-server/opening.ts';
import { version } from './platform/version.ts';

/*
 * The language server, as a process: it answers `initialize`, and the engine, a bundle of its own, does the rest. The
 * command line chooses the transport: `--stdio`, `--node-ipc`, `--socket=…`.
 */
if (process.argv.includes('--stdio')) process.stdin.on('data', followHeaders(end));
const opening = createOpening(version, loadEngine);
const connection = createConnection(ProposedFeatures.all, opening);
opening.answer(connection);
connection.listen();

/** Without the engine no message can be handled. */
async function loadEngine(to: Connection): Promise<Engine> {
  try {
    return (await import('./engine.ts')).startEngine(to);
  } catch (error) {
    return end(`the engine cannot be loaded: ${messageOf(error)}`);
  }
}

/** The editor starts a new server. A message over the connection might not arrive. */
function end(reason: string): never {
  process.stderr.write(`package-insights: ${reason}\n`);
  process.exit(1);
}
