import assert from 'node:assert/strict';
import { linkDependencies } from '../../../server/src/engine/analysis/link/linker.ts';
import { startReading } from '../../../server/src/engine/analysis/load/file-chain.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import type { Files } from '../../../server/src/engine/model/ports.ts';

/** By their paths in the workspace; the first is the one that asks. */
export type Texts = Readonly<Record<string, string>>;

const root = 'file:///w/';

/** The files of a workspace, and how often any was read. */
export function filesOf(texts: Texts): Files & { readonly reads: () => number } {
  let reads = 0;
  return {
    reads: () => reads,
    read: async (uri) => {
      reads++;
      return texts[uri.slice(root.length)];
    },
    find: async (directory, matches) =>
      Object.keys(texts)
        .map((it) => root + it)
        .filter((it) => it.startsWith(directory) && matches.test(it)),
  };
}

/** The dependencies of the first file that are no published packages. */
export async function ownIn(texts: Texts, reader = new ManifestReader(filesOf(texts))): Promise<string[]> {
  const [[name, text] = ['', '']] = Object.entries(texts);
  const format = formatOf(`/${name}`);
  assert.ok(format);
  const chain = await startReading(reader).chain(root + name, format, text);
  const members = await reader.members.membersFor(chain.files);
  return linkDependencies({ ...chain, members }).flatMap(({ key, requirement }) =>
    requirement.kind === 'source' && requirement.source === 'workspace' ? [key.name] : [],
  );
}
