import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { registryAccess } from '../../../server/src/ecosystems/registry-access.ts';
import type { AccessReader, AccessSource, AskedRegistry } from '../../../server/src/model/registries/access.ts';
import { readPictures } from '../../harness/picture.ts';

/*
 * A picture of one configuration: files of the workspace, the nearest first, then those of the machine (`~/…`); `$NAME`
 * is a variable of the environment, and `lockfiles` are those beside the manifest. Under `SYSTEM` stand names, and below
 * each the registries that its client asks for it, with what they are sent. Under `anew` another configuration begins.
 * UPDATE=1 paints the answers.
 */
const readers: Readonly<Record<string, AccessReader>> = registryAccess;

for (const picture of readPictures(import.meta.dirname)) {
  test(picture.title, () => {
    const state = {
      sources: [] as AccessSource[],
      variables: new Map<string, string>(),
      lockfiles: [''],
      isTrusted: true,
    };
    const painted = [picture.title];
    const expected = [picture.title];
    for (const { name, text } of picture.sections) {
      painted.push(`-- ${name} --`);
      expected.push(`-- ${name} --`, ...(text === '' ? [] : [text]));
      const reader = readers[name];
      if (reader) {
        const read = reader.read({ ...state, variable: (it) => state.variables.get(it) });
        for (const asked of text.split('\n').filter((it) => /^\S/.test(it))) {
          const [packageName = '', ...registries] = asked.split(' @ ');
          const access = read({ name: packageName, ...(registries.length > 0 && { registries }) });
          const lines = access?.registries.map(shown) ?? ['no setting names a registry'];
          if (access?.registries.length === 0) lines.push('no registry is asked');
          if (access?.join === 'all' && lines.length > 1) lines.push('all versions are joined');
          painted.push(asked, ...lines.map((it) => `  ${it}`));
        }
        continue;
      }
      if (text !== '') painted.push(text);
      if (name === 'anew') {
        state.sources = [];
        state.variables = new Map();
        state.lockfiles = [];
        state.isTrusted = true;
      } else if (name === 'untrusted') state.isTrusted = false;
      else if (name === 'lockfiles') state.lockfiles = text.split('\n');
      else if (name.startsWith('$')) {
        const variable = name.slice(1);
        state.variables.set(variable, text);
        state.sources.unshift({ name: variable.toUpperCase(), label: variable, text, owner: 'machine' });
      } else {
        const owner = /^[~/]/.test(name) ? 'machine' : 'workspace';
        const known = /(?:^|\/)(\.cargo\/config\.toml)$/.exec(name)?.[1] ?? name.split('/').at(-1) ?? name;
        state.sources.push({ name: known.replace(/^\.cargo\//, ''), label: name, text, owner });
      }
    }
    if (process.env['UPDATE'] === '1') writeFileSync(picture.path, `${painted.join('\n')}\n`);
    else assert.equal(painted.join('\n'), expected.join('\n'));
  });
}

/** `https://npm.acme.example by .npmrc sends Bearer abc of ~/.npmrc` */
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
