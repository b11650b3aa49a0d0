/*
 * Holds what the pictures in test/engine/ecosystems/clients/ say of the clients of registries against the clients themselves: the
 * configuration of a picture is written to disk, the real client looks a package up, and servers on the loopback record
 * which address it asks and what it sends.
 *
 *     node test/tools/differential/registry-access.ts <folder with clients in node_modules> [picture …]
 *
 * Not part of the tests: it needs the clients (`npm install pnpm yarn @yarnpkg/cli-dist @oven/bun-linux-x64`), and `npm`
 * on the PATH. A picture is of the client that its name begins with. What our rules refuse or keep back is printed with
 * what the client sends.
 */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registryReaders } from '../../../server/src/engine/ecosystems/registries.ts';
import type { RegistryReader } from '../../../server/src/engine/model/registries/registry-reader.ts';
import { configurationsOf } from '../../engine/ecosystems/clients/configuration.ts';
import { observe, type RealClient } from '../../engine/ecosystems/clients/real-client.ts';
import { readPictures } from '../../harness/picture.ts';

const [folder = '.', ...chosen] = process.argv.slice(2);
const modules = resolve(folder, 'node_modules');

/** Version 12 of pnpm is a native program, version 10 is one for Node. */
const native = join(modules, 'pnpm/pnpm');
const pnpm: [string, ...string[]] = existsSync(native) ? [native] : ['node', join(modules, 'pnpm/bin/pnpm.cjs')];

const clients: Readonly<Record<string, RealClient>> = {
  npm: {
    command: (name) => ['npm', 'view', name, '--fetch-retries=0', '--no-update-notifier'],
    environment: { npm_config_globalconfig: '/dev/null' },
  },
  pnpm: { command: (name) => [...pnpm, 'add', name, '--lockfile-only'] },
  'yarn-classic': {
    command: (name) => ['node', join(modules, 'yarn/bin/yarn.js'), 'add', name, '--no-lockfile', '--non-interactive'],
    lockfile: 'yarn.lock',
  },
  yarn: {
    command: (name) => ['node', join(modules, '@yarnpkg/cli-dist/bin/yarn.js'), 'add', name],
    environment: { YARN_ENABLE_TELEMETRY: '0', YARN_UNSAFE_HTTP_WHITELIST: '*', YARN_HTTP_RETRY: '0' },
    lockfile: 'yarn.lock',
  },
  bun: { command: (name) => [join(modules, '@oven/bun-linux-x64/bin/bun'), 'add', name] },
};

const readers: Readonly<Record<string, RegistryReader>> = registryReaders;
let differing = 0;
for (const picture of readPictures(resolve(import.meta.dirname, '..', '..', 'engine', 'ecosystems', 'clients'))) {
  const title = picture.path.replace(/^.*\/|\.txt$/g, '');
  const client = Object.entries(clients)
    .filter(([name]) => title.startsWith(name))
    .sort(([a], [b]) => b.length - a.length)[0]?.[1];
  if (client === undefined || (chosen.length > 0 && !chosen.includes(title))) continue;
  for (const configuration of configurationsOf(picture)) {
    const read = readers[configuration.system]?.accessTo(configuration.inputs);
    for (const name of configuration.asked) {
      const [ours] = read?.({ name })?.registries ?? [];
      // Only hosts of examples become servers.
      if (ours && !ours.refusal && !new URL(ours.address).hostname.endsWith('.example')) continue;
      const sent = await observe(client, configuration, name);
      const said = sent ? `${sent.address} ${sent.authorization}` : 'nothing';
      const expected = ours ? `${ours.address} ${ours.credential?.open() ?? '-'}` : 'nothing';
      const isKept = sent !== undefined && ours !== undefined && expected === `${sent.address} -`;
      if (said === expected) console.log(`${title} ${name}: same`);
      else if (ours?.refusal) console.log(`${title} ${name}: refused (${ours.refusal.rule}), the client asks ${said}`);
      else if (isKept) console.log(`${title} ${name}: keeps back what the client sends, ${said}`);
      else {
        differing++;
        console.log(`${title} ${name}: DIFFERENT\n  client ${said}\n  reader ${expected}`);
      }
    }
  }
}
console.log(`${differing} different`);
process.exitCode = differing === 0 ? 0 : 1;
