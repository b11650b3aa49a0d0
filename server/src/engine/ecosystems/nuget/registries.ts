import { isRecord } from '../../base/text.ts';
import { readPlainJson } from '../../formats/json/plain.ts';
import { parseXml } from '../../formats/xml/parse.ts';
import type { XmlElement } from '../../formats/xml/tree.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry, RegistrySource } from '../../model/registry.ts';
import { distinctRegistries, MAX_PATTERNS, ownRegistries, registryAt } from '../shared/registry-address.ts';
import { addressesInApp, addressesInProject } from './restore-sources.ts';

/** The settings of all files together. */
interface Combined {
  /** By key in lower case. A source that is a folder has no registry. */
  readonly sources: Map<string, Registry | undefined>;
  readonly disabled: Map<string, boolean>;
  /** The patterns of each source, by its key in lower case. */
  readonly mapping: Map<string, { readonly patterns: readonly string[]; readonly from: string }>;
}

/** How a file of C# is known that is an app of its own. */
const oneFile = 'app.cs';

const project = /\.(?:\w+proj|props|targets)$/i;

/**
 * Files count from the farthest to the nearest; a nearer file replaces and clears.
 *
 *     <packageSources>        <clear /> <add key="acme" value="https://…" />
 *     <packageSourceMapping>  <packageSource key="acme"> <package pattern="Acme.*" />
 */
export const nugetRegistries: Omit<RegistryReader, 'accessTo'> = {
  above: [
    'nuget.config',
    'NuGet.config',
    'NuGet.Config',
    // On a case-sensitive file system NuGet finds only these; a team may have both kinds of machines.
    'Nuget.Config',
    'NUGET.CONFIG',
    // Beside a solution.
    '.nuget/nuget.config',
    '.nuget/NuGet.config',
    '.nuget/NuGet.Config',
    'Directory.Build.props',
    'Directory.Build.targets',
    'Directory.Packages.props',
  ],
  filesNamedBy: (source) => (project.test(source.name) ? [...configFiles(source.text), ...imports(source)] : []),
  chainFormats: new Map([
    ...['csproj', 'msbuild', 'Directory.Build.props', 'Directory.Packages.props'].map((it) => [it, 'a.props'] as const),
    ['project.assets.json', 'project.assets.json'] as const,
    ['file-based-app', oneFile] as const,
  ]),
  ownersOf(sources) {
    const combined: Combined = { sources: new Map(), disabled: new Map(), mapping: new Map() };
    for (const source of [...sources].reverse()) {
      if (/^nuget\.config$/i.test(source.name)) combine(source, combined);
    }
    const projects = sources.filter((it) => project.test(it.name));
    const restored = sources.filter((it) => it.name === 'project.assets.json').flatMap(restoredFrom);
    const apps = sources.filter((it) => it.name === oneFile).flatMap(sourcesOfApp);
    const beside = distinctRegistries([
      ...projects.flatMap((it) => [...restoreSources(it), ...unclearConfig(it)]),
      ...restored,
      ...apps,
    ]);
    const active = [...combined.sources].filter(([key]) => combined.disabled.get(key) !== true);
    // Whichever comes first, with several sources a package may come from any of them.
    const all = distinctRegistries(active.flatMap(([, registry]) => registry ?? []));
    const patterns = [...combined.mapping.values()].reduce((sum, it) => sum + it.patterns.length, 0);
    if (patterns > MAX_PATTERNS) combined.mapping.clear();
    const everything = all.length > 1 ? all.map((it) => ({ ...it, isAdditional: true as const })) : all;
    return (asked) => [...(mapped(asked.name, combined) ?? everything), ...beside, ...ownRegistries(asked)];
  },
};

/** The sources that have the longest pattern for a name; undefined where no pattern fits. */
function mapped(name: string, { sources, mapping }: Combined): readonly Registry[] | undefined {
  const id = name.toLowerCase();
  let best = -1;
  let found: Registry[] = [];
  for (const [key, { patterns, from }] of mapping) {
    const rank = patterns.reduce((highest, it) => Math.max(highest, rankOf(it, id)), -1);
    if (rank < 0 || rank < best) continue;
    if (rank > best) found = [];
    best = rank;
    // Packages that are mapped to a folder, or to a source defined elsewhere, are as private as those mapped to a registry.
    found.push(sources.get(key) ?? { from });
  }
  return best < 0 ? undefined : found;
}

/** Exact names before prefixes, long prefixes before short ones; -1 where a pattern does not fit. */
function rankOf(pattern: string, id: string): number {
  if (!pattern.endsWith('*')) return pattern === id ? Number.MAX_SAFE_INTEGER : -1;
  return id.startsWith(pattern.slice(0, -1)) ? pattern.length : -1;
}

