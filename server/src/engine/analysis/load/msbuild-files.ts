import { directoryOf, nameOf, sameUri, upwardFrom } from '../../base/uri.ts';
import { besideResults, buildTargets } from '../../ecosystems/nuget/msbuild-imports.ts';
import { idsIn } from '../../model/manifest.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';

interface Reading {
  readonly read: (uri: string) => Promise<ParsedManifest | undefined>;
  readonly find: (directory: string, matches: RegExp, most: number) => Promise<readonly string[]>;
}

interface AroundProject {
  /** They prevail over the project, those that prevail first. */
  readonly after: readonly ParsedManifest[];
  /** The project prevails over them. */
  readonly before: readonly ParsedManifest[];
}

/** Files beside the results of a build. Real ones are four. */
const MAX_FILES = 20;

/**
 * What MSBuild reads around a project without being told, as far as it defines a property that the project has in the name or
 * version of a package. Sources: Microsoft.Common.props and .targets, Microsoft.Common.CurrentVersion.targets.
 *
 *     a.csproj   a.csproj.user   obj/a.csproj.nuget.g.props   obj/a.csproj.nuget.g.targets   Directory.Build.targets
 */
export async function filesAroundProject({ files }: ManifestChain, { read, find }: Reading): Promise<AroundProject> {
  const [document] = files;
  const used = new Set(
    document?.manifest.dependencies.flatMap(({ requirement, nameParts: parts = [] }) => [
      ...idsIn(requirement),
      ...idsIn({ kind: 'template', parts, span: { start: 0, end: 0 } }),
    ]),
  );
  if (document === undefined || ![...used].some((it) => it.startsWith('property:'))) return { after: [], before: [] };
  for (const file of files)
    for (const it of file.manifest.definitions) if (used.has(it.id)) for (const id of idsIn(it.value)) used.add(id);
  const directory = directoryOf(document.uri);
  const own = `${nameOf(document.uri).toLowerCase()}.`;
  const results = await find(`${directory}obj/`, besideResults, MAX_FILES);
  const ofProject = results.filter((it) => nameOf(it).toLowerCase().startsWith(own));
  const defining = async (uri: string): Promise<readonly ParsedManifest[]> => {
    const found = await read(uri);
    return found?.manifest.definitions.some((it) => used.has(it.id)) ? [found] : [];
  };
  const all = async (uris: readonly string[]): Promise<readonly ParsedManifest[]> =>
    (await Promise.all(uris.map(defining))).flat();
  const known = new Set(files.map((it) => sameUri(it.uri)));
  const targets = await nearest(directory, buildTargets.path, read);
  return {
    after: await all([
      ...targets,
      ...ofProject.filter((it) => /\.targets$/i.test(it)).toReversed(),
      `${document.uri}.user`,
    ]),
    before: (await all(ofProject.filter((it) => /\.props$/i.test(it)))).filter((it) => !known.has(sameUri(it.uri))),
  };
}

async function nearest(directory: string, name: string, read: Reading['read']): Promise<readonly string[]> {
  for (const it of upwardFrom(directory)) if (await read(it + name)) return [it + name];
  return [];
}
