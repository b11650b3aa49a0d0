import { cooldownFiles, updateServiceFiles } from '../../engine/ecosystems/cooldowns.ts';
import { formatOf } from '../../engine/ecosystems/manifest-formats.ts';
import { registryReaders } from '../../engine/ecosystems/registries.ts';
import { projectFileName } from '../../engine/model/project.ts';
import { systems } from '../../engine/model/system.ts';
import { ownersFile } from '../owners.ts';

/** Why a file of a repository is brought to this disk. Settings come first: without them, names that stay private would be sent. */
export type WantedKind = 'settings' | 'manifest' | 'other';

const settingsNames: readonly string[] = [
  ...Object.values(registryReaders).flatMap((it) => it.above),
  ...systems.flatMap(cooldownFiles),
  ...updateServiceFiles,
];

/**
 * Which files of a repository are brought: manifests, lockfiles, registry settings, project files and owners. A file that
 * one of them names is brought when it is read.
 * @param paths all of the repository, with `/`
 */
export function wantedFiles(paths: Iterable<string>): (path: string) => WantedKind {
  const projects = new Set<string>();
  for (const it of paths) if (/\.(?:cs|fs|vb)proj$/i.test(it)) projects.add(folderOf(it));
  return (path) => {
    if (isSettings(path)) return 'settings';
    const format = formatOf(`/${path}`);
    if (format === undefined || format.record === 'sbom') return 'other';
    // Most C# files belong to a project, and then they declare no packages.
    if (path.endsWith('.cs') && hasProjectAbove(path, projects)) return 'other';
    return 'manifest';
  };
}

function isSettings(path: string): boolean {
  return (
    ownersFile.test(path) || [projectFileName, ...settingsNames].some((it) => path === it || path.endsWith(`/${it}`))
  );
}

function hasProjectAbove(path: string, projects: ReadonlySet<string>): boolean {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (projects.has(folder)) return true;
    if (folder === '') return false;
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
