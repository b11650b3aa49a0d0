import { directoryOf, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import type { Dependency } from '../../model/manifest.ts';
import { contains, type Span } from '../../model/span.ts';
import { spanOf } from '../link/linker.ts';
import { referencedUris } from '../load/file-chain.ts';
import { findMembers } from '../members/project-index.ts';
import { linesLocked } from './locked-lines.ts';
import { definitionsOf, eachOnce, type Location, locationOf, type Navigated, startOf } from './navigated.ts';
import { manifestsNamed } from './project-files.ts';
import { type Use, usesIn, usesOfDependency } from './uses.ts';

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
  const { file, context, scope } = document;
  const named = filesNamedAt(document, offset) ?? (await projectsNamedAt(document, offset));
  if (named) return named;
  const uses = usesIn(file, context.texts.get(file.uri) ?? '').filter((it) => contains(it.span, offset));
  const used = leadTo(document, narrowest(uses));
  if (used) return used;
  const dependency = file.manifest.dependencies.find((it) =>
    [it.nameSpan, spanOf(it)].some((span) => contains(span, offset)),
  );
  const found = dependency && (await locationsOfDependency(document, dependency));
  if (dependency && found && found.length > 0) {
    const origin = contains(dependency.nameSpan, offset) ? dependency.nameSpan : spanOf(dependency);
    return { origin, locations: found };
  }
  const own = file.manifest.definitions.find((it) => contains(it.span, offset));
  return own && { origin: own.span, locations: [{ uri: file.uri, span: own.span }] };

  function leadTo(from: Navigated, some: readonly Use[]): FoundLocations | undefined {
    const locations = eachOnce(some.flatMap((it) => definitionsOf(it, from.scope).flatMap(locationOf)));
    return locations.length > 0 && some[0] ? { origin: some[0].span, locations } : undefined;
  }

  async function locationsOfDependency(from: Navigated, declared: Dependency): Promise<readonly Location[]> {
    if (file.format.record !== undefined) return linesLocked(from, declared);
    const linked = from.link(declared).map((it) => it.linked);
    // What the project as a whole says: an override, a member of the workspace.
    const around = linked.flatMap((it) => usesOfDependency(it.dependency));
    const defined = eachOnce(around.flatMap((it) => definitionsOf(it, scope).flatMap(locationOf)));
    if (defined.length > 0) return defined;
    const isOwn = linked.some(
      ({ requirement: it }) => it.kind === 'source' && it.source !== 'git' && it.source !== 'url',
    );
    return isOwn ? (await manifestsNamed(from, linked[0]?.key ?? declared.key)).map(startOf) : [];
  }
}

/** The shortest of several places around an offset: `${minor}` in a composed value. */
function narrowest(uses: readonly Use[]): readonly Use[] {
  const shortest = Math.min(...uses.map(({ span }) => span.end - span.start));
  return uses.filter(({ span }) => span.end - span.start === shortest);
}

/** The files that are named at an offset: a parent, an included file, a module. */
function filesNamedAt({ file, context }: Navigated, offset: number): FoundLocations | undefined {
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
