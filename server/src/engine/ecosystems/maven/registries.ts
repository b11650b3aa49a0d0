import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Role } from '../../model/manifest.ts';
import type { AccessSource } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry, RegistrySource } from '../../model/registry.ts';
import { distinctRegistries, ownRegistries, registryAt } from '../shared/registry-address.ts';
import { activitiesOf, startOf } from './profiles.ts';

/** A repository of a POM or a profile. */
interface Repository {
  readonly id: string;
  readonly url: string;
  readonly from: string;
  /** The offset of its address. */
  readonly at?: number;
  /** What is taken from it: `repositories` or `pluginRepositories`. */
  readonly role: Role;
  /** Whether it is asked for versions that are none of a snapshot, and for snapshots. */
  readonly releases: boolean;
  readonly snapshots: boolean;
  /** In a profile that is off. */
  readonly isOff: boolean;
}

/** Replaces repositories. */
interface Mirror extends Pick<Repository, 'id' | 'url' | 'from' | 'at'> {
  readonly of: readonly string[];
}

/** The profiles, by the file that has them. */
interface Project {
  readonly root: XmlElement;
  readonly label: string;
}

/** The id of the repository that every build has by default. */
const central = 'central';

/**
 * Maven looks in each repository in turn for each package, after mirrors have replaced the repositories they match: in
 * `pluginRepositories` for plugins and all they consist of, in `repositories` for the rest, and only in those that have
 * releases or snapshots enabled, as the version is. A profile of a POM counts unless it is certainly off.
 *
 *     <mirror> <id>acme</id> <url>https://…</url> <mirrorOf>external:*,!local</mirrorOf> </mirror>
 *     <repository> <id>releases</id> <url>https://…</url> </repository>
 */
