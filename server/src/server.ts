import { parseArgs } from 'node:util';
import {
  type Connection,
  createConnection,
  createServerPipeTransport,
  createServerSocketTransport,
  type MessageReader,
  type MessageWriter,
  ProposedFeatures,
} from 'vscode-languageserver/node';
import { messageOf } from './base/text.ts';
import { followHeaders } from './language-server/framing.ts';
import { createOpening, type Engine } from './language-server/opening.ts';
import { version } from './platform/version.ts';

/*
 * The language server, as a process: it answers `initialize`, and the engine, a bundle of its own, does the rest. The
 * command line chooses the transport: `--stdio`, `--node-ipc`, `--socket=…`, `--pipe=…`. The end of its input is the end of
 * the server.
 */
if (process.argv.includes('--stdio')) process.stdin.on('data', followHeaders(end));
const opening = createOpening(version, loadEngine);
const connection = connect();
opening.answer(connection);
connection.listen();

/** The library of the protocol ends the server with standard input, but with no other transport. */
function connect(): Connection {
  process.once('disconnect', () => process.exit(1));
  const { values } = parseArgs({ strict: false, options: { socket: { type: 'string' }, pipe: { type: 'string' } } });
  if (values.socket === undefined && values.pipe === undefined) return createConnection(ProposedFeatures.all, opening);
  const [reader, writer]: [MessageReader, MessageWriter] =
    values.pipe === undefined
      ? createServerSocketTransport(Number(values.socket))
      : createServerPipeTransport(String(values.pipe));
  reader.onClose(() => process.exit(1));
  return createConnection(ProposedFeatures.all, reader, writer, opening);
}

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
