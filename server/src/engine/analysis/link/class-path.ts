import { directoryOf, nameOf, pathOf, resolveUri } from '../../base/uri.ts';
import { gradle } from '../../ecosystems/gradle/build-gradle.ts';
import { artifactOfPlugin, kotlinIn } from '../../ecosystems/gradle/plugin-artifacts.ts';
import { pluginMarker } from '../../ecosystems/gradle/values.ts';
import { formatOf } from '../../ecosystems/manifest-formats.ts';
import type { LinkedDependency } from '../../model/evaluated-dependency.ts';
import type { Definition, Dependency, Requirement } from '../../model/manifest.ts';
import type { ManifestChain, ParsedManifest } from '../../model/manifest-chain.ts';
import { Definitions } from './definitions.ts';
import { createLinker } from './linker.ts';
import type { ProjectReader } from './workspace-boms.ts';

/** Builds that plugins may come from. Real settings have one or two. */
const MAX_BUILDS = 4;
/** Projects of one of them. Real ones have up to five. */
const MAX_PROJECTS = 10;

const scriptNames: readonly string[] = ['build.gradle', 'build.gradle.kts'];
const settingsNames: readonly string[] = ['settings.gradle', 'settings.gradle.kts'];
/** The script of a plugin. */
const pluginScript = /^(.*\/)src\/main\/(?:kotlin|groovy)\/.*\.gradle(?:\.kts)?$/;
const kotlinGroup = 'managed:org.jetbrains.kotlin:';

/**
 * The versions that plugins without one have from the class path of their scripts, as definitions that a script has behind
 * its own: of `buildscript` and `plugins` in parents, of buildSrc, and of the builds that plugins come from. Those of Kotlin
 * are those of its libraries, too.
 */
export async function versionsOnClassPath(chain: ManifestChain, reading: ProjectReader): Promise<ParsedManifest[]> {
  const open = openIds(chain);
  if (open.plugins.size + open.kotlin.size === 0) return [];
  const entries = new Map<string, LinkedDependency>();
  for await (const it of classPathOf(chain, reading)) {
    const isBetter = entries.get(it.key.name)?.requirement.kind !== 'text' && it.requirement.kind === 'text';
    if (isBetter || !entries.has(it.key.name)) entries.set(it.key.name, it);
  }
  const names = [...entries].flatMap(([name, it]) => (isManaged(it) ? [] : [name]));
  const found: ParsedManifest[] = [];
  const add = (id: string, name: string | undefined, isPlugin: boolean): void => {
    const entry = name === undefined ? undefined : entries.get(name);
    if (entry) found.push(definedBy(id, entry, isPlugin));
  };
  for (const it of open.plugins) add(`managed:${pluginMarker(it)}`, artifactOfPlugin(it, names), true);
  for (const it of open.kotlin) add(it, kotlinIn(names), false);
  return found;
}

/** Whether what would say the version is not known either: in a catalog, too. */
function isManaged({ requirement, dependency }: LinkedDependency): boolean {
  const written = dependency.requirement;
  return (
    requirement.kind !== 'text' && written.kind === 'reference' && /^(?:managed|plugin|library):/.test(written.to.id)
  );
}

/** What has no version yet. */
interface OpenIds {
  /** The ids of plugins. */
  readonly plugins: ReadonlySet<string>;
  /** The ids of definitions. */
  readonly kotlin: ReadonlySet<string>;
  readonly hasLibraries: boolean;
}

/** What has no version in the files of a chain. */
export function openIds(chain: ManifestChain): OpenIds {
  const plugins = new Set<string>();
  const kotlin = new Set<string>();
  let hasLibraries = false;
  const definitions = new Definitions(chain.files);
  for (const { requirement, nameParts, key, group } of chain.files[0]?.manifest.dependencies ?? []) {
    if (requirement.kind !== 'reference' || definitions.textOf(requirement)?.kind === 'text') continue;
    const isPlugin = group === 'plugins';
    hasLibraries ||= !isPlugin && /^(?:managed|library):/.test(requirement.to.id);
    const name = nameParts ? definitions.join(nameParts) : { kind: 'text' as const, text: key.name };
    if (name.kind !== 'text') continue;
    if (isPlugin) plugins.add(name.text.slice(0, name.text.indexOf(':')));
    else if (name.text.startsWith(kotlinGroup.slice('managed:'.length))) kotlin.add(`managed:${name.text}`);
  }
  return { plugins, kotlin, hasLibraries };
}

