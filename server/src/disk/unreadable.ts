import type { Unreadable } from '../model/ports.ts';

/** What went wrong with a file; undefined where nothing stands at its path. */
export function unreadableBy(error: unknown): Unreadable | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  if (absent.has(code)) return undefined;
  if (code === 'EISDIR') return { why: 'no file' };
  return /^E(?:ACCES|PERM)$/.test(code) ? { why: 'denied' } : { why: 'failed', code };
}

/** No file; a path through what is no directory; a path that is longer than any. */
const absent: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG']);
