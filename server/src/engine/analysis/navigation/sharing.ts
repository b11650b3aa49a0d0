import { sameUri } from '../../base/uri.ts';
import { writtenName } from '../../ecosystems/gradle/flow/order.ts';
import type { FoundDefinition } from '../link/definitions.ts';
import { identityOf, type LinkedProjectFile } from './users.ts';

/** A file whose build shares a name with a definition. */
export interface SharingFile {
  readonly file: LinkedProjectFile;
  /** The ids of the name there: a catalog of another name has it in front. */
  readonly ids: ReadonlySet<string>;
  /** Every definition of it in files of the project that is no variable of another file. */
  readonly definitions: readonly FoundDefinition[];
  /** A file of which only a run of its code tells which definition it means. */
  readonly unclear?: string;
}

interface OwnDefinition extends FoundDefinition {
  readonly local: 'file' | 'block' | undefined;
}

/** The files that a name is shared with, from a definition of it on. */
export function sharing(
  asked: FoundDefinition,
  kind: string,
  files: readonly LinkedProjectFile[],
): readonly SharingFile[] {
  const texts = new Map(files.flatMap((it) => it.parts.map(({ file, text }) => [sameUri(file.uri), text] as const)));
  const meant = new Set([identityOf(asked)]);
  const found = new Map<LinkedProjectFile, SharingFile>();
  // A module that is found late may lead to the parent that it overrides.
  for (let before = -1; before < found.size; ) {
    before = found.size;
    for (const file of files) {
      const its = found.has(file) ? undefined : sharingFile(file);
      if (its === undefined) continue;
      found.set(file, its);
      for (const it of its.definitions) meant.add(identityOf(it));
    }
  }
  return [...found.values()];

  function sharingFile(file: LinkedProjectFile): SharingFile | undefined {
    const own = file.chain.flatMap(({ uri, manifest, format: { code } }) =>
      manifest.definitions
        .filter((it) => it.id.startsWith(`${kind}:`))
        .map((definition): OwnDefinition => {
          const local = code?.local(texts.get(sameUri(uri)) ?? '', definition.span);
          return { uri, definition, local };
        }),
    );
    const isMeant = own.filter((it) => meant.has(identityOf(it)));
    const ids = new Set(isMeant.map((it) => writtenName(it.definition.id)));
    if (ids.size === 0) return undefined;
    const all = own.filter((it) => ids.has(writtenName(it.definition.id)));
    const isLocal = isMeant.some((it) => it.local);
    const definitions = all.filter((it) => (isLocal ? sameUri(it.uri) === sameUri(asked.uri) : !it.local));
    const unclear = all.find((it) => isUnclear(it, all))?.uri;
    return { file, ids, definitions, ...(unclear !== undefined && { unclear }) };
  }
}

/** A variable of a block, or of a file that has the name twice, is not told from others of its name. */
function isUnclear(it: OwnDefinition, all: readonly OwnDefinition[]): boolean {
  if (it.local === undefined) return false;
  const others = all.filter((one) => identityOf(one) !== identityOf(it));
  return others.some((one) => it.local === 'block' || sameUri(one.uri) === sameUri(it.uri));
}
