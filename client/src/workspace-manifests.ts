import * as vscode from 'vscode';

/** The usual manifests. Others start the server when they are opened. */
const usualManifest =
  /^(?:package\.json|deno\.jsonc?|pom\.xml|build\.gradle(?:\.kts)?|pyproject\.toml|Pipfile|requirements.*\.txt|Cargo\.toml|go\.mod|Directory\.Packages\.props|.+\.(?:cs|fs|vb)proj)$/;
/** Folders below the root of a workspace that are looked into, one level deep. A search of all of it could take seconds. */
const MAX_FOLDERS = 30;
/** Of others' files, or of built ones. */
const skipped = /^(?:\..*|node_modules|vendor|target|build|dist|out)$/;

/** Whether a folder of the workspace holds a manifest, or a folder in it does. Reads at most 31 directories a folder. */
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
  return false;
}

function isManifest([name, type]: [string, vscode.FileType]): boolean {
  return type === vscode.FileType.File && usualManifest.test(name);
}

async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    return [];
  }
}
