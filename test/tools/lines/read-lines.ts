import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type LinkedDocument, linkDocument } from '../../../server/src/engine/analysis/link/linked-document.ts';
import { loadContext } from '../../../server/src/engine/analysis/load/context.ts';
import { ManifestReader } from '../../../server/src/engine/analysis/load/file-reader.ts';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { diskFiles } from '../../../server/src/platform/files.ts';

/** A dependency in a file, and what its version comes to. */
export interface Line {
  /** The path in the folder, and the number of the line. */
  readonly at: string;
  readonly file: string;
  readonly name: string;
  readonly group: string | undefined;
  readonly how:
    | { readonly kind: 'version'; readonly version: string }
    /** A published file decides, which is not asked for. */
    | { readonly kind: 'published'; readonly by: string }
    | { readonly kind: 'here' }
    | { readonly kind: 'without'; readonly reason: string };
}

const elsewhere = 'it is published';

/** The dependencies of all manifests of some formats in a folder. Nothing is looked up. */
export async function* readLines(folder: string, formats: ReadonlySet<string>): AsyncGenerator<Line> {
  const root = `${pathToFileURL(folder)}/`;
  const files = diskFiles(() => [root]);
  const reader = new ManifestReader(files, { now: () => Date.now() });
  const paths = globSync('**/*', { cwd: folder, exclude: (it) => /^(?:node_modules|\.git)$/.test(it) }).sort();
  for (const path of paths) {
    const format = formatOf(`/${path}`);
    if (format === undefined || !formats.has(format.id)) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    const context = await loadContext({ uri: root + encodeURI(path), version: 1, text }, reader, files, () => false);
    if (context === undefined) continue;
    const linked = linkDocument(
      context,
      {
        read: ({ key }, version) => ({ kind: 'withheld', pom: `${key.name}:${version}`, reason: elsewhere }),
        wanted: [],
        isCurrent: () => true,
      },
      await context.members,
    );
    yield* linesOf(linked, path, text);
  }
}

function* linesOf({ own }: LinkedDocument, file: string, text: string): Generator<Line> {
  for (const dependency of own.dependencies) {
    const number = text.slice(0, dependency.nameSpan.start).split('\n').length;
    for (const { linked, locked } of own.link(dependency)) {
      const { requirement, key } = linked;
      const about = { at: `${file}:${number}`, file, name: key.name, group: dependency.group };
      if (locked !== undefined) yield { ...about, how: { kind: 'version', version: locked.version } };
      else if (requirement.kind === 'text') yield { ...about, how: { kind: 'version', version: requirement.text } };
      else if (requirement.kind === 'source') yield { ...about, how: { kind: 'here' } };
      else {
        const reason = requirement.kind === 'unresolved' ? requirement.reason : 'any version';
        const [, by] = /; (.*) was not looked up: it is published$/.exec(reason) ?? [];
        yield { ...about, how: by === undefined ? { kind: 'without', reason } : { kind: 'published', by } };
      }
    }
  }
}
