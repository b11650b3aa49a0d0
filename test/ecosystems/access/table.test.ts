import { test } from 'node:test';
import { registryAccess } from '../../../server/src/ecosystems/registry-access.ts';
import type { AccessReader, AccessSource } from '../../../server/src/model/registries/access.ts';
import { expectPicture, readPictures } from '../../harness/picture.ts';
import { shownAccess } from './shown-access.ts';

/*
 * A picture of one configuration: the files of the workspace, the nearest first, then those of the machine (`~/…`, `/…`);
 * `$NAME` is a variable of the environment. Then under `SYSTEM` names, and below each the registries that are asked for
 * it, in their order, with what they are sent. UPDATE=1 paints the answers.
 */
const readers: Readonly<Record<string, AccessReader>> = registryAccess;

for (const picture of readPictures(import.meta.dirname)) {
  test(picture.title, () => {
    const sources: AccessSource[] = [];
    const variables = new Map<string, string>();
    let isTrusted = true;
    const painted: { name: string; painted: string }[] = [];
    for (const { name, text } of picture.sections) {
      const reader = readers[name];
      if (reader) {
        const read = reader.read({ sources, isTrusted, variable: (it) => variables.get(it), lockfiles: [] });
        const names = text.split('\n').filter((it) => /^\S/.test(it));
        const lines = names.flatMap((it) => [it, ...shownAccess(read({ name: it })).map((one) => `  ${one}`)]);
        painted.push({ name, painted: lines.join('\n') });
        continue;
      }
      painted.push({ name, painted: text });
      if (name === 'untrusted') isTrusted = false;
      else if (name === 'anew') sources.length = 0;
      else if (name.startsWith('$')) variables.set(name.slice(1), text.trim());
      if (name === 'untrusted' || name === 'anew') continue;
      const label = name.replace(/^\$/, '');
      const owner = /^[~/$]/.test(name) ? 'machine' : 'workspace';
      const source: AccessSource = { name: label.split('/').at(-1) ?? label, label, text, owner };
      if (name.startsWith('$')) sources.unshift(source);
      else sources.push(source);
    }
    expectPicture(picture, painted);
  });
}
