import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatOf, manifestFormats } from '../../../../server/src/engine/ecosystems/manifest-formats.ts';
import { manifestAsides, manifestMarks } from '../../../harness/manifest-marks.ts';
import { expectPicture, paint, readPictures, variants } from '../../../harness/picture.ts';

const fixtures = join(import.meta.dirname, '..', '..', '..', 'pictures', 'fixtures');

for (const format of manifestFormats) {
  const directory = join(fixtures, format.id);

  test(`${format.id} has pictures`, () => assert.ok(existsSync(directory)));

  for (const picture of existsSync(directory) ? readPictures(directory) : []) {
    const file = picture.sections[0];
    if (file === undefined) throw new Error(`${picture.path} has no file in it`);

    test(`${format.id}: ${picture.title}`, () => {
      assert.equal(formatOf(`/workspace/${file.name}`)?.id, format.id, `${file.name} is read by this format`);
      for (const variant of variants(file.text)) {
        const manifest = format.parse(variant.text);
        const asides = manifestAsides(manifest);
        try {
          expectPicture(picture, [
            { name: file.name, painted: paint(variant.text, manifestMarks(manifest)) },
            ...(asides ? [{ name: 'and', painted: asides }] : []),
          ]);
        } catch (error) {
          throw new Error(`with ${variant.name}: ${error instanceof Error ? error.message : error}`);
        }
      }
    });

    test(`${format.id}: every truncation of "${picture.title}" is read`, () => {
      for (let end = 0; end < file.text.length; end++) {
        const text = file.text.slice(0, end);
        for (const { span, label } of manifestMarks(format.parse(text))) {
          // Compared before a message is made: this runs a million times.
          if (span.start < 0 || span.start > span.end || span.end > end) assert.fail(`${end}: ${label}`);
        }
      }
    });
  }
}
