import * as vscode from 'vscode';
import type { RunningServer } from './language-client.ts';
import { sendRequest } from './requests.ts';
import { servedSelector } from './selector.ts';

/** The setting that asks for hovers over purls in any text. */
const purlHovers = 'packageInsights.purlHovers';

/** Every text that lies on a disk, or will. */
const everyText = [{ scheme: 'file' }, { scheme: 'untitled' }];

/** So much of a line is looked at, on either side of the mouse: one of a minified file holds megabytes. */
const reach = 2000;

/**
 * Tells what is known of the purl that the mouse is on, in any text, as long as the setting asks for it. The server is
 * given the line alone, and is not needed before there is a purl.
 * @param start resolves when the server can be asked; with undefined where it could not be started before
 */
export function providePurlHovers(start: () => Promise<RunningServer | undefined>): vscode.Disposable {
  let provided: vscode.Disposable | undefined;
  const follow = (): void => {
    const isOn = vscode.workspace.getConfiguration().get(purlHovers) === true;
    if (isOn === (provided !== undefined)) return;
    provided?.dispose();
    provided = isOn ? vscode.languages.registerHoverProvider(everyText, providerFor(start)) : undefined;
  };
  follow();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((it) => it.affectsConfiguration(purlHovers) && follow()),
    { dispose: () => provided?.dispose() },
  );
}

function providerFor(start: () => Promise<RunningServer | undefined>): vscode.HoverProvider {
  return {
    async provideHover(document, { line, character }, token) {
      // The server has these, and tells of the purls in them itself.
      if (vscode.languages.match(servedSelector, document) > 0) return undefined;
      const from = Math.max(0, character - reach);
      const text = document.lineAt(line).text.slice(from, character + reach);
      if (!/pkg:/i.test(text)) return undefined;
      const running = await start();
      if (!running) return undefined;
      const { client } = running;
      const textDocument = { uri: client.code2ProtocolConverter.asUri(document.uri) };
      const found = await sendRequest(client, 'purlAt', { textDocument, text, character: character - from }, token);
      if (!found) return undefined;
      const { markdown, start: first, end } = found;
      return new vscode.Hover(
        new vscode.MarkdownString(markdown),
        new vscode.Range(line, from + first, line, from + end),
      );
    },
  };
}
