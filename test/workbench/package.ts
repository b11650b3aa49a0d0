/* `npm run package [-- FILE]`: the extension as one file, to be installed or published. */
import { join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { root } from './paths.ts';
import { packVsix } from './vsix.ts';

const path = process.argv[2] ?? join(root, `${manifest.name}-${manifest.version}.vsix`);
await packVsix(path);
console.log(`Packed ${path}`);