async function* classPathOf(chain: ManifestChain, reading: ProjectReader): AsyncGenerator<LinkedDependency> {
  const [document] = chain.files;
  for (const file of chain.files) {
    if (file.format.id !== document?.format.id || !isScript(file)) continue;
    const isParent = file !== document;
    yield* linkedIn(file, isParent ? undefined : chain, reading, ({ group }) =>
      group === 'plugins' ? isParent : group?.startsWith('buildscript') === true,
    );
  }
  for await (const it of pluginProjects(chain, reading)) {
    yield* linkedIn(
      it,
      undefined,
      reading,
      ({ group = '', scope }) => scope !== 'dev' && !/^(?:plugins|buildscript)/.test(group),
    );
  }
}

function isScript({ uri }: ParsedManifest): boolean {
  return scriptNames.includes(nameOf(uri)) || uri.endsWith('.gradle') || uri.endsWith('.gradle.kts');
}

/** Some dependencies of a script, as its own chain says. */
async function* linkedIn(
  file: ParsedManifest,
  chain: ManifestChain | undefined,
  reading: ProjectReader,
  isOn: (dependency: Dependency) => boolean,
): AsyncGenerator<LinkedDependency> {
  const own = file.manifest.dependencies.filter(isOn);
  if (own.length === 0) return;
  const link = createLinker(
    chain ?? { files: await reading.readChain(file), constraints: [], included: [], missing: [] },
  );
  yield* own.flatMap(link).filter((it) => it.requirement.kind !== 'source');
}

/** The scripts of the projects that make the plugins of a build. */
export async function* pluginProjects(chain: ManifestChain, reading: ProjectReader): AsyncGenerator<ParsedManifest> {
  const [document] = chain.files;
  if (document === undefined) return;
  const settings = chain.files.find((it) => settingsNames.includes(nameOf(it.uri)));
  const root = directoryOf(settings?.uri ?? document.uri);
  const own = pluginScript.exec(document.uri)?.[1];
  const included = directoriesOf(settings, settingsNames).slice(0, MAX_BUILDS);
  const seen = new Set<string>();
  for (const build of [
    ...(own === undefined ? [] : [own]),
    ...['buildSrc', ...included].map((it) => resolveUri(root, `${it}/`)),
  ]) {
    let projects: readonly string[] = [];
    for (const it of settingsNames) {
      const its = build === root ? undefined : await reading.readManifest(build + it);
      if (its === undefined) continue;
      projects = directoriesOf(its, scriptNames);
      // They may say where what is on its class path comes from.
      await reading.readChain(its);
    }
    for (const project of [build, ...projects.slice(0, MAX_PROJECTS).map((it) => resolveUri(build, `${it}/`))]) {
      for (const it of scriptNames) {
        if (seen.has(project + it)) continue;
        seen.add(project + it);
        const script = await reading.readManifest(project + it);
        if (script) yield script;
      }
    }
  }
}

/** The directories that a script of settings lists, by the files in them. */
function directoriesOf(settings: ParsedManifest | undefined, [name = '']: readonly string[]): readonly string[] {
  return (settings?.manifest.modules ?? []).flatMap((it) =>
    it.endsWith(`/${name}`) ? [it.slice(0, -name.length - 1)] : [],
  );
}

/** The version of an entry, in the file that it is written in. */
function definedBy(
  id: string,
  { key, requirement, uri, span, dependency }: LinkedDependency,
  isPlugin: boolean,
): ParsedManifest {
  const place = requirement.kind === 'text' ? requirement.place : undefined;
  const composed: Requirement =
    requirement.kind === 'text' ? { kind: 'template', parts: [requirement.text], span } : dependency.requirement;
  const definition: Definition = {
    id,
    span: place?.at.span ?? span,
    value: place ? { kind: 'literal', at: place.at } : composed,
    // What a platform says of Kotlin's libraries counts before.
    ...(isPlugin ? { key } : { isRarelyActive: true }),
    ...(place?.frozen !== undefined && { frozen: place.frozen }),
  };
  return {
    uri: place?.uri ?? uri,
    format: formatOf(pathOf(place?.uri ?? uri)) ?? gradle,
    manifest: { dependencies: [], definitions: [definition], references: [], problems: [] },
  };
}
