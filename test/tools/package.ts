/* `npm run package [-- FILE]`: the extension as one file, to be installed or published. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { root } from './paths.ts';
import { packVsix } from './vsix.ts';

const usage = 'Usage: npm run package -- [FILE]';

const path = readPath();
await packVsix(path);
console.log(`Packed ${path}`);

/** The path of the file. An unknown option is an error, not a path. */
function readPath(): string {
  try {
    const { values, positionals } = parseArgs({ options: { help: { type: 'boolean' } }, allowPositionals: true });
    if (values.help) finish(0, usage);
    const [file = `${manifest.name}-${manifest.version}.vsix`, ...others] = positionals;
    if (others.length > 0) throw new Error('Only one file can be written');
    // npm runs scripts in the checkout; this is where the person is.
    return resolve(positionals.length > 0 ? (process.env.INIT_CWD ?? process.cwd()) : root, file);
  } catch (error) {
    return finish(2, `${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function finish(code: number, message: string): never {
  (code === 0 ? console.log : console.error)(message);
  process.exit(code);
}
