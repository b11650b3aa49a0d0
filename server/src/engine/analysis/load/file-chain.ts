import { truncate } from '../../base/text.ts';
import { directoryOf, nameOf, relativeTo, resolveUri, sameUri, upwardFrom } from '../../base/uri.ts';
import { gradle } from '../../ecosystems/gradle/build-gradle.ts';
import { lockfileFormats } from '../../ecosystems/lockfile-formats.ts';
import { manifestFormats } from '../../ecosystems/manifest-formats.ts';
import { asOwnVersions, optionFiles, readBuildOptions, withOptions } from '../../ecosystems/maven/build-options.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { memberPatterns } from '../../ecosystems/member-patterns.ts';
import { includedOptions, readResponseFile, responseFile } from '../../ecosystems/nuget/build/response-file.ts';
import { msbuildImport, msbuildProject } from '../../ecosystems/nuget/msbuild.ts';
import { compiledFormats } from '../../ecosystems/python/compiled.ts';
import { requirementsTxt } from '../../ecosystems/python/requirements.ts';
import { isNoLockfile } from '../../ecosystems/shared/lockfile.ts';
import {
  clientIn,
  clientManifest,
  nameOfClient,
  settingsOfClients,
  writerOf,
} from '../../ecosystems/workspace-clients.ts';
import type { FileRef, ManifestFormat } from '../../model/manifest.ts';
import type {
  BuildOptions,
  ClosedLockfile,
  FoundLockfile,
  ManifestChain,
  ParsedManifest,
} from '../../model/manifest-chain.ts';
import { type Files, textOf, type Unreadable } from '../../model/ports.ts';
import { type Project, projectFileName } from '../../model/project.ts';
import type { RegistryReader, RegistrySource } from '../../model/registry.ts';
import type { ProjectFile } from '../../policy/project-file.ts';
import type { BuildReader } from '../link/convention-plugins.ts';
import { workspaceBoms } from '../link/workspace-boms.ts';
import type { ChainFile, LocatedSource, MutableChain, SettingsSearch, StartOptions } from './chain-files.ts';
import type { ManifestReader } from './file-reader.ts';
import { isElsewhere, qualifyCatalogIds, referencedUris, resolveComposed } from './file-references.ts';
import { FilesBelowReader } from './files-below.ts';
import { filesAroundProject } from './msbuild-files.ts';
import { patchesOf } from './patches.ts';

/** Files in one chain. Real ones stay below 20; a circle ends here. */
const MAX_FILES = 200;
/** Files probed for one manifest, whether they exist or not: each is an access to the disk. */
const MAX_LOOKUPS = 1000;
/** Characters of all files in a chain; the last one is read completely. */
const MAX_CHAIN_LENGTH = 8 * 1024 * 1024;
/** In characters: no file has a longer path. Source: PATH_MAX of Linux. */
const MAX_PATH_LENGTH = 4096;

/** Registry settings files of one directory with their includes. Real ones are two or three. */
const MAX_SETTINGS_FILES = 20;
/** Where those are looked for. */
const MAX_SETTINGS_PLACES = 100;
/** Characters of options that a build is always started with. Real ones have some hundred. */
const MAX_OPTIONS_LENGTH = 10_000;
/** Files whose paths have names that the one before defines. Real builds have two. */
const MAX_COMPOSED = 5;
/** Unreadable files reported for one manifest. Real ones name one or two. */
const MAX_REPORTED_MISSING = 20;

/** Reads the chain of a document and records every probed address: a change at one of them makes the chain outdated. */
export class FileChainReader {
  readonly touched = new Set<string>();
  readonly texts = new Map<string, string>();
  /** By `sameUri`: the files of the chain, including those that could not be read. */
  readonly chainFiles = new Map<string, ChainFile>();
  readonly #files: Files;
  readonly #reader: ManifestReader;
  /** Reads in progress. */
  readonly #below: FilesBelowReader;
  readonly #prefetched = new Map<string, Promise<string | Unreadable | undefined>>();
  readonly #reads = new Map<string, Promise<string | Unreadable | undefined>>();
  /** Characters of the chain so far. */
  #length = 0;
  #lookups = 0;

  constructor(files: Files, reader: ManifestReader) {
    this.#files = files;
    this.#reader = reader;
    this.#below = new FilesBelowReader(files, reader, this);
  }

