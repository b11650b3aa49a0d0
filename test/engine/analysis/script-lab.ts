import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';

const root = 'file:///w/';

/** What the dependencies of a file of a build come to: name, version and the file that it is written in. */
export async function linkedIn(files: Readonly<Record<string, string>>, name: string): Promise<readonly string[]> {
  const format = formatOf(name);
  assert.ok(format, name);
  const reader = new ManifestReader({
    read: async (uri) => files[uri.slice(root.length)],
    find: async (directory, matches) =>
      Object.keys(files)
        .map((it) => root + it)
        .filter((it) => it.startsWith(directory) && matches.test(it)),
    isBlocked: async () => false,
  });
  const chain = await startReading(reader).chain(root + name, format, files[name] ?? '');
  return linkDependencies(chain).map(({ key, requirement, dependency: { condition } }) => {
    if (requirement.kind !== 'text') return `${key.name} ${requirement.kind}`;
    const when = condition === undefined ? '' : ` when ${condition}`;
    return `${key.name} ${requirement.text} ${requirement.place?.uri.slice(root.length) ?? 'composed'}${when}`;
  });
}

/** Tests the dependencies of the first file of a build, which contains the expectation behind `→`. */
export function builds(title: string, files: Readonly<Record<string, string>>): void {
  test(title, async () => {
    const [name = '', text = ''] = Object.entries(files)[0] ?? [];
    const found = await linkedIn(files, name);
    const expected = Array.from(text.matchAll(/→ (.*)/g), ([, it = '']) => it.trim());
    assert.deepEqual(found.toSorted(), expected.toSorted());
  });
}
