import { directoryOf, nameOf, relativeTo, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { RegistrySource } from '../../model/registry.ts';
import type { ChainFile, LocatedSource, SettingsSearch } from './chain-files.ts';
import type { ManifestReader } from './file-reader.ts';
import type { FileReads } from './file-reads.ts';

/** Registry settings files of one directory with their includes. Real ones are two or three. */
const MAX_SETTINGS_FILES = 20;
/** Where those are looked for. */
const MAX_SETTINGS_PLACES = 100;
/** Characters of options that a build is always started with. Real ones have some hundred. */
const MAX_OPTIONS_LENGTH = 10_000;
/** In characters: no file has a longer path. Source: PATH_MAX of Linux. */
export const MAX_PATH_LENGTH = 4096;

type FilesNamedBy = NonNullable<RegistryReader['filesNamedBy']>;

/** The files of options that a build is always started with, in the nearest directory that has some. */
export async function nearestOptions(
  reading: FileReads,
  uri: string,
  labels: readonly string[],
  filesNamedBy: FilesNamedBy = () => [],
): Promise<readonly LocatedSource[]> {
  const names = labels.map((label) => ({ name: nameOf(label), label }));
  for (const directory of upwardFrom(directoryOf(uri))) {
    const found = await settingsFrom(reading, directory, names, { filesNamedBy, length: MAX_OPTIONS_LENGTH });
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The settings files in the directory of a file and above, nearest first, with their includes.
 * @param length characters read of each
 * @param exclude files to skip, by `sameUri`
 * @param extraFiles further names
 */
export async function settingsAbove(
  reading: FileReads,
  uri: string,
  { above, filesNamedBy = () => [] }: Pick<RegistryReader, 'above' | 'filesNamedBy'>,
  { length, exclude, extraFiles = [] }: SettingsSearch,
): Promise<LocatedSource[]> {
  const found: LocatedSource[] = [];
  for (const directory of upwardFrom(above.length + extraFiles.length > 0 ? directoryOf(uri) : undefined)) {
    const own = above.filter((it) => !exclude.has(sameUri(directory + it)));
    const open = [...extraFiles, ...own.map((it) => ({ name: nameOf(it), label: it }))];
    found.push(...(await settingsFrom(reading, directory, open, { filesNamedBy, length })));
  }
  return found;
}

/** The settings files of some names around a file, before a change that may not loosen them. */
export function settingsBefore(
  { settingsBefore: before }: ManifestReader,
  uri: string,
  names: readonly string[],
): LocatedSource[] {
  return [...before].flatMap(([address, text]) => {
    const label = names.find((it) => address.endsWith(`/${it}`));
    const directory = label === undefined ? undefined : address.slice(0, -label.length);
    const isAround = directory !== undefined && relativeTo(directory, directoryOf(uri)) !== undefined;
    return label !== undefined && isAround ? [{ name: nameOf(label), label, text, uri: address }] : [];
  });
}

/** Those in the outermost directory that may be read, where that is known. */
export async function settingsAtTop(
  reading: FileReads,
  uri: string,
  names: readonly string[],
  length: number,
): Promise<LocatedSource[]> {
  const top = reading.files.inRepository?.top;
  if (top === undefined) return settingsAbove(reading, uri, { above: names }, { length, exclude: new Set() });
  const directory = await top(uri);
  if (directory === undefined) return [];
  reading.prefetch(names.map((it) => directory + it));
  const open = names.map((it) => ({ name: nameOf(it), label: it }));
  return settingsFrom(reading, directory, open, { filesNamedBy: () => [], length });
}

/**
 * The settings files that a chain file includes.
 */
export async function settingsNamedBy(
  reading: FileReads & { readonly chainFiles: ReadonlyMap<string, ChainFile> },
  { uri }: ChainFile,
  source: RegistrySource,
  { filesNamedBy, length }: { readonly filesNamedBy: FilesNamedBy | undefined; readonly length: number },
): Promise<LocatedSource[]> {
  const directory = directoryOf(uri);
  const named = filesNamedBy?.(source) ?? [];
  const others = named.filter((it) => !reading.chainFiles.has(sameUri(resolveUri(directory, it.label))));
  return filesNamedBy && others.length > 0
    ? settingsFrom(reading, directory, others.slice(0, MAX_SETTINGS_FILES), { filesNamedBy, length })
    : [];
}

async function settingsFrom(
  reading: FileReads,
  directory: string,
  first: readonly Pick<RegistrySource, 'name' | 'label'>[],
  { filesNamedBy, length }: { readonly filesNamedBy: FilesNamedBy; readonly length: number },
): Promise<LocatedSource[]> {
  const found: LocatedSource[] = [];
  const open = [...first];
  for (const it of open) {
    if (it.label.length > MAX_PATH_LENGTH) continue;
    const address = resolveUri(directory, it.label);
    const read = await reading.tryReadInRepository(address);
    if (read === undefined) continue;
    if (found.filter((one) => one.unreadable === undefined).length === MAX_SETTINGS_FILES - 1) {
      found.push({ ...it, uri: address, text: '', unreadable: { why: 'too many' } });
      break;
    }
    if (typeof read !== 'string') {
      found.push({ ...it, uri: address, text: '', unreadable: read });
      continue;
    }
    const text = read.slice(0, length);
    const rest = text.length < read.length && ({ unreadable: { why: 'too long' } } as const);
    found.push({ ...it, uri: address, text, ...rest });
    const more = filesNamedBy({ ...it, text }).filter(({ label }) => !open.some((one) => one.label === label));
    // Of the places where one may lie most are empty.
    const room = Math.max(0, MAX_SETTINGS_PLACES - open.length);
    open.push(...more.slice(0, room));
    for (const left of more.slice(room, room + 1)) {
      found.push({ ...left, uri: address, text: '', unreadable: { why: 'too many' } });
    }
  }
  return found;
}
