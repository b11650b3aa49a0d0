import { readFileSync } from 'node:fs';

/** The rows of a table in test/versions: columns between `|`, `#` lines and empty lines left out, cells trimmed. */
export function readTable(path: string): string[][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((it) => it.trim() !== '' && !it.startsWith('#'))
    .map((it) => it.split('|').map((cell) => cell.trim()));
}
