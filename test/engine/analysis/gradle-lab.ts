import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inherit } from '../../../server/src/engine/analysis/link/inheritance.ts';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { filesOf, type Texts } from './members-lab.ts';

export const root = 'file:///w/';

/**
 * What the dependencies of the first file of a build come to: the name, and the version with the file that it is written
 * in, `own` for what the build makes itself, the published BOM that decides, or the reason why there is none. The first
 * file contains the expectation behind `→`.
 */
export function builds(title: string, texts: Texts): void {
  test(title, async () => {
    const [name = '', text = ''] = Object.entries(texts)[0] ?? [];
    const format = formatOf(`/${name}`);
    assert.ok(format, name);
    const reader = new ManifestReader(filesOf(texts));
    const chain = await startReading(reader).chain(root + name, format, text);
    const members = await reader.members.membersFor(chain.files);
    const found = linkDependencies({ ...chain, members }, (files, lookup) =>
      inherit(files, lookup, ({ key }, version) => ({
        kind: 'withheld',
        pom: `${key.name}:${version}`,
        reason: 'it is published',
      })),
    ).map(({ key, requirement }) => {
      const short = key.name.replace(/^(.*):\1\.gradle\.plugin$/, '$1');
      if (requirement.kind === 'source') return `${short} own`;
      if (requirement.kind === 'text')
        return `${short} ${requirement.text} ${requirement.place?.uri.slice(root.length) ?? 'composed'}`;
      const reason = requirement.kind === 'unresolved' ? requirement.reason : requirement.kind;
      return `${short} ${/; (.*) was not looked up: it is published/.exec(reason)?.[1] ?? reason}`;
    });
    const expected = Array.from(text.matchAll(/→ (.*)/g), ([, it]) => it ?? '');
    assert.deepEqual(found.toSorted(), expected.toSorted());
  });
}
