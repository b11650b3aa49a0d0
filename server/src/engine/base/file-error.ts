import * as l10n from '@vscode/l10n';
import { messageOf } from './text.ts';

/**
 * Why a file could not be read or written, as a clause in the reader's language without its name: `the disk is full`. Rare
 * errors keep the text of the system.
 */
export function fileTrouble(error: unknown): string {
  switch (systemCode(error)) {
    case 'ENOENT':
      return l10n.t('no such file or folder');
    case 'EACCES':
    case 'EPERM':
      return l10n.t('permission denied');
    case 'EISDIR':
      return l10n.t('it is a folder');
    case 'ENOTDIR':
      return l10n.t('a part of the path is not a folder');
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('the disk is full');
    case 'EROFS':
      return l10n.t('the disk is read-only');
    default:
      return messageOf(error);
  }
}

/** The code of the system, also for databases on a disk. Sources: SQLite, result codes; PostgreSQL, appendix A. */
function systemCode(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  if ('errcode' in error) {
    const code = Number(error.errcode);
    // SQLITE_IOERR_SHMSIZE: the index of the log cannot grow.
    return code === 4874 ? 'ENOSPC' : { 8: 'EROFS', 13: 'ENOSPC' }[code & 0xff];
  }
  const code = 'code' in error ? error.code : undefined;
  return code === '53100' ? 'ENOSPC' : code;
}
