import { directoryOf, nameOf, upwardFrom } from '../../base/uri.ts';
import { textOf } from '../../model/ports.ts';
import { type Project, projectFileName } from '../../model/project.ts';
import type { ProjectFile } from '../../policy/project-file.ts';
import type { LocatedSource } from './chain-files.ts';
import type { FileReads } from './file-reads.ts';

/** Every project file that may declare packages private: the configured one, and all from a directory upward. */
export async function projectFiles(reading: FileReads, uri: string): Promise<LocatedSource[]> {
  const { projectFile, projectsBefore } = reading.reader;
  const found: LocatedSource[] = [];
  for (const address of new Set([...(projectFile === undefined ? [] : [projectFile]), ...projectFilesAbove(uri)])) {
    const label = nameOf(address);
    const source = { name: projectFileName, label, uri: address };
    const before = projectsBefore?.get(address);
    if (before) found.push({ ...source, text: before.text });
    const read = await reading.tryReadInRepository(address);
    if (read === undefined) continue;
    found.push(typeof read === 'string' ? { ...source, text: read } : { ...source, text: '', unreadable: read });
  }
  return found;
}

/** The private packages that a project file declares. */
export function privatePackagesIn(
  { reader }: FileReads,
  { uri, text }: Pick<LocatedSource, 'uri' | 'text'>,
): Project['privatePackages'] {
  const before = reader.projectsBefore?.get(uri);
  return (before?.text === text ? before : reader.project(uri, text)).project.privatePackages;
}

/** The configured project file, or the nearest one from a manifest's directory upward. */
export async function projectOf(reading: FileReads, uri: string): Promise<ProjectFile | undefined> {
  const { projectFile, projectsBefore } = reading.reader;
  const addresses = projectFile === undefined ? projectFilesAbove(uri) : [projectFile];
  const before = addresses.map((it) => projectsBefore?.get(it)).find((it) => it !== undefined);
  let now: ProjectFile | undefined;
  for (const it of addresses) {
    const text = textOf(await reading.tryReadInRepository(it));
    if (text !== undefined) {
      now = reading.reader.project(it, text);
      break;
    }
  }
  return projectsBefore ? reading.reader.strictProject(before, now) : now;
}

function projectFilesAbove(uri: string): readonly string[] {
  return [...upwardFrom(directoryOf(uri))].map((it) => it + projectFileName);
}
