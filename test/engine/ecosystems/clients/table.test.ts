import { test } from 'node:test';
import { registryReaders } from '../../../../server/src/engine/ecosystems/registries.ts';
import type { AskedRegistry } from '../../../../server/src/engine/model/registries/access.ts';
import type { RegistryReader } from '../../../../server/src/engine/model/registries/registry-reader.ts';
import { expectPicture, readPictures } from '../../../harness/picture.ts';
import { configurationsOf } from './configuration.ts';

/** What the reader of each system says of the packages of a picture. UPDATE=1 paints it. */
const readers: Readonly<Record<string, RegistryReader>> = registryReaders;

for (const picture of readPictures(import.meta.dirname)) {
  test(picture.title, () => {
    const sections = picture.sections.map(({ name, painted }) => ({ name, painted }));
    for (const { inputs, system, asked, section } of configurationsOf(picture)) {
      const read = readers[system]?.accessTo(inputs);
      const lines = asked.flatMap((line) => {
        const [name = '', ...registries] = line.split(' @ ');
        const access = read?.({ name, ...(registries.length > 0 && { registries }) });
        const found = access?.registries.map(shown) ?? ['no setting names a registry'];
        if (access?.registries.length === 0) found.push('no registry is asked');
        if (access?.join === 'all' && found.length > 1) found.push('all versions are joined');
        return [line, ...found.map((it) => `  ${it}`)];
      });
      sections[section] = { name: system, painted: lines.join('\n') };
    }
    expectPicture(picture, sections);
  });
}

/** `https://npm.acme.example by .npmrc of the workspace sends Bearer abc of ~/.npmrc` */
function shown({ address, from, namedBy, credential, refusal, takes, isOptional }: AskedRegistry): string {
  const sends = credential ? ` sends ${opened(credential.open())} of ${credential.from}` : '';
  const not = refusal ? ` refused: ${refusal.rule}, ${refusal.from}${refusal.detail ? `, ${refusal.detail}` : ''}` : '';
  const only = takes ? ` for ${takes}` : '';
  const next = isOptional ? ', the next one after any failure' : '';
  return `${address}${only} by ${from} of the ${namedBy}${sends}${not}${next}`;
}

/** `Basic YTpi` → `Basic a:b` */
function opened(header: string): string {
  const [, basic] = /^Basic (.+)$/.exec(header) ?? [];
  return basic === undefined ? header : `Basic ${Buffer.from(basic, 'base64').toString()}`;
}