  /** Starts several reads at once: one after the other would multiply the latency of a slow disk. */
  prefetch(uris: readonly string[]): void {
    for (const uri of uris) {
      const text = this.#startReadInRepository(uri);
      // Callers that need the text handle the error.
      text.catch(() => undefined);
      this.#prefetched.set(uri, text);
    }
  }

  /**
   * The document and everything it refers to.
   * @param more further references
   */
  async chain(
    uri: string,
    format: ManifestFormat,
    text: string,
    more: readonly FileRef[] = [],
  ): Promise<ManifestChain> {
    this.touched.add(sameUri(uri));
    this.#addFile(uri, format, text);
    this.#length = text.length;
    const own = this.#reader.manifest(uri, format, text);
    const manifest = more.length === 0 ? own : { ...own, references: [...own.references, ...more] };
    const document: ParsedManifest = { uri, format, manifest };
    const chain = await this.#chainUnder(document);
    const reading: BuildReader = {
      readManifest: (it) => this.#readManifest(it, format),
      readChain: async (it) => {
        // Only the matching projects belong to the chain.
        const itsText = await this.#readText(it.uri);
        if (itsText !== undefined) this.#addFile(it.uri, it.format, itsText);
        return (await this.#readChainOf(it)).files;
      },
      readReferenced: async (from, ref) => (await this.#readReferenced(from, ref))[0],
      find: (directory, matches, most, depth) =>
        (this.#files.inRepository ?? this.#files).find(directory, matches, most, depth),
    };
    const boms = await workspaceBoms(chain, reading);
    const { near, far } = await this.#reader.builds.filesFor(chain, reading, this);
    chain.files.splice(1, 0, ...near);
    chain.files.push(...far);
    const patches = await patchesOf(chain.files, this.#files.inRepository ?? this.#files);
    for (const it of patches.uris) this.touched.add(sameUri(it));
    return { ...chain, boms, ...(patches.ids.length > 0 && { patched: patches.ids }) };
  }

  /** The chain of a file. */
  async #readChainOf(file: ParsedManifest, options?: BuildOptions): Promise<MutableChain> {
    const parts = { constraints: [], included: [], missing: [], elsewhere: [] };
    const chain: MutableChain = { files: [file], ...parts, ...(options && { options }) };
    await this.#followReferences(file, chain, false);
    return chain;
  }

  /** The options that Maven or MSBuild is always started with: those of the nearest directory that has some. */
  async #optionsOf({ uri, format }: ParsedManifest): Promise<StartOptions | undefined> {
    if (format.system === 'NUGET' && format.record === undefined) {
      const found = await this.#nearestOptions(uri, [responseFile], includedOptions);
      const before = found.flatMap((it) => readResponseFile(it.uri, it.text));
      return { texts: found, options: { before, behind: [] } };
    }
    if (format.id !== pom.id) return undefined;
    const variables = this.#reader.buildsHere ? ((await this.#files.machine?.('MAVEN'))?.variables ?? []) : [];
    const near = await this.#nearestOptions(uri, optionFiles);
    return { texts: near, ...readBuildOptions([...variables, ...near]) };
  }

  /** Reads a chain under options, of which the last word on some properties may stand in files behind a project. */
  async #chainUnder(document: ParsedManifest): Promise<MutableChain> {
    const found = await this.#optionsOf(document);
    const chain = await this.#readChainOf(document, found?.options);
    if (document.format.id === msbuildProject.id) await this.#addFilesAround(chain);
    const { before = [], behind = [] } = chain.options ?? {};
    if (found === undefined || before.length + behind.length === 0) {
      const { options, ...rest } = chain;
      return rest;
    }
    for (const { uri, text } of found.texts) this.texts.set(uri, text);
    const { start } = found;
    if (start === undefined) return chain;
    const files = chain.files.map((it) => withOptions(it, this.texts.get(it.uri) ?? '', start));
    return { ...chain, files, options: asOwnVersions({ before, behind }, files) };
  }

  async #addFilesAround(chain: MutableChain): Promise<void> {
    const { after, before } = await filesAroundProject(chain, {
      read: (uri) => this.#readManifest(uri, msbuildImport),
      find: (directory, matches, most) => {
        this.touched.add(sameUri(directory));
        return (this.#files.inRepository ?? this.#files).find(directory, matches, most, 0);
      },
    });
    for (const { uri, format } of [...after, ...before]) this.#addFile(uri, format, this.texts.get(uri) ?? '');
    chain.files.push(...before);
    const { options } = chain;
    if (after.length > 0)
      chain.options = { before: [...(options?.before ?? []), ...after], behind: options?.behind ?? [] };
  }

  async #nearestOptions(
    uri: string,
    labels: readonly string[],
    filesNamedBy: NonNullable<RegistryReader['filesNamedBy']> = () => [],
  ): Promise<readonly LocatedSource[]> {
    const names = labels.map((label) => ({ name: nameOf(label), label }));
    for (const directory of upwardFrom(directoryOf(uri))) {
      const found = await this.#settingsFrom(directory, names, filesNamedBy, MAX_OPTIONS_LENGTH);
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The lockfiles that serve the document of a chain, nearest first, and those of them that cannot be read. */
  async lockfiles({ files }: ManifestChain): Promise<{
    readonly lockfiles: readonly FoundLockfile[];
    readonly closedLockfiles: readonly ClosedLockfile[];
    /** The package manager of the project, as far as its files name one. */
    readonly client?: string;
  }> {
    const none = { lockfiles: [], closedLockfiles: [] };
    const [document] = files;
    if (document === undefined) return none;
    const { uri, format, manifest } = document;
    const rows = lockfileFormats
      .filter((it) => it.serves.includes(format.id))
      .flatMap((it) => [it, ...(it.others?.(manifest) ?? [])])
      .concat(format.system === 'PYPI' ? compiledFormats(nameOf(uri), format.id) : []);
    if (rows.length === 0) return none;
    const own = directoryOf(uri);
    const found: FoundLockfile[] = [];
    const closed: ClosedLockfile[] = [];
    for (const directory of upwardFrom(own)) {
      for (const row of rows) {
        if (directory !== own && !row.below) continue;
        const address = directory + row.id;
        const text = await this.#tryReadInRepository(address);
        const isRead = found.some((it) => it.directory + it.format.id === address);
        if (text === undefined || isRead || sameUri(address) === sameUri(uri)) continue;
        const others = (row.beside?.files ?? []).map((it) => this.#tryReadInRepository(directory + it));
        const beside = row.beside?.read((await Promise.all(others)).map(textOf));
        const lockfile = typeof text === 'string' ? this.#reader.lockfile(address, row, text, beside) : undefined;
        // Under a name that manifests have as well.
        if (row.opened.record !== 'lockfile' && lockfile?.isOf?.(relativeTo(directory, uri) ?? '') !== true) continue;
        if (typeof text !== 'string') closed.push({ uri: address, format: row, unreadable: text });
        else if (lockfile && isNoLockfile(lockfile, text)) {
          closed.push({ uri: address, format: row, unreadable: { why: 'no lockfile' } });
        } else if (lockfile)
          found.push({
            format: row.asWritten?.(text) ?? row,
            directory,
            lockfile,
            text,
            ...(beside !== undefined && { beside }),
          });
      }
      if (found.length + closed.length > 0) break;
    }
    const writers = new Set(found.map((it) => writerOf(it.format.id)));
    if (writers.size === 1) {
      // Of others there is one kind.
      const [first] = writers.has('yarn') && manifest.client === undefined ? found : [];
      const written = first && clientIn(first.format.id, first.text);
      return { lockfiles: found, closedLockfiles: closed, ...(written !== undefined && { client: written }) };
    }
    const client = format.system === 'NPM' ? await this.#clientOf(files, found[0]?.directory) : manifest.client;
    // Of several package managers' all count where nothing decides.
    const ofClient = found.filter((it) => writerOf(it.format.id) === (client && nameOfClient(client)));
    const lockfiles = ofClient.length > 0 ? ofClient : found;
    return { lockfiles, closedLockfiles: closed, ...(client !== undefined && { client }) };
  }

  /**
   * The package manager that a project names, or whose settings lie at its root.
   * @param locked the directory of its lockfile
   */
  async #clientOf(files: readonly ParsedManifest[], locked: string | undefined): Promise<string | undefined> {
    const root = files.findLast((it) => it.format.id === clientManifest.id) ?? files[0];
    const directory = locked ?? directoryOf(root?.uri ?? '');
    const beside = `${directory}package.json`;
    const other = files.some((it) => sameUri(it.uri) === sameUri(beside))
      ? undefined
      : await this.#readManifest(beside, clientManifest);
    let client = [...files, ...(other ? [other] : [])].map((it) => it.manifest.client).find((it) => it !== undefined);
    for (const [settings, by] of client === undefined ? settingsOfClients : [])
      if (typeof (await this.#tryReadInRepository(directory + settings)) === 'string') client ??= by;
    return client;
  }

  /**
   * The settings files in the directory of a file and above, nearest first, with their includes.
   * @param length characters read of each
   * @param exclude files to skip, by `sameUri`
   * @param extraFiles further names
   */
  async settingsAbove(
    uri: string,
    { above, filesNamedBy = () => [] }: Pick<RegistryReader, 'above' | 'filesNamedBy'>,
    { length, exclude, extraFiles = [] }: SettingsSearch,
  ): Promise<LocatedSource[]> {
    const found: LocatedSource[] = [];
    for (const directory of upwardFrom(above.length + extraFiles.length > 0 ? directoryOf(uri) : undefined)) {
      const own = above.filter((it) => !exclude.has(sameUri(directory + it)));
      const open = [...extraFiles, ...own.map((it) => ({ name: nameOf(it), label: it }))];
      found.push(...(await this.#settingsFrom(directory, open, filesNamedBy, length)));
    }
    return found;
  }

  /** The settings files of some names around a file, before a change that may not loosen them. */
  settingsBefore(uri: string, names: readonly string[]): LocatedSource[] {
    return [...this.#reader.settingsBefore].flatMap(([address, text]) => {
      const label = names.find((it) => address.endsWith(`/${it}`));
      const directory = label === undefined ? undefined : address.slice(0, -label.length);
      const isAround = directory !== undefined && relativeTo(directory, directoryOf(uri)) !== undefined;
      return label !== undefined && isAround ? [{ name: nameOf(label), label, text, uri: address }] : [];
    });
  }

  /** Those in the outermost directory that may be read, where that is known. */
  async settingsAtTop(uri: string, names: readonly string[], length: number): Promise<LocatedSource[]> {
    const top = this.#files.inRepository?.top;
    if (top === undefined) return this.settingsAbove(uri, { above: names }, { length, exclude: new Set() });
    const directory = await top(uri);
    if (directory === undefined) return [];
    this.prefetch(names.map((it) => directory + it));
    const open = names.map((it) => ({ name: nameOf(it), label: it }));
    return this.#settingsFrom(directory, open, () => [], length);
  }

  /** The settings files that a chain file includes. */
  async settingsNamedBy(
    { uri }: ChainFile,
    source: RegistrySource,
    { filesNamedBy }: RegistryReader,
    length: number,
  ): Promise<LocatedSource[]> {
    const named = filesNamedBy?.(source) ?? [];
    const others = named.filter((it) => !this.chainFiles.has(sameUri(resolveUri(directoryOf(uri), it.label))));
    return filesNamedBy && others.length > 0
      ? this.#settingsFrom(directoryOf(uri), others.slice(0, MAX_SETTINGS_FILES), filesNamedBy, length)
      : [];
  }

  async #settingsFrom(
    directory: string,
    first: readonly Pick<RegistrySource, 'name' | 'label'>[],
    leads: NonNullable<RegistryReader['filesNamedBy']>,
    length: number,
  ): Promise<LocatedSource[]> {
    const found: LocatedSource[] = [];
    const open = [...first];
    for (const it of open) {
      if (it.label.length > MAX_PATH_LENGTH) continue;
      const address = resolveUri(directory, it.label);
      const read = await this.#tryReadInRepository(address);
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
      const more = leads({ ...it, text }).filter(({ label }) => !open.some((one) => one.label === label));
      // Of the places where one may lie most are empty.
      const room = Math.max(0, MAX_SETTINGS_PLACES - open.length);
      open.push(...more.slice(0, room));
      for (const left of more.slice(room, room + 1)) {
        found.push({ ...left, uri: address, text: '', unreadable: { why: 'too many' } });
      }
    }
    return found;
  }

  /** Every project file that may declare packages private: the configured one, and all from a directory upward. */
  async projectFiles(uri: string): Promise<LocatedSource[]> {
    const { projectFile } = this.#reader;
    const above = [...upwardFrom(directoryOf(uri))].map((it) => it + projectFileName);
    const found: LocatedSource[] = [];
    for (const address of new Set([...(projectFile === undefined ? [] : [projectFile]), ...above])) {
      const label = nameOf(address);
      const source = { name: projectFileName, label, uri: address };
      const before = this.#reader.projectsBefore?.get(address);
      if (before) found.push({ ...source, text: before.text });
      const read = await this.#tryReadInRepository(address);
      if (read === undefined) continue;
      found.push(typeof read === 'string' ? { ...source, text: read } : { ...source, text: '', unreadable: read });
    }
    return found;
  }

  /** The private packages that a project file declares. */
  privatePackagesIn({ uri, text }: Pick<LocatedSource, 'uri' | 'text'>): Project['privatePackages'] {
    const before = this.#reader.projectsBefore?.get(uri);
    return (before?.text === text ? before : this.#reader.project(uri, text)).project.privatePackages;
  }

  /** The configured project file, or the nearest one from a manifest's directory upward. */
  async project(uri: string): Promise<ProjectFile | undefined> {
    const { projectFile, projectsBefore } = this.#reader;
    const addresses =
      projectFile === undefined ? [...upwardFrom(directoryOf(uri))].map((it) => it + projectFileName) : [projectFile];
    const before = addresses.map((it) => projectsBefore?.get(it)).find((it) => it !== undefined);
    let now: ProjectFile | undefined;
    for (const it of addresses) {
      const text = textOf(await this.#tryReadInRepository(it));
      if (text !== undefined) {
        now = this.#reader.project(it, text);
        break;
      }
    }
    return projectsBefore ? this.#reader.strictProject(before, now) : now;
  }

  /** @param isProject `from` is a project of its own, beside the document */
  async #followReferences(
    from: ParsedManifest,
    chain: MutableChain,
    narrows: boolean,
    isProject = false,
  ): Promise<void> {
    const { references } = from.manifest;
    const composed = references.filter((it) => it.composed);
    const plain = composed.length === 0 ? references : references.filter((it) => !it.composed);
    await this.#follow(plain, from, chain, narrows, isProject);
    if (composed.length === 0) return;
    // What a file includes comes before what it inherits.
    const { files } = chain;
    const known = files.length;
    let open = composed;
    for (let round = 0; open.length > 0 && round < MAX_COMPOSED; round++) {
      const found = open.map((it) => resolveComposed(it, from.uri, chain));
      const resolved = found.filter((it) => it !== undefined);
      open = open.filter((_, at) => found[at] === undefined);
      if (resolved.length === 0) break;
      await this.#follow(resolved, from, chain, narrows, isProject);
    }
    const unknown = open.filter((it) => it.required);
    await this.#follow(unknown, from, chain, narrows, isProject);
    files.splice(files.indexOf(from) + 1, 0, ...files.splice(known));
  }

  async #follow(
    references: readonly FileRef[],
    from: ParsedManifest,
    chain: MutableChain,
    narrows: boolean,
    isProject: boolean,
  ): Promise<void> {
    const { files, constraints, included, missing } = chain;
    for (const ref of references) {
      const cut = { uri: from.uri, span: ref.span ?? { start: 0, end: 0 } };
      if (this.#length > MAX_CHAIN_LENGTH || ++this.#lookups > MAX_LOOKUPS) {
        chain.truncatedAt ??= cut;
        this.#addUnreadable(from.uri, ref, { why: 'too many' });
        return;
      }
      if (ref.path.length > MAX_PATH_LENGTH) continue;
      // An implied file (`Directory.Packages.props`) counts only for the document: the nearest one to it applies.
      if (ref.kind === 'parent' && !ref.span && from !== files[0] && !isProject) continue;
      const found = await (ref.below ? this.#below.read(from.uri, ref, files) : this.#readReferenced(from.uri, ref));
      if (found.length === 0) {
        // An implied file need not exist.
        if (ref.span && missing.length < MAX_REPORTED_MISSING) missing.push(truncate(ref.expects ?? ref.path));
        const host = ref.format === requirementsTxt.id && URL.canParse(ref.path) ? new URL(ref.path).hostname : '';
        // pip fails if such a file is missing: its requirements are unknown, or the versions that it constrains.
        if (host !== '') chain.elsewhere.push({ ...cut, host });
        else if (ref.required || ref.format === requirementsTxt.id) chain.truncatedAt ??= cut;
        continue;
      }
      const narrowing = narrows || ref.kind === 'constraints';
      const list = narrowing ? constraints : files;
      for (const parsed of found) {
        if (list.some((it) => it.uri === parsed.uri)) continue;
        if (files.length + constraints.length >= MAX_FILES) {
          chain.truncatedAt ??= cut;
          this.#addUnreadable(from.uri, ref, { why: 'too many' });
          break;
        }
        list.push(parsed);
        this.#length += this.texts.get(parsed.uri)?.length ?? 0;
        // An import of another format is independent; one of the same format continues the document, but the workspace
        // root does not. What nothing else reads, since its name is that of no manifest, belongs to who names it.
        const isContinued =
          (ref.kind === 'include' || ref.kind === 'constraints') && parsed.format.id === files[0]?.format.id;
        if (isContinued || (ref.span && this.#reader.formatOf(parsed.uri) === undefined)) included.push(parsed);
        await this.#followReferences(parsed, chain, narrowing, ref.kind === 'workspace' && ref.format === gradle.id);
      }
    }
  }

  /** The file that a reference means, or each of them, nearest first. */
  async #readReferenced(uri: string, ref: FileRef): Promise<readonly ParsedManifest[]> {
    const format = manifestFormats.find((it) => it.id === ref.format);
    const found: ParsedManifest[] = [];
    if (format === undefined || isElsewhere(ref)) return found;
    for (const candidate of referencedUris(uri, ref)) {
      if (sameUri(candidate) === sameUri(uri)) continue;
      if (found.length > 0 && ++this.#lookups > MAX_LOOKUPS) break;
      const text = ref.lists ? await this.#tryReadInRepository(candidate) : await this.#tryRead(candidate);
      if (typeof text !== 'string') {
        const isFolder = ref.folder !== undefined && text?.why === 'no file';
        if (text && !isFolder)
          this.chainFiles.set(sameUri(candidate), { uri: candidate, format: format.id, text: '', unreadable: text });
        continue;
      }
      if (ref.beside && !(await this.#hasBeside(candidate, ref.beside))) continue;
      const manifest = this.#reader.manifest(candidate, format, text);
      if (ref.expects !== undefined && manifest.identity !== ref.expects) break;
      const member = relativeTo(directoryOf(candidate), directoryOf(uri));
      if (ref.upward && manifest.members?.includes(member ?? '') === false) break;
      if (ref.lists && !memberPatterns(manifest.packages ?? []).include(member ?? '')) continue;
      this.#addFile(candidate, format, text);
      found.push({
        uri: candidate,
        format,
        manifest: ref.within === undefined ? manifest : qualifyCatalogIds(manifest, ref.within),
      });
      if (!ref.every) break;
    }
    return found;
  }

  async #hasBeside(uri: string, names: readonly string[]): Promise<boolean> {
    for (const it of names) if ((await this.#tryRead(directoryOf(uri) + it)) !== undefined) return true;
    return false;
  }

  async #readManifest(uri: string, format: ManifestFormat): Promise<ParsedManifest | undefined> {
    const text = await this.#readText(uri);
    return text === undefined ? undefined : { uri, format, manifest: this.#reader.manifest(uri, format, text) };
  }

  #addFile(uri: string, { id }: ManifestFormat, text: string): void {
    this.texts.set(uri, text);
    this.chainFiles.set(sameUri(uri), { uri, format: id, text });
  }

  #addUnreadable(from: string, { path, format }: FileRef, unreadable: Unreadable): void {
    const uri = resolveUri(directoryOf(from), path.slice(0, MAX_PATH_LENGTH));
    if (!this.chainFiles.has(sameUri(uri))) this.chainFiles.set(sameUri(uri), { uri, format, text: '', unreadable });
  }

  async #readText(uri: string): Promise<string | undefined> {
    return textOf(await this.#tryRead(uri));
  }

  /** Each once: the chains of a build have most of their places in common. */
  #tryRead(uri: string): Promise<string | Unreadable | undefined> {
    this.touched.add(sameUri(uri));
    const known = this.#reads.get(uri) ?? (this.#files.tryRead ?? this.#files.read)(uri);
    this.#reads.set(uri, known);
    return known;
  }

  /** Reads a file whose name the workspace does not choose: lockfiles, registry settings, the project file. */
  async #tryReadInRepository(uri: string): Promise<string | Unreadable | undefined> {
    this.touched.add(sameUri(uri));
    return this.#prefetched.get(uri) ?? this.#startReadInRepository(uri);
  }

  #startReadInRepository(uri: string): Promise<string | Unreadable | undefined> {
    const files = this.#files.inRepository ?? this.#files;
    return (files.tryRead ?? files.read)(uri);
  }
}
