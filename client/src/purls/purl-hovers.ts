import * as vscode from 'vscode';
import { isServed } from '../connected/service-documents/served.ts';
import type { RunningServer } from '../language-client.ts';
import { sendRequest } from '../requests.ts';
import { servedSchemes } from '../world/file-systems.ts';

/** The setting for hovers over purls in any text. */
const purlHovers = 'packageInsights.purlHovers';

/** Every text in a file, or not yet saved. */
const everyText = (): { readonly scheme: string }[] => [...servedSchemes(), 'untitled'].map((scheme) => ({ scheme }));

/** Characters of a line that are sent, on either side of the mouse: a line of a minified file may have megabytes. */
const reach = 2000;

/**
 * Shows facts about the purl under the mouse in any text, while the setting is on. The server receives only the line,
 * and starts with the first purl.
 * @param start resolves when the server accepts requests; with undefined after a failed start
 */
export function providePurlHovers(start: () => Promise<RunningServer | undefined>): vscode.Disposable {
  let provided: vscode.Disposable | undefined;
  const follow = (): void => {
    const isOn = vscode.workspace.getConfiguration().get(purlHovers) === true;
    if (isOn === (provided !== undefined)) return;
    provided?.dispose();
    provided = isOn ? vscode.languages.registerHoverProvider(everyText(), providerFor(start)) : undefined;
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
      // The server provides hovers for these documents itself.
      if (isServed(document)) return undefined;
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
