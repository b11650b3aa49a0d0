import { sameUri } from '../../base/uri.ts';
import { gradle } from '../../ecosystems/gradle/build-gradle.ts';
import { versionCatalog } from '../../ecosystems/gradle/version-catalog.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import { openIds, versionsOnClassPath } from '../link/class-path.ts';
import { type BuildReader, managedByPlugins, pluginsOf } from '../link/convention-plugins.ts';

/** Documents whose builds are remembered. */
const MAX_DOCUMENTS = 200;

/** What was read so far for a document. */
interface ReadSoFar<T> {
  readonly touched: Set<string>;
  readonly texts: Map<string, string>;
  readonly chainFiles: Map<string, T>;
}

interface KnownBuild {
  readonly key: string;
  readonly files: BuildFiles;
  readonly touched: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
  readonly chainFiles: ReadonlyMap<string, unknown>;
}

interface BuildFiles {
  /** Behind the document. */
  readonly near: readonly ParsedManifest[];
  /** Behind all files. */
  readonly far: readonly ParsedManifest[];
  /** The code of the build has more files than are read. */
  readonly isCut?: true;
}

const NONE: BuildFiles = { near: [], far: [] };

/**
 * What the builds of plugins say of a Gradle script: dozens of files, of which none changes while a person types in
 * another one.
 */
export class KnownBuilds {
  readonly #known = new Map<string, KnownBuild>();

  /** Some files were changed, created or deleted. */
  forget(uris: readonly string[]): void {
    for (const [document, { touched }] of this.#known)
      if (uris.some((it) => touched.has(sameUri(it)) || isCode.test(it))) this.#known.delete(document);
  }

  forgetAll(): void {
    this.#known.clear();
  }

  async filesFor<T>(chain: ManifestChain, reading: BuildReader, read: ReadSoFar<T>): Promise<BuildFiles> {
    const [document] = chain.files;
    if (document?.format.id === versionCatalog.id) return { ...NONE, far: await managedByPlugins(chain, reading) };
    if (document?.format.id !== gradle.id) return NONE;
    const key = keyOf(chain, document);
    if (key === undefined) return NONE;
    const before = this.#known.get(document.uri);
    if (before?.key === key) {
      for (const it of before.touched) read.touched.add(it);
      for (const [uri, text] of before.texts) if (!read.texts.has(uri)) read.texts.set(uri, text);
      for (const [uri, it] of before.chainFiles) if (!read.chainFiles.has(uri)) read.chainFiles.set(uri, it as T);
      if (before.files.isCut) reading.onTooMany();
      return before.files;
    }
    const state = { isCut: false };
    const counting: BuildReader = {
      ...reading,
      onTooMany() {
        state.isCut = true;
        reading.onTooMany();
      },
    };
    const near = await versionsOnClassPath(chain, reading);
    const far = await managedByPlugins({ ...chain, files: [document, ...near, ...chain.files.slice(1)] }, counting);
    const own = sameUri(document.uri);
    // Places in the document itself move with each change, and its class path may be another one.
    const isOwn = document.manifest.dependencies.some((it) => it.group?.startsWith('buildscript'));
    if (!isOwn && ![...near, ...far].some((it) => sameUri(it.uri) === own)) {
      if (this.#known.size >= MAX_DOCUMENTS) this.#known.clear();
      const touched = new Set(read.touched);
      touched.delete(own);
      const texts = new Map(read.texts);
      texts.delete(document.uri);
      const chainFiles = new Map(read.chainFiles);
      chainFiles.delete(own);
      const files = { near, far, ...(state.isCut && { isCut: true as const }) };
      this.#known.set(document.uri, { key, files, touched, texts, chainFiles });
    }
    return { near, far };
  }
}

/** Code of a build, which may be a new plugin. */
const isCode = /\/src\/main\/(?:kotlin|java|groovy)\//;

/** What the files of a build are read for; undefined if for nothing. */
function keyOf(chain: ManifestChain, document: ParsedManifest): string | undefined {
  const { plugins, kotlin, hasLibraries } = openIds(chain);
  if (plugins.size + kotlin.size === 0 && !hasLibraries) return undefined;
  const files = chain.files.map((it) => it.uri);
  return JSON.stringify([files, [...plugins], [...kotlin], hasLibraries, [...pluginsOf(document, chain)]]);
}
