import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { installExtensions } from '../tools/editor-server.ts';
import { cache } from '../tools/paths.ts';
import { inTurn } from '../tools/turn.ts';
import type { ServerRelease } from '../tools/vscode.ts';
import { environment } from './workspace.ts';

/**
 * A folder with a packed extension installed, shared by all tests of one build and one VS Code: to install it takes as
 * long as many a test.
 */
export async function installedOnce(release: ServerRelease, vsix: string): Promise<string> {
  const build = createHash('sha256').update(readFileSync(vsix)).digest('hex').slice(0, 16);
  const home = join(cache, 'installed', `${release.version}-${build}`);
  const extensions = join(home, 'extensions');
  await inTurn(join(home, 'lock'), async () => {
    if (existsSync(join(extensions, 'extensions.json'))) return;
    mkdirSync(extensions, { recursive: true });
    await installExtensions({ release, home, vsix: [vsix], env: environment });
  });
  return extensions;
}
