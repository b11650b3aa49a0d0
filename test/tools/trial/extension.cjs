/*
 * The second extension of `npm start`: it opens a manifest with the walkthrough beside it. VS Code has no argument that
 * opens a walkthrough, and the product itself opens nothing unasked.
 */
const vscode = require('vscode');
const { manifest, step, knows } = require('./trial.json');

/** Half a second apart. */
const ATTEMPTS = 40;
/** Of dependencies that are worth to be seen at once. */
const LINES = 8;

const walkthrough = 'package-insights.package-insights#start';

exports.activate = async (context) => {
  // The walkthrough has a step about what the service knows.
  await vscode.commands.executeCommand('setContext', 'packageInsights.knows', knows);
  // A window that is loaded again keeps what the person has open.
  if (context.workspaceState.get('opened')) return;
  await context.workspaceState.update('opened', true);
  await vscode.commands.executeCommand('workbench.action.closeSidebar');
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  let editor;
  if (manifest !== undefined && folder !== undefined) {
    const uri = vscode.Uri.joinPath(folder.uri, manifest);
    editor = await vscode.window.showTextDocument(uri, { preview: false, viewColumn: vscode.ViewColumn.One });
  }
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough, step }, true);
  await vscode.commands.executeCommand('vscode.setEditorLayout', {
    orientation: 0,
    groups: [{ size: 0.64 }, { size: 0.36 }],
  });
  await vscode.commands.executeCommand('workbench.action.focusFirstEditorGroup');
  if (editor) await revealHints(editor);
};

/** Scrolls to the first dependency, unless the person has scrolled meanwhile. */
async function revealHints(editor) {
  const { document } = editor;
  const all = new vscode.Range(0, 0, document.lineCount, 0);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const hints = await vscode.commands.executeCommand('vscode.executeInlayHintProvider', document.uri, all);
    const lines = hints.map((it) => it.position.line);
    if (lines.length > 0) {
      const [seen] = editor.visibleRanges;
      const first = Math.min(...lines);
      const isFar = seen !== undefined && seen.start.line === 0 && first > seen.end.line - LINES;
      if (isFar) editor.revealRange(new vscode.Range(first, 0, first, 0), vscode.TextEditorRevealType.AtTop);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
