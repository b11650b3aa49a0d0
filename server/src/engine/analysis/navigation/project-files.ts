import { manifestFormats } from '../../ecosystems/manifest-formats.ts';
import { canonicalName, type PackageKey } from '../../model/keys.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import type { ParsedManifest } from '../../model/manifest-chain.ts';
import type { System } from '../../model/system.ts';
import type { Navigated } from './navigated.ts';

/** One after the other would add up the latency of a slow disk. */
const CONCURRENT_READS = 20;

/** A file of the project, with its text. */
export interface ProjectManifest extends ParsedManifest {
  readonly text: string;
}

/** A file of a project that may take part, as far as it could be read. */
export type FoundFile = ProjectManifest | { readonly uri: string; readonly isUnreadable: true };

type Project = Pick<Navigated, 'files' | 'chains' | 'reader' | 'root'>;

/** All manifests of a system in the project that people edit. */
export async function projectManifests(project: Project, system: System): Promise<readonly FoundFile[]> {
  const formats = editedFormats(system);
  const matches = new RegExp(formats.map((it) => `(?:${it.files.source})`).join('|'), 'i');
  const uris = await project.chains.find(project.files, project.root, matches);
  const found: FoundFile[] = [];
  for await (const { uri, text } of readTogether(project, uris)) {
    const format = project.reader.formatOf(uri);
    if (text === undefined || format === undefined || !formats.includes(format)) continue;
    if (typeof text !== 'string') found.push({ uri, isUnreadable: true });
    else if (format.begins?.test(text) !== false)
      found.push({ uri, format, text, manifest: project.reader.manifest(uri, format, text) });
    // Code without dependencies may still name an alias.
    else if (format.uses) found.push({ uri, format, text, manifest: nothingIn() });
  }
  return found;
}

async function* readTogether({ files, chains }: Project, uris: readonly string[]) {
  for (let from = 0; from < uris.length; from += CONCURRENT_READS) {
    const some = uris.slice(from, from + CONCURRENT_READS);
    yield* await Promise.all(some.map(async (uri) => ({ uri, text: await chains.text(files, uri) })));
  }
}

/** The manifests of the projects that bear a name. */
export async function manifestsNamed(project: Project, { system, name }: PackageKey): Promise<readonly string[]> {
  const found: string[] = [];
  for (const it of await projectManifests(project, system)) {
    const identity = 'manifest' in it ? it.manifest.identity : undefined;
    if (identity !== undefined && canonicalName(system, identity) === canonicalName(system, name)) found.push(it.uri);
  }
  return found;
}

function nothingIn(): Manifest {
  return { dependencies: [], definitions: [], references: [], problems: [] };
}

function editedFormats(system: System): readonly ManifestFormat[] {
  return manifestFormats.filter((it) => it.system === system && it.record === undefined);
}