function combine({ text, label }: RegistrySource, { sources, disabled, mapping }: Combined): void {
  for (const section of parseXml(text).root?.children ?? []) {
    switch (section.name.toLowerCase()) {
      case 'packagesources':
        entries(section, sources, (it) => registryOf(it, label));
        break;
      case 'disabledpackagesources':
        entries(section, disabled, (it) => /^true$/i.test(attribute(it, 'value').trim()));
        break;
      case 'packagesourcemapping':
        entries(section, mapping, (it) => ({
          patterns: it.children.map((child) => attribute(child, 'pattern').trim().toLowerCase()).filter(Boolean),
          from: label,
        }));
        break;
    }
  }
}

/** `<add>` and `<packageSource>` put something under a key, `<remove>` takes it away, `<clear>` takes everything. */
function entries<T>(section: XmlElement, into: Map<string, T>, read: (it: XmlElement) => T): void {
  for (const it of section.children) {
    const key = attribute(it, 'key').trim().toLowerCase();
    const name = it.name.toLowerCase();
    if (name === 'clear') into.clear();
    else if (name === 'remove') into.delete(key);
    else if (key !== '') into.set(key, read(it));
  }
}

function registryOf(it: XmlElement, label: string): Registry | undefined {
  const value = attribute(it, 'value').trim();
  // Anything without a scheme is a folder, unless it begins with a variable or an entity, which may hold an address.
  const mayBeAddress = /^(?:%[^%]*%|&[\w#]+;)/.test(value) && !knownFolder.test(value);
  const isFolder = !/^[a-z]+:\/\//i.test(value) && !mayBeAddress;
  return isFolder ? undefined : registryAt(value, label);
}

/** Variables that every machine has. */
const knownFolder = /^%(?:USERPROFILE|HOME|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|TEMP|TMP)%/i;

/** The configuration that a project names in the place of all others: `<RestoreConfigFile>build/ci.config</RestoreConfigFile>`. */
function configFiles(text: string): { name: string; label: string }[] {
  return [...text.matchAll(/<RestoreConfigFile\b[^>]{0,500}>([^<]{1,4000})</gi)].flatMap(([, value = '']) => {
    const path = value.trim().replace(ownDirectory, '').replaceAll('\\', '/');
    return path === '' || /[$%*?]/.test(path) ? [] : [{ name: 'nuget.config', label: path }];
  });
}

/** The files that all projects of a folder import: `<Import Project="build/feeds.props" />`, relative to the importing file. */
function imports({ label, text }: RegistrySource): { name: string; label: string }[] {
  return [...text.matchAll(/<Import\b[^<>]{0,500}?\sProject\s*=\s*["']([^"'<>]{1,4000})["']/gi)].flatMap(
    ([, value = '']) => {
      const path = value.trim().replace(ownDirectory, '').replaceAll('\\', '/');
      // Files of an SDK, and those that only a build can find.
      if (path === '' || path.startsWith('/') || /[$%*?:]/.test(path)) return [];
      return [{ name: 'a.props', label: label.replace(/[^/]*$/, () => path) }];
    },
  );
}

/** `#:property RestoreSources=https://…` of an app without a project. */
function sourcesOfApp({ text, label }: RegistrySource): Registry[] {
  return addressesInApp(text).flatMap((it) => sourceAt(it, label));
}

/** A configuration that only a build can find may name any. */
function unclearConfig({ text, label }: RegistrySource): Registry[] {
  return /<RestoreConfigFile\b[^>]{0,500}>[^<]/i.test(text) && configFiles(text).length === 0 ? [{ from: label }] : [];
}

const ownDirectory = /^\$\(MSBuild(?:ThisFile|Project)Directory\)[\\/]?/i;

/** The sources of the last restore: `{ "project": { "restore": { "sources": { "https://…": {} } } } }`. */
function restoredFrom({ text, label }: RegistrySource): Registry[] {
  const at = (value: unknown, name: string): unknown => (isRecord(value) ? value[name] : undefined);
  const named = at(at(at(readPlainJson(text), 'project'), 'restore'), 'sources');
  return Object.keys(isRecord(named) ? named : {}).flatMap((it) => addressed(it, label));
}

function attribute(it: XmlElement, name: string): string {
  return it.attributes.find((one) => one.name.toLowerCase() === name)?.value ?? '';
}

function restoreSources({ text, label }: RegistrySource): Registry[] {
  return addressesInProject(text).flatMap((it) => sourceAt(it, label));
}

/** An address that begins with a property may be any. */
function sourceAt(value: string, label: string): readonly Registry[] {
  return value.startsWith('$(') ? [{ from: label, isAdditional: true }] : addressed(value, label);
}

/** The registry of an address; none where it is a folder. */
function addressed(value: string, label: string): readonly Registry[] {
  const registry = /^\s*[a-z]+:\/\//i.test(value) ? registryAt(value, label, true) : undefined;
  return registry ? [registry] : [];
}
