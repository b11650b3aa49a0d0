import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expectPicture, readPictures, type Section } from '../harness/picture.ts';
import { startService } from '../harness/service.ts';
import { folderWith } from './program.ts';
import { runHere } from './terminal.ts';

/*
 * A picture of what a person at a terminal sees. First stand files, `insights.json` being what the service knows; then,
 * in this order, what happens: `$ check --format json` is what that command prints (a line of standard error begins
 * with `! `) and its exit code; `after: FILE` is what a file holds then.
 */
for (const picture of readPictures(join(import.meta.dirname, 'pictures'))) {
  test(picture.title, async () => {
    const catalog = picture.sections.find((it) => it.name === 'insights.json');
    const service = await startService(JSON.parse(catalog?.text ?? '{}'));
    const files = picture.sections.filter((it) => it !== catalog && !/^(?:\$ |after: )/.test(it.name));
    const folder = folderWith(Object.fromEntries(files.map((it) => [it.name, `${it.text}\n`])));
    try {
      const shown: Section[] = [];
      for (const it of picture.sections) {
        shown.push({ ...it, painted: await happens(it, folder.path, service.url) });
      }
      expectPicture(picture, shown);
    } finally {
      folder.remove();
      await service.close();
    }
  });
}

async function happens({ name, painted }: Section, directory: string, baseUrl: string): Promise<string> {
  const after = /^after: (.*)$/.exec(name)?.[1];
  if (after !== undefined) return readFileSync(join(directory, after), 'utf8').replace(/\n$/, '');
  const command = /^\$ (.*)$/.exec(name)?.[1];
  if (command === undefined) return painted;
  const { code, out, error } = await runHere(command.split(' '), directory, { baseUrl });
  return `${out}${error.replace(/^(?=.)/gm, '! ')}exit ${code}`;
}
