/* `npm run package [-- --program] [FILE]`: the extension, or the terminal program, as one file to install or publish. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import manifest from '../../package.json' with { type: 'json' };
import { packProgram, packVsix } from './packing.ts';
import { root } from './paths.ts';

const usage = 'Usage: npm run package -- [--program] [FILE]';

const { path, isProgram } = readArguments();
await (isProgram ? packProgram(path) : packVsix(path));
console.log(`Packed ${path}`);

/** An unknown option is an error, not a path. */
function readArguments(): { readonly path: string; readonly isProgram: boolean } {
  try {
    const options = { help: { type: 'boolean' }, program: { type: 'boolean', default: false } } as const;
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) finish(0, usage);
    const ending = values.program ? 'tgz' : 'vsix';
    const [file = `${manifest.name}-${manifest.version}.${ending}`, ...others] = positionals;
    if (others.length > 0) throw new Error('Only one file can be written');
    // npm runs scripts in the checkout; this is where the person is.
    const path = resolve(positionals.length > 0 ? (process.env.INIT_CWD ?? process.cwd()) : root, file);
    return { path, isProgram: values.program };
  } catch (error) {
    return finish(2, `${error instanceof Error ? error.message : error}\n${usage}`);
  }
}

function finish(code: number, message: string): never {
  (code === 0 ? console.log : console.error)(message);
  process.exit(code);
}
