import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Registry, RegistryReader, RegistrySource } from '../../model/registry.ts';
import { distinct, ownRegistries, registryAt } from '../shared/registry-address.ts';

/** A repository that a pom or a profile names. */
interface Repository {
  readonly id: string;
  readonly url: string;
  readonly from: string;
}

/** What stands in for repositories. */
interface Mirror extends Repository {
  readonly of: readonly string[];
}

/** The id of the repository that every build has without naming it. */
const central = 'central';

/**
 * Maven asks each repository in turn for each package, after mirrors have taken the place of those they stand in for.
 *
 *     <mirror> <id>acme</id> <url>https://…</url> <mirrorOf>external:*,!local</mirrorOf> </mirror>
 *     <repository> <id>releases</id> <url>https://…</url> </repository>
 */
export const mavenRegistries: RegistryReader = {
  // What a script says for all projects below it counts there, too.
  above: [
    'settings.gradle',
    'settings.gradle.kts',
    'build.gradle',
    'build.gradle.kts',
    '.mvn/settings.xml',
    '.mvn/maven.config',
    '.mvn/jvm.config',
  ],
  // From wherever Maven is started: which directory that is, only a person knows.
  called: (variable) =>
    settingsOf(variable)
      .filter((it) => !/^(?:[\\/]|[a-z]:)/i.test(it))
      .map((label) => ({ name: 'settings.xml', label })),
  leads: (source) => settingsOf(source).map((label) => ({ name: 'settings.xml', label })),
  parts: new Map([
    ['pom.xml', 'pom.xml'],
    ['build.gradle', 'build.gradle'],
  ]),
  read(sources) {
    const mirrors: Mirror[] = [];
    const repositories: Repository[] = [{ id: central, url: '', from: '' }];
    for (const source of sources) if (/(?:\.xml|\.pom)$/.test(source.name)) readXml(source, mirrors, repositories);
    const everything = distinct(repositories.flatMap((it) => routed(it, mirrors) ?? []));
    return (asked) => [...everything, ...ownRegistries(asked)];
  },
};

/**
 * The settings that Maven is always started with: `-s ci.xml`, `--settings=ci.xml`, `-gs` and its like, in a line for each
 * word or all in one; `-Dmaven.user.settings=ci.xml` of Maven 4, which alone counts among the options of Java. What they are
 * relative to, the directory that Maven is started in, is taken to be that of the project.
 */
export function settingsOf({ name, text }: Pick<RegistrySource, 'name' | 'text'>): string[] {
  const option = optionsIn.get(name);
  if (option === undefined) return [];
  return [...text.slice(0, limits.options).matchAll(option)]
    .map(([, quoted, plain = '']) => (quoted ?? plain).replace(projectDirectory, ''))
    .slice(0, limits.settings);
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
const limits = { options: 10_000, settings: 4 } as const;

/** Where a repository's packages come from; undefined for the usual one while nothing stands in for it. */
function routed(repository: Repository, mirrors: readonly Mirror[]): Registry | undefined {
  // The first that fits counts; one that names the very repository comes before those with patterns.
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
  const within = (holder: XmlElement | undefined, list: string, item: string): XmlElement[] =>
    childrenOf(holder, list).flatMap((it) => childrenOf(it, item));
  const profiles = within(root, 'profiles', 'profile');
  for (const it of within(root, 'mirrors', 'mirror')) {
    const of = textOf(it, 'mirrorOf').split(',');
    mirrors.push({ ...repositoryOf(it, label), of: of.map((one) => one.trim()) });
  }
  for (const holder of root ? [root, ...profiles] : []) {
    for (const [list, item] of lists) {
      for (const it of within(holder, list, item)) repositories.push(repositoryOf(it, label));
    }
  }
}

const lists = [
  ['repositories', 'repository'],
  ['pluginRepositories', 'pluginRepository'],
] as const;

function repositoryOf(it: XmlElement, from: string): Repository {
  return { id: textOf(it, 'id'), url: textOf(it, 'url'), from };
}

function textOf(it: XmlElement, name: string): string {
  return childOf(it, name)?.text.trim() ?? '';
}
