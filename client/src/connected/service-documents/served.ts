import * as vscode from 'vscode';
import { servedSelector } from '../../selector.ts';
import { servedSchemes } from '../../world/file-systems.ts';
import { isConnected, settingKeys } from '../connections/connected.ts';

/** Whether the server receives a document. */
export function isServed(document: vscode.TextDocument): boolean {
  return vscode.languages.match(currentSelector(), document) > 0;
}

/** The documents that the server receives with the services that are connected now. */
export function currentSelector(): ReturnType<typeof servedSelector> {
  return servedSelector(servedSchemes(), connectedKeys(), ownNames());
}

/** The names of manifests that the person has chosen. Of an untrusted workspace VS Code hands over none. */
export function ownNames(): readonly string[] {
  // The server has those of each folder; a document that only another folder names is no manifest for it.
  const places = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map((it) => it.uri)];
  const names = places.flatMap((it) => {
    const chosen = vscode.workspace.getConfiguration('packageInsights', it).get<unknown>('fileNames');
    return Array.isArray(chosen) ? chosen : [];
  });
  return [...new Set(names.filter((it) => typeof it === 'string' && /^[^/\\{}[\]=]+=/.test(it)))];
}

/**
 * Calls back when other documents are to be sent, because a service was connected or disconnected, files were named, or a folder of another
 * file system was added. One selector for all documents: a file that two registrations match would be sent twice.
 */
export function onDidChangeSelector(changed: () => void): vscode.Disposable {
  let before = JSON.stringify(currentSelector());
  const compare = (): void => {
    const now = JSON.stringify(currentSelector());
    if (now === before) return;
    before = now;
    changed();
  };
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((it) => {
      if (['connections', 'fileNames'].some((name) => it.affectsConfiguration(`packageInsights.${name}`))) compare();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(compare),
  );
}

/** Of the connected services. */
function connectedKeys(): readonly string[] {
  const names = Object.keys(settingKeys) as (keyof typeof settingKeys)[];
  return names.filter(isConnected).map((it) => settingKeys[it]);
}
