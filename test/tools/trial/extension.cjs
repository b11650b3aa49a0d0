/*
 * The second extension of `npm start`: it opens a manifest with the walkthrough beside it. VS Code has no argument that
 * opens a walkthrough, and the product itself opens nothing unasked.
 */
const vscode = require('vscode');
const { manifest, step, isCatalog } = require('./trial.json');

const walkthrough = 'package-insights.package-insights#start';

exports.activate = async (context) => {
  // The walkthrough has a step about the embedded catalog.
  await vscode.commands.executeCommand('setContext', 'packageInsights.isCatalog', isCatalog);
  // A window that is loaded again keeps what the person has open.
  if (context.workspaceState.get('opened')) return;
  await context.workspaceState.update('opened', true);
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (manifest !== undefined && folder !== undefined) {
    const uri = vscode.Uri.joinPath(folder.uri, manifest);
    await vscode.window.showTextDocument(uri, { preview: false, viewColumn: vscode.ViewColumn.One });
  }
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough, step }, true);
  await vscode.commands.executeCommand('vscode.setEditorLayout', {
    orientation: 0,
    groups: [{ size: 0.64 }, { size: 0.36 }],
  });
  await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
};
