import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { downloadsFolder } from './downloads.ts';
import { run } from './processes.ts';
import { madeOnce } from './scratch.ts';

/**
 * The folder of a Python package of others and what it requires, fetched with pip where that was not done before: the
 * `PYTHONPATH` of programs that use it. Undefined where Python or pip is missing, or the package cannot be fetched.
 * @param requirement `google-api-python-client==2.202.0`
 * @param kept how the names of files below `part` begin that are kept; the others are removed. Everything is kept without it
 */
export async function pythonPackage(requirement: string, part = '', kept = ''): Promise<string | undefined> {
  const destination = join(downloadsFolder, `${requirement.replace('==', '@')}${kept && `-${kept}`}`);
  try {
    return await madeOnce(destination, async (folder) => {
      console.error(`Fetching ${requirement} with pip (once).`);
      const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--target', folder, requirement];
      const { ok, how, output } = await run({ name: 'pip', command: 'python3', args });
      if (!ok) throw new Error(`pip install ${requirement} (${how}):\n${output}`);
      for (const name of kept === '' ? [] : readdirSync(join(folder, part))) {
        if (!name.startsWith(`${kept}.`)) rmSync(join(folder, part, name), { recursive: true });
      }
    });
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
}
