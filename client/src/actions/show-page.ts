import * as vscode from 'vscode';

/** Shows a page of the documentation, from the files of the extension. */
export const showPageCommand = 'packageInsights.showPage';

/** @param given the name of the page and, if it is not its beginning, a heading: `findings`, `no-match` */
export async function showPage(...given: readonly unknown[]): Promise<void> {
  const [name, heading = ''] = given.map(String);
  const extension = vscode.extensions.getExtension('package-insights.package-insights');
  // A link may come from anywhere: no other file is shown.
  if (extension === undefined || name === undefined || !/^[a-z-]+$/.test(name)) return;
  const uri = vscode.Uri.joinPath(extension.extensionUri, 'docs', `${name}.md`);
  const preview = () => vscode.commands.executeCommand('markdown.showPreview', uri.with({ fragment: heading }));
  try {
    await preview();
  } catch {
    // The preview of VS Code can be disabled.
    await vscode.window.showTextDocument(uri);
    return;
  }
  if (heading === '') return;
  // A preview that has just opened scrolls before its styles are there, and stops above the heading.
  await new Promise((resolve) => setTimeout(resolve, STYLING_TIME));
  await preview();
}

/** How long a preview takes to get its styles, in ms. */
const STYLING_TIME = 500;
