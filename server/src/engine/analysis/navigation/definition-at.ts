import { directoryOf, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import type { Dependency } from '../../model/manifest.ts';
import { contains, type Span } from '../../model/span.ts';
import { referencedUris } from '../load/file-references.ts';
import { findMembers } from '../members/project-index.ts';
import { linesLocked } from './locked-lines.ts';
import { eachOnce, type Location, locationOf, type Navigated, startOf } from './navigated.ts';
import { manifestsNamed } from './project-files.ts';
import { dependencyAt, subjectAt } from './subject.ts';

/** What a person may follow, and where it leads. */
export interface FoundLocations {
  /** What is followed. */
  readonly origin: Span;
  /** The best first; never empty. */
  readonly locations: readonly Location[];
}

/**
 * Where the thing at an offset is defined: the file that is named there, the value of a reference, the project that a
 * dependency is taken from. A definition is its own.
 */
export async function definitionAt(document: Navigated, offset: number): Promise<FoundLocations | undefined> {
  const named = fileNamedAt(document, offset) ?? (await projectsNamedAt(document, offset));
  if (named) return named;
  const subject = await subjectAt(document, offset);
  const locations = eachOnce(subject?.definitions.flatMap((it) => locationOf(it, document)) ?? []);
  if (subject && locations.length > 0) return { origin: subject.origin, locations };
  const at = dependencyAt(document.file.manifest, offset);
  const found = at ? await locationsOfDependency(document, at.dependency) : [];
  return at && found.length > 0 ? { origin: at.span, locations: found } : undefined;
}

async function locationsOfDependency(document: Navigated, declared: Dependency): Promise<readonly Location[]> {
  if (document.file.format.record !== undefined) return linesLocked(document, declared);
  const { link } = await document.linked();
  const linked = link(declared).map((it) => it.linked);
  const isOwn = linked.some(
    ({ requirement: it }) => it.kind === 'source' && it.source !== 'git' && it.source !== 'url',
  );
  return isOwn ? (await manifestsNamed(document, linked[0]?.key ?? declared.key)).map(startOf) : [];
}

/** The file that is named at an offset: a parent, an included one. */
function fileNamedAt({ file, context }: Navigated, offset: number): FoundLocations | undefined {
  const { uri, manifest } = file;
  for (const ref of manifest.references) {
    if (ref.span === undefined || !contains(ref.span, offset)) continue;
    const found = referencedUris(uri, ref).find((it) => sameUri(it) !== sameUri(uri) && context.texts.has(it));
    if (found !== undefined) return { origin: ref.span, locations: [startOf(found)] };
  }
  return undefined;
}

/** The projects that are named at an offset: a module, the members of a pattern. */
async function projectsNamedAt(
  { file: { uri, manifest }, files }: Navigated,
  offset: number,
): Promise<FoundLocations | undefined> {
  const link = manifest.links?.find(({ span }) => contains(span, offset));
  if (link === undefined) return undefined;
  const { span, paths = [], pattern, upward } = link;
  const members = pattern === undefined ? [] : await findMembers(files, uri, [pattern]);
  const found = members.length > 0 ? members : await firstExisting();
  return found.length > 0 ? { origin: span, locations: found.map(startOf) } : undefined;

  async function firstExisting(): Promise<readonly string[]> {
    const own = directoryOf(uri);
    for (const directory of upward ? upwardFrom(own) : [own]) {
      for (const path of paths) {
        const address = resolveUri(directory, path);
        if ((await files.read(address)) !== undefined) return [address];
      }
    }
    return [];
  }
}
