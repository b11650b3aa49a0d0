import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/**
 * Reads a secret: a line of the terminal, without its echo, or all of standard input where it is no terminal.
 * @param prompt shown on standard error
 * @returns undefined if the person cancels
 */
export async function readSecret(prompt: string): Promise<string | undefined> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true, historySize: 0 });
  // The terminal echoes what is typed before this.
  process.stderr.write(prompt);
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve);
      lines.once('SIGINT', () => resolve(undefined));
      lines.once('close', () => resolve(undefined));
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
