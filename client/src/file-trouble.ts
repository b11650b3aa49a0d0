import * as vscode from 'vscode';

/** Why a file could not be read or written, as a clause; the editor's message for other errors. */
export function fileTrouble(error: unknown): string {
  switch (error instanceof vscode.FileSystemError ? error.code : undefined) {
    case 'FileNotFound':
      return vscode.l10n.t('no such file or folder');
    case 'NoPermissions':
      return vscode.l10n.t('permission denied');
    case 'FileIsADirectory':
      return vscode.l10n.t('it is a folder');
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
