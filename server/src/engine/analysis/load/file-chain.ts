import { truncate } from '../../base/text.ts';
import type { Unreadable } from '../../base/unreadable.ts';
import { directoryOf, relativeTo, resolveUri, sameUri } from '../../base/uri.ts';
import { gradle } from '../../ecosystems/gradle/build-gradle.ts';
import { manifestFormats } from '../../ecosystems/manifest-formats.ts';
import { asOwnVersions, optionFiles, readBuildOptions, withOptions } from '../../ecosystems/maven/build-options.ts';
import { pom } from '../../ecosystems/maven/pom.ts';
import { memberPatterns } from '../../ecosystems/member-patterns.ts';
import { includedOptions, readResponseFile, responseFile } from '../../ecosystems/nuget/build/response-file.ts';
import { msbuildImport, msbuildProject } from '../../ecosystems/nuget/msbuild.ts';
import { requirementsTxt } from '../../ecosystems/python/requirements.ts';
import type { FileRef, ManifestFormat } from '../../model/manifest.ts';
import type { BuildOptions, ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import type { Files } from '../../model/ports.ts';
import type { BuildReader } from '../link/convention-plugins.ts';
import { workspaceBoms } from '../link/workspace-boms.ts';
import type { ChainFile, MutableChain, StartOptions } from './chain-files.ts';
import type { ManifestReader } from './file-reader.ts';
import { FileReads } from './file-reads.ts';
import { isElsewhere, qualifyCatalogIds, referencedUris, resolveComposed } from './file-references.ts';
import { FilesBelowReader } from './files-below.ts';
import { filesAroundProject } from './msbuild-files.ts';
import { patchesOf } from './patches.ts';
import { MAX_PATH_LENGTH, nearestOptions } from './settings-files.ts';

/** Files in one chain. Real ones stay below 20; a circle ends here. */
const MAX_FILES = 200;
/** Files probed for one manifest, whether they exist or not: each is an access to the disk. */
const MAX_LOOKUPS = 1000;
/** Characters of all files in a chain; the last one is read completely. */
const MAX_CHAIN_LENGTH = 8 * 1024 * 1024;
/** Files whose paths have names that the one before defines. Real builds have two. */
const MAX_COMPOSED = 5;
/** Unreadable files reported for one manifest. Real ones name one or two. */
const MAX_REPORTED_MISSING = 20;

/** Reads the chain of a document and records every probed address: a change at one of them makes the chain outdated. */
export class FileChainReader extends FileReads {
  readonly texts = new Map<string, string>();
  /** By `sameUri`: the files of the chain, including those that could not be read. */
  readonly chainFiles = new Map<string, ChainFile>();
  readonly #below: FilesBelowReader;
  /** Characters of the chain so far. */
  #length = 0;
  #lookups = 0;

  constructor(files: Files, reader: ManifestReader) {
    super(files, reader);
    this.#below = new FilesBelowReader(files, reader, this);
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
    const own = this.reader.manifest(uri, format, text);
    const manifest = more.length === 0 ? own : { ...own, references: [...own.references, ...more] };
    const document: ParsedManifest = { uri, format, manifest };
    const chain = await this.#chainUnder(document);
    const reading: BuildReader = {
      readManifest: (it) => this.readManifest(it, format),
      readChain: async (it) => {
        // Only the matching projects belong to the chain.
        const itsText = await this.readText(it.uri);
        if (itsText !== undefined) this.#addFile(it.uri, it.format, itsText);
        return (await this.#readChainOf(it)).files;
      },
      readReferenced: async (from, ref) => (await this.#readReferenced(from, ref))[0],
      find: (directory, matches, most, depth) =>
        (this.files.inRepository ?? this.files).find(directory, matches, most, depth),
      onTooMany: () => {
        chain.truncatedAt ??= { uri, span: { start: 0, end: 0 } };
      },
    };
    const boms = await workspaceBoms(chain, reading);
    const { near, far } = await this.reader.builds.filesFor(chain, reading, this);
    chain.files.splice(1, 0, ...near);
    chain.files.push(...far);
    const patches = await patchesOf(chain.files, this.files.inRepository ?? this.files);
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
      const found = await nearestOptions(this, uri, [responseFile], includedOptions);
      const before = found.flatMap((it) => readResponseFile(it.uri, it.text));
      return { texts: found, options: { before, behind: [] } };
    }
    if (format.id !== pom.id) return undefined;
    const variables = this.reader.buildsHere ? ((await this.files.machine?.('MAVEN'))?.variables ?? []) : [];
    const near = await nearestOptions(this, uri, optionFiles);
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
      read: (uri) => this.readManifest(uri, msbuildImport),
      find: (directory, matches, most) => {
        this.touched.add(sameUri(directory));
        return (this.files.inRepository ?? this.files).find(directory, matches, most, 0);
      },
    });
    for (const { uri, format } of [...after, ...before]) this.#addFile(uri, format, this.texts.get(uri) ?? '');
    chain.files.push(...before);
    const { options } = chain;
    if (after.length > 0)
      chain.options = { before: [...(options?.before ?? []), ...after], behind: options?.behind ?? [] };
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
        if (isContinued || (ref.span && this.reader.formatOf(parsed.uri) === undefined)) included.push(parsed);
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
      const text = ref.lists ? await this.tryReadInRepository(candidate) : await this.tryRead(candidate);
      if (typeof text !== 'string') {
        const isFolder = ref.folder !== undefined && text?.why === 'no file';
        if (text && !isFolder)
          this.chainFiles.set(sameUri(candidate), { uri: candidate, format: format.id, text: '', unreadable: text });
        continue;
      }
      if (ref.beside && !(await this.#hasBeside(candidate, ref.beside))) continue;
      const manifest = this.reader.manifest(candidate, format, text);
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
    for (const it of names) if ((await this.tryRead(directoryOf(uri) + it)) !== undefined) return true;
    return false;
  }

  #addFile(uri: string, { id }: ManifestFormat, text: string): void {
    this.texts.set(uri, text);
    this.chainFiles.set(sameUri(uri), { uri, format: id, text });
  }

  #addUnreadable(from: string, { path, format }: FileRef, unreadable: Unreadable): void {
    const uri = resolveUri(directoryOf(from), path.slice(0, MAX_PATH_LENGTH));
    if (!this.chainFiles.has(sameUri(uri))) this.chainFiles.set(sameUri(uri), { uri, format, text: '', unreadable });
  }
}

/** Starts to read a document and its chain. */
export function startReading(reader: ManifestReader, files = reader.files): FileChainReader {
  return new FileChainReader(files, reader);
}
