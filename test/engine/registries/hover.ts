import type { Hover } from 'vscode-languageserver';
import { fileUri } from '../../../server/src/engine/base/uri.ts';
import { positionsIn } from '../../../server/src/engine/formats/text/positions.ts';
import { startLsp } from '../../harness/lsp-client.ts';
import { folderWith } from '../../terminal/program.ts';

/**
 * What the real server, which asks private registries, shows at a place of a `package.json`.
 * @param npmrc the person's own
 * @param baseUrl of the service
 */
export async function hoverWith(npmrc: string, text: string, at: string, baseUrl: string): Promise<string> {
  const home = folderWith({ 'home/.npmrc': npmrc, 'work/package.json': text });
  const client = await startLsp({
    folder: fileUri(`${home.path}/work`),
    person: { HOME: `${home.path}/home`, USERPROFILE: `${home.path}/home` },
    capabilities: { textDocument: { hover: {} } },
    settings: { baseUrl, privateRegistries: 'ask' },
  });
  try {
    const uri = fileUri(`${home.path}/work/package.json`);
    await client.open(uri, text);
    for (;;) {
      const hover = await client.connection.sendRequest<Hover | null>('textDocument/hover', {
        textDocument: { uri },
        position: positionsIn(text).at(text.indexOf(at)),
      });
      const contents = JSON.stringify(hover?.contents ?? '');
      if (!contents.includes('Requesting')) return contents.replace(/\\+(?=[^\w\\])/g, '');
    }
  } finally {
    await client.stop();
    home.remove();
  }
}
