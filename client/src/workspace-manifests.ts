import * as vscode from 'vscode';
import { usualManifests } from './selector.ts';

/** Folders below the root of a workspace that are looked into first, one level deep. A search of all of it can take seconds. */
const MAX_FOLDERS = 30;
/** Of others' files, or of built ones. */
const skipped = /^(?:\..*|node_modules|vendor|target|build|dist|out)$/;

/** Whether the workspace holds a manifest: in its folders or the folders in these, else anywhere. */
export async function hasManifests(): Promise<boolean> {
  const { workspaceFolders = [] } = vscode.workspace;
  for (const { uri } of workspaceFolders) {
    const entries = await entriesOf(uri);
    if (entries.some(isManifest)) return true;
    const folders = entries.filter(([name, type]) => type === vscode.FileType.Directory && !skipped.test(name));
    const below = await Promise.all(
      folders.slice(0, MAX_FOLDERS).map(([name]) => entriesOf(vscode.Uri.joinPath(uri, name))),
    );
    if (below.flat().some(isManifest)) return true;
  }
  return (await vscode.workspace.findFiles(`**/{${usualManifests}}`, '**/node_modules/**', 1)).length > 0;
}

const usualNames = new RegExp(`^(?:${usualManifests.join('|').replaceAll('.', '\\.').replaceAll('*', '.*')})$`);

function isManifest([name, type]: [string, vscode.FileType]): boolean {
  return type === vscode.FileType.File && usualNames.test(name);
}

async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
