import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Registry, RegistryReader, RegistrySource } from '../../model/registry.ts';
import { distinctRegistries, ownRegistries, registryAt } from '../shared/registry-address.ts';

/** A repository of a POM or a profile. */
interface Repository {
  readonly id: string;
  readonly url: string;
  readonly from: string;
}

/** Replaces repositories. */
interface Mirror extends Repository {
  readonly of: readonly string[];
}

/** The id of the repository that every build has by default. */
const central = 'central';

/**
 * Maven looks in each repository in turn for each package, after mirrors have replaced the repositories they match.
 *
 *     <mirror> <id>acme</id> <url>https://…</url> <mirrorOf>external:*,!local</mirrorOf> </mirror>
 *     <repository> <id>releases</id> <url>https://…</url> </repository>
 */
export const mavenRegistries: RegistryReader = {
  // A Gradle script may configure the projects below it.
  above: [
    'settings.gradle',
    'settings.gradle.kts',
    'build.gradle',
    'build.gradle.kts',
    '.mvn/settings.xml',
    '.mvn/maven.config',
    '.mvn/jvm.config',
  ],
  // Relative to the directory that Maven is started in, which no file names.
  filesNamedByVariable: (variable) =>
    settingsFilesIn(variable)
      .filter((it) => !/^(?:[\\/]|[a-z]:)/i.test(it))
      .map((label) => ({ name: 'settings.xml', label })),
  filesNamedBy: (source) => settingsFilesIn(source).map((label) => ({ name: 'settings.xml', label })),
  chainFormats: new Map([
    ['pom.xml', 'pom.xml'],
    ['build.gradle', 'build.gradle'],
  ]),
  read(sources) {
    const mirrors: Mirror[] = [];
    const repositories: Repository[] = [{ id: central, url: '', from: '' }];
    for (const source of sources) if (/(?:\.xml|\.pom)$/.test(source.name)) readXml(source, mirrors, repositories);
    const everything = distinctRegistries(repositories.flatMap((it) => registryOf(it, mirrors) ?? []));
    return (asked) => [...everything, ...ownRegistries(asked)];
  },
};

/**
 * The settings files in the options that Maven is always started with: `-s ci.xml`, `--settings=ci.xml`, `-gs`, on one line
 * or on several; `-Dmaven.user.settings=ci.xml` of Maven 4, the only one in Java's options. Paths are taken to be relative to
 * the project, although Maven resolves them against the directory that it is started in.
 */
export function settingsFilesIn({ name, text }: Pick<RegistrySource, 'name' | 'text'>): string[] {
  const option = optionsIn.get(name);
  if (option === undefined) return [];
  return [...text.slice(0, MAX_OPTIONS_LENGTH).matchAll(option)]
    .map(([, quoted, plain = '']) => (quoted ?? plain).replace(projectDirectory, ''))
    .slice(0, MAX_SETTINGS_FILES);
}

const property = /-D(?:maven\.(?:user|installation|project)\.settings|org\.apache\.maven\.(?:user|global)-settings)=/;
const option = /(?:-g?s|--(?:global-)?settings)(?:=|\s+)?/;
const path = /(?:"([^"\n]*)"|([^\s"]+))/;
const ofMaven = new RegExp(`(?<!\\S)(?:${property.source}|${option.source})${path.source}`, 'g');
const ofJava = new RegExp(`(?<!\\S)${property.source}${path.source}`, 'g');
const optionsIn: ReadonlyMap<string, RegExp> = new Map([
  ['maven.config', ofMaven],
  ['MAVEN_ARGS', ofMaven],
  ['jvm.config', ofJava],
  ['MAVEN_OPTS', ofJava],
]);
const projectDirectory = /^\$\{(?:session\.(?:root|top)Directory|maven\.multiModuleProjectDirectory)\}[\\/]/;
/** Characters of the options that are searched. Real ones have some hundred. */
const MAX_OPTIONS_LENGTH = 10_000;
/** Maven 4 itself reads three: those of its installation, of the user and of the project. */
const MAX_SETTINGS_FILES = 4;

/** The registry of a repository; undefined for the default one without a mirror. */
function registryOf(repository: Repository, mirrors: readonly Mirror[]): Registry | undefined {
  // The first match counts; a mirror of exactly this repository comes before those with patterns.
  const exact = mirrors.find((it) => it.of.length === 1 && it.of[0] === repository.id);
  const mirror = exact ?? mirrors.find((it) => isMirrorOf(it, repository));
  if (mirror) return mirror.url.trim() === '' ? { from: mirror.from } : registryAt(mirror.url, mirror.from);
  return repository.url === '' ? undefined : registryAt(repository.url, repository.from, repository.id !== central);
}

/** Source: Maven, “Using Mirrors for Repositories”. */
function isMirrorOf({ of }: Mirror, { id, url }: Repository): boolean {
  if (of.includes(`!${id}`)) return false;
  const isLocal = /^(?:file:|https?:\/\/(?:localhost|127\.0\.0\.1)(?=[:/]|$))/i.test(url);
  return of.some(
    (it) =>
      it === '*' ||
      it === id ||
      (it === 'external:*' && !isLocal) ||
      (it === 'external:http:*' && !isLocal && /^http:/i.test(url)),
  );
}

function readXml({ text, label }: RegistrySource, mirrors: Mirror[], repositories: Repository[]): void {
  const { root } = parseXml(text);
  const itemsIn = (holder: XmlElement | undefined, list: string, item: string): XmlElement[] =>
    childrenOf(holder, list).flatMap((it) => childrenOf(it, item));
  const profiles = itemsIn(root, 'profiles', 'profile');
  for (const it of itemsIn(root, 'mirrors', 'mirror')) {
    const of = textOf(it, 'mirrorOf').split(',');
    mirrors.push({ ...repositoryOf(it, label), of: of.map((one) => one.trim()) });
  }
  for (const holder of root ? [root, ...profiles] : []) {
    for (const [list, item] of repositoryLists) {
      for (const it of itemsIn(holder, list, item)) repositories.push(repositoryOf(it, label));
    }
  }
}

const repositoryLists = [
  ['repositories', 'repository'],
  ['pluginRepositories', 'pluginRepository'],
] as const;

function repositoryOf(it: XmlElement, from: string): Repository {
  return { id: textOf(it, 'id'), url: textOf(it, 'url'), from };
}

function textOf(it: XmlElement, name: string): string {
  return childOf(it, name)?.text.trim() ?? '';
}
