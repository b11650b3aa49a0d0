import type { IncomingMessage } from 'node:http';
import type { Allowance } from '../base/allowance.ts';

const limits = {
  /** 5000 requests with names of 200 characters are below 2 MiB. */
  bodyBytes: 16 * 1024 * 1024,
  /** How much more a client that sends too much may send before its connection ends. */
  heardOutBytes: 16 * 1024 * 1024,
} as const;

export type Body = { readonly text: string } | 'too large' | 'busy' | 'gone';

/**
 * Reads the body. A client that disconnects early gets no answer. One that sends too much is answered at once, and its
 * body is drained for a while so that it reads the answer.
 */
export function readBody(request: IncomingMessage, room: Allowance): Promise<Body> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let held = 0;
    let unheard = 0;
    const end = (body: Body): void => {
      room.give(held);
      held = 0;
      chunks.length = 0;
      resolve(body);
    };
    request.on('data', (chunk: Buffer) => {
      if (unheard > 0) {
        unheard += chunk.length;
        if (unheard > limits.heardOutBytes) request.destroy();
        return;
      }
      const isLarge = held + chunk.length > limits.bodyBytes;
      if (!isLarge && room.take(chunk.length)) {
        held += chunk.length;
        chunks.push(chunk);
      } else {
        unheard = chunk.length;
        end(isLarge ? 'too large' : 'busy');
      }
    });
    request.on('end', () => end({ text: Buffer.concat(chunks).toString() }));
    request.on('error', () => end('gone'));
    request.on('close', () => end('gone'));
  });
}
