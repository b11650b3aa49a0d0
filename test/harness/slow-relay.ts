import { connect, createServer, type Socket } from 'node:net';

/**
 * A relay that delays a server on loopback: every byte takes half of the round trip each way. Connections are
 * established at once.
 * @param roundTrip ms
 */
export async function slowRelay(
  port: number,
  roundTrip: number,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    pass(near, far, roundTrip / 2);
    pass(far, near, roundTrip / 2);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.setNoDelay(true).on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Timers of one length end in the order in which they began, so the bytes keep theirs. */
function pass(from: Socket, to: Socket, delay: number): void {
  from.on('data', (chunk) => void setTimeout(() => to.write(chunk), delay));
}
