import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { overrideIn } from '../../../server/src/engine/ecosystems/overrides.ts';
import type { Forced, Override, TextEdit } from '../../../server/src/engine/model/graph/override.ts';
import { expectPicture, readPictures } from '../../harness/picture.ts';

/** Each picture has the files of a project, what is to be forced, and the file as it is written. */
for (const picture of readPictures(join(import.meta.dirname, 'overrides'))) {
  const files = picture.sections.filter((it) => it.name !== 'force' && !it.name.startsWith('written'));
  const {
    lockfile,
    others = [],
    ...forced
  } = JSON.parse(picture.sections.find((it) => it.name === 'force')?.text ?? '{}') as Forced & {
    readonly lockfile: string;
  };
  const write = (texts: ReadonlyMap<string, string>): Override => overrideIn(lockfile, { others, ...forced }, texts);
  const texts = new Map(files.map((it) => [it.name, it.text]));

  test(`override: ${picture.title}`, () => {
    const override = write(texts);
    const written = override.ok
      ? [{ name: `written: ${override.file}`, painted: applied(texts.get(override.file) ?? '', override.edits) }]
      : [{ name: 'written', painted: `${override.reason}\n` }];
    expectPicture(picture, [
      ...picture.sections
        .filter((it) => !it.name.startsWith('written'))
        .map(({ name, text }) => ({ name, painted: text })),
      ...written,
    ]);
  });

  test(`override, with other line ends: ${picture.title}`, () => {
    const override = write(texts);
    const windows = write(new Map(files.map((it) => [it.name, it.text.replaceAll('\n', '\r\n')])));
    assert.equal(windows.ok, override.ok);
    if (!override.ok || !windows.ok) return;
    const text = texts.get(override.file) ?? '';
    // A file that is created has the line ends of its own.
    if (text === '') return;
    const expected = applied(text, override.edits).replaceAll('\n', '\r\n');
    assert.equal(applied(text.replaceAll('\n', '\r\n'), windows.edits), expected);
  });

  test(`override, read again: ${picture.title}`, () => {
    const override = write(texts);
    if (!override.ok) return;
    const text = applied(texts.get(override.file) ?? '', override.edits);
    const { dependencies, definitions, problems } = formatOf(override.file)?.parse(text) ?? {};
    assert.deepEqual(problems, []);
    const versions = [
      ...(dependencies ?? []).map((it) => ({ name: it.key.name, requirement: it.requirement })),
      ...(definitions ?? []).map((it) => ({ name: it.id.replace(/^central:/, ''), requirement: it.value })),
    ].filter((it) => it.name.toLowerCase() === forced.name.toLowerCase());
    const found = versions.map((it) => (it.requirement.kind === 'literal' ? it.requirement.at.text : ''));
    assert.ok(
      found.some((it) => it.includes(forced.wanted)),
      `${forced.wanted} is among ${found}`,
    );
  });
}

function applied(text: string, edits: readonly TextEdit[]): string {
  const last = edits.toSorted((a, b) => b.span.start - a.span.start);
  return last.reduce((it, { span, newText }) => `${it.slice(0, span.start)}${newText}${it.slice(span.end)}`, text);
}
