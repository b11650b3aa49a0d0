import { join } from 'node:path';
import { downloadsFolder } from './downloads.ts';
import { run } from './processes.ts';
import { madeOnce } from './scratch.ts';

/**
 * The path of a program from a crate of others, built where that was not done before: minutes. Undefined where Cargo is
 * missing, or the crate cannot be built.
 */
export async function cargoProgram(crate: string, version: string): Promise<string | undefined> {
  try {
    const destination = await madeOnce(join(downloadsFolder, `${crate}@${version}`), async (folder) => {
      console.error(`Building ${crate}@${version} with cargo (once).`);
      const args = ['install', crate, '--version', version, '--root', folder, '--quiet'];
      const { ok, how, output } = await run({ name: 'cargo', command: 'cargo', args });
      if (!ok) throw new Error(`cargo install ${crate} (${how}):\n${output}`);
    });
    return join(destination, 'bin', crate);
  } catch (error) {
    console.error(String(error));
    return undefined;
  }
}
