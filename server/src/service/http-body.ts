import type { IncomingMessage } from 'node:http';
import type { Allowance } from '../engine/base/allowance.ts';

const limits = {
  /** 5000 requests with names of 200 characters are below 2 MiB. */
  bodyBytes: 16 * 1024 * 1024,
  /** How much a client may still send of what is not read, before its connection ends. */
  heardOutBytes: 16 * 1024 * 1024,
} as const;

export type Body = { readonly text: string } | 'too large' | 'busy' | 'gone';

/**
 * Reads the body. A client that disconnects early gets no answer. One that sends too much is answered at once, and heard
 * out.
 */
export function readBody(request: IncomingMessage, room: Allowance): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limits.bodyBytes) {
    hearOut(request);
    return Promise.resolve('too large');
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let held = 0;
    const end = (body: Body): void => {
      room.give(held);
      held = 0;
      chunks.length = 0;
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      const isLarge = held + chunk.length > limits.bodyBytes;
      if (!isLarge && room.take(chunk.length)) {
        held += chunk.length;
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      hearOut(request);
      end(isLarge ? 'too large' : 'busy');
    };
    request.on('data', take);
    request.on('end', () => end({ text: Buffer.concat(chunks).toString() }));
    request.on('error', () => end('gone'));
    request.on('close', () => end('gone'));
  });
}

/** Reads on for a while without keeping anything, so that a client which is still sending reads the answer. */
export function hearOut(request: IncomingMessage): void {
  let heard = 0;
  request.on('data', (chunk: Buffer) => {
    heard += chunk.length;
    if (heard > limits.heardOutBytes) request.destroy();
  });
  request.on('error', () => undefined);
}