export const mavenRegistries: Omit<RegistryReader, 'accessTo'> = {
  // A Gradle script may configure the projects below it.
  above: [
    'settings.gradle',
    'settings.gradle.kts',
    'build.gradle',
    'build.gradle.kts',
    'gradle.properties',
    '.mvn/settings.xml',
    '.mvn/maven.config',
    '.mvn/jvm.config',
    '.mvn/maven-user.properties',
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
  ownersOf(sources) {
    const { repositories, mirrors } = repositoriesOf(sources);
    const named = repositories.map((it) => ({ ...it, registry: registryOf(it, mirrors) }));
    const routings = new Map<string, readonly Registry[]>();
    return (asked) => {
      const kind = asked.version === undefined ? undefined : isSnapshot(asked.version) ? 'snapshots' : 'releases';
      const id = `${asked.role} ${kind} ${asked.isInProfile}`;
      let found = routings.get(id);
      if (found === undefined) {
        const fitting = named.filter(
          (it) =>
            (asked.role ?? it.role) === it.role &&
            // What switches the profile of a dependency on may switch on any other.
            (!it.isOff || asked.isInProfile === true),
        );
        const takes = (it: Repository): boolean => (kind ? it[kind] : it.releases || it.snapshots);
        const taken = fitting.filter(takes).flatMap(({ registry, releases }): readonly Registry[] => {
          if (registry === undefined) return [];
          return [kind === undefined && !releases ? { ...registry, hasSnapshotsAlone: true } : registry];
        });
        // In the place of the central repository, one that is not asked: nothing public is asked then.
        const closed = fitting.filter((it) => it.id === central && it.from !== '' && !takes(it));
        found = distinctRegistries([...taken, ...closed.map(({ from }): Registry => ({ from }))]);
        routings.set(id, found);
      }
      return [...found, ...ownRegistries(asked)];
    };
  },
};

/** Source: Maven's ArtifactUtils. */
function isSnapshot(version: string): boolean {
  return /snapshot$/i.test(version) || /-\d{8}\.\d{6}-\d+$/.test(version);
}

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

/**
 * The settings in the order of their strength: those that an option names, of the user, of the project, which Maven 4
 * reads, and of the installation. One that an option names as the user's takes the place of `~/.m2/settings.xml`.
 * Source: DefaultSettingsBuilder of Maven 4.
 */
export function settingsIn<T extends AccessSource>(
  sources: readonly T[],
): { readonly used: readonly T[]; readonly unused: readonly T[] } {
  const isReplaced = sources.some((it) => settingsFilesIn(it).length > 0 && userSettings.test(it.text));
  const files = sources.filter((it) => it.name === 'settings.xml');
  const rankOf = ({ owner, label }: T): number => {
    if (owner === 'workspace') return /(?:^|\/)\.mvn\/settings\.xml$/.test(label) ? 2 : 0;
    return /[\\/]conf[\\/]settings\.xml$/.test(label) ? 3 : 1;
  };
  const isUnused = ({ owner, label }: T): boolean =>
    isReplaced && owner === 'machine' && /[\\/]\.m2[\\/]settings\.xml$/.test(label);
  return {
    used: files.filter((it) => !isUnused(it)).sort((a, b) => rankOf(a) - rankOf(b)),
    unused: files.filter(isUnused),
  };
}

const userSettings = /(?:^|\s)(?:-s|--settings|-D(?:maven\.user\.settings|org\.apache\.maven\.user-settings)=)/;

/** The registry of a repository; undefined for the default one without a mirror. */
function registryOf(repository: Repository, mirrors: readonly Mirror[]): Registry | undefined {
  // The first match counts; a mirror of exactly this repository comes before those with patterns.
  const exact = mirrors.find((it) => it.of.length === 1 && it.of[0] === repository.id);
  const mirror = exact ?? mirrors.find((it) => isMirrorOf(it, repository));
  const { url, from, at } = mirror ?? repository;
  if (url === '') return mirror && { from };
  const found = registryAt(url, from, mirror === undefined && repository.id !== central);
  return found && { ...found, ...(at !== undefined && { at }) };
}

/** Source: Maven, “Using Mirrors for Repositories”. */
function isMirrorOf({ of }: Mirror, { id, url }: Pick<Repository, 'id' | 'url'>): boolean {
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

/** The repositories that take part, or may, and the mirrors. The one that every build has is asked for both roles. */
function repositoriesOf(sources: readonly AccessSource[]): {
  readonly repositories: readonly Repository[];
  readonly mirrors: readonly Mirror[];
} {
  const { used, unused } = settingsIn(sources);
  const others = sources.filter((it) => it.name !== 'settings.xml');
  const files = [...used, ...unused, ...others].flatMap(({ name, text, label }): Project[] => {
    const root = /(?:\.xml|\.pom)$/.test(name) ? parseXml(text).root : undefined;
    return root ? [{ root, label }] : [];
  });
  const [settings, projects] = [true, false].map((is) => files.filter(({ root }) => (root.name === 'settings') === is));
  const inSettings = (settings ?? []).flatMap(({ root }) => itemsIn(root, 'activeProfiles', 'activeProfile'));
  const start = startOf(
    sources,
    inSettings.map((it) => it.text.trim()),
  );
  const mirrors: Mirror[] = [];
  const repositories = roles.map(
    (role): Repository => ({
      ...{ id: central, url: '', from: '', role },
      ...{ releases: true, snapshots: true, isOff: false },
    }),
  );
  for (const { root, label } of files) {
    for (const it of itemsIn(root, 'mirrors', 'mirror')) {
      const of = textOf(it, 'mirrorOf').split(',');
      const mirror = { ...placeOf(it, label), of: of.map((one) => one.trim()) };
      // Settings are merged by id.
      if (!mirrors.some((one) => one.id === mirror.id)) mirrors.push(mirror);
    }
  }
  const take = (holder: XmlElement, label: string, isOff = false): void => {
    for (const [role, list, item] of repositoryLists) {
      for (const it of itemsIn(holder, list, item)) repositories.push({ ...repositoryOf(it, label, role), isOff });
    }
  };
  // Those of settings are a person's own, to be switched on by hand: all of them count.
  for (const { root, label } of settings ?? []) for (const it of itemsIn(root, 'profiles', 'profile')) take(it, label);
  for (const { root, label } of projects ?? []) {
    take(root, label);
    const profiles = activitiesOf(itemsIn(root, 'profiles', 'profile'), start);
    for (const { profile, activity } of profiles) take(profile, label, activity === 'off');
  }
  return { repositories, mirrors };
}

const repositoryLists = [
  ['library', 'repositories', 'repository'],
  ['plugin', 'pluginRepositories', 'pluginRepository'],
] as const;
const roles = repositoryLists.map(([role]) => role);

function repositoryOf(it: XmlElement, from: string, role: Role): Omit<Repository, 'isOff'> {
  // What a property decides may be so.
  const takes = (policy: string): boolean => {
    const enabled = childOf(it, policy);
    return enabled === undefined || textOf(enabled, 'enabled') !== 'false';
  };
  return { ...placeOf(it, from), role, releases: takes('releases'), snapshots: takes('snapshots') };
}

function placeOf(it: XmlElement, from: string): Pick<Repository, 'id' | 'url' | 'from' | 'at'> {
  const at = childOf(it, 'url')?.textSpan.start;
  return { id: textOf(it, 'id'), url: textOf(it, 'url'), from, ...(at !== undefined && { at }) };
}

function itemsIn(holder: XmlElement | undefined, list: string, item: string): XmlElement[] {
  return childrenOf(holder, list).flatMap((it) => childrenOf(it, item));
}

function textOf(it: XmlElement, name: string): string {
  return childOf(it, name)?.text.trim() ?? '';
}
