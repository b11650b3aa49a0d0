import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { downloadsFolder } from './downloads.ts';
import { npm } from './npm.ts';
import { madeOnce } from './scratch.ts';

/**
 * The folder of an npm package of others with what it requires, fetched where that was not done before: too large for each
 * `npm ci`. Undefined where it cannot be fetched.
 * @param overrides versions by name, for packages that mirrors of the registry do not keep
 */
export async function npmPackage(
  name: string,
  version: string,
  overrides: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  try {
    const folder = await madeOnce(join(downloadsFolder, `${name}@${version}`), async (made) => {
      console.error(`Fetching ${name}@${version} with npm (once).`);
      const manifest = { private: true, dependencies: { [name]: version }, overrides };
      writeFileSync(join(made, 'package.json'), JSON.stringify(manifest));
      await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], made);
    });
    return join(folder, 'node_modules', name);
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
}
