import { createConnection as connectTo } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import {
  type Connection,
  createConnection,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageReader,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { followHeaders } from '../editor/framing.ts';
import { createOpening, type Initialize } from '../editor/opening.ts';
import { messageOf } from '../engine/base/text.ts';
import { version } from '../platform/version.ts';

/*
 * The language server, as a process: it answers `initialize`, and the engine, a bundle of its own, does the rest. The
 * command line chooses the transport: `--stdio`, `--node-ipc`, `--socket=…`, `--pipe=…`. The end of its input is the end of
 * the server.
 */
const opening = createOpening(version, loadEngine);
const connection = connect();
opening.answer(connection);
connection.listen();

function connect(): Connection {
  const options = { socket: { type: 'string' }, pipe: { type: 'string' } } as const;
  const { stdio, 'node-ipc': ipc, socket, pipe } = parseArgs({ strict: false, options }).values;
  if (ipc !== undefined) {
    process.once('disconnect', leave);
    const reader = noting(new IPCMessageReader(process));
    return createConnection(ProposedFeatures.all, reader, new IPCMessageWriter(process), opening);
  }
  if (stdio !== undefined) {
    // Anything else there would be taken for a message.
    console.log = console.info = console.debug = console.dir = console.error;
    return connectOver(process.stdin, process.stdout);
  }
  if (socket === undefined && pipe === undefined) return createConnection(ProposedFeatures.all, opening);
  const stream = pipe === undefined ? connectTo(Number(socket), '127.0.0.1') : connectTo(String(pipe));
  return connectOver(stream, stream);
}

/** The library of the protocol ends the server with standard input alone, and before the messages that came with it. */
function connectOver(input: Readable, output: Writable): Connection {
  input.on('data', followHeaders(end));
  for (const event of ['end', 'close'] as const) input.once(event, leave);
  const reader = noting(new StreamMessageReader(input));
  return createConnection(ProposedFeatures.all, reader, new StreamMessageWriter(output), opening);
}

/** A message waits for those before it; what it is counts from its arrival on. */
function noting(reader: MessageReader): MessageReader {
  const listen = reader.listen.bind(reader);
  reader.listen = (callback) =>
    listen((message) => {
      opening.arrived(message);
      callback(message);
    });
  return reader;
}

/** The client sends nothing more. Only an orderly end is still made. */
async function leave(): Promise<void> {
  const shutdown = opening.shutdown();
  await shutdown;
  process.exit(shutdown === undefined ? 1 : 0);
}

/** Without the engine no message can be handled. */
async function loadEngine(to: Connection): Promise<Initialize> {
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
