import type { XmlElement } from '../../formats/xml/tree.ts';
import type { Role } from '../../model/manifest.ts';
import type { AccessSource } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import type { Registry } from '../../model/registry.ts';
import { distinctRegistries, ownRegistries, registryAt, registryBeside } from '../shared/registry-address.ts';
import { activitiesOf, startOf } from './profiles.ts';
import {
  activeProfilesIn,
  builtIn,
  central,
  filesIn,
  itemsIn,
  type Mirror,
  mirrorFor,
  mirrorsIn,
  profilesIn,
  type Repository,
  repositoryLists,
  repositoryOf,
  settingsFilesIn,
  settingsIn,
} from './repositories.ts';
import { mavenAccess } from './repository-access.ts';

/**
 * Maven looks in each repository in turn for each package, after mirrors have replaced the repositories they match: in
 * `pluginRepositories` for plugins and all they consist of, in `repositories` for the rest, and only in those that have
 * releases or snapshots enabled, as the version is. A profile of a POM counts unless it is certainly off.
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
    const repositories = ownedIn(sources);
    const routings = new Map<string, readonly Registry[]>();
    return (asked) => {
      const kind = asked.version === undefined ? undefined : isSnapshot(asked.version) ? 'snapshots' : 'releases';
      const id = `${asked.role} ${kind} ${asked.isInProfile}`;
      // What switches the profile of a dependency on may switch on any other.
      const isOf = (it: Owned): boolean =>
        (asked.role ?? it.role) === it.role && (!it.isOff || asked.isInProfile === true);
      const found = routings.get(id) ?? ownersAmong(repositories.filter(isOf), kind);
      routings.set(id, found);
      return [...found, ...ownRegistries(asked)];
    };
  },
  accessTo: mavenAccess,
};

/** A repository that takes part, or may. */
interface Owned extends Repository {
  readonly role: Role;
  /** In a profile that is off. */
  readonly isOff: boolean;
  readonly registries: readonly Registry[];
}

/** @param kind of the version that is asked for; absent where that is not known */
function ownersAmong(repositories: readonly Owned[], kind: 'releases' | 'snapshots' | undefined): readonly Registry[] {
  const takes = (it: Repository): boolean => (kind ? it[kind] : it.releases || it.snapshots);
  const taken = repositories
    .filter(takes)
    .flatMap(({ registries, releases }) =>
      kind === undefined && !releases
        ? registries.map((it) => ({ ...it, hasSnapshotsAlone: true as const }))
        : registries,
    );
  // In the place of the central repository, one that is not asked: nothing public is asked then.
  const closed = repositories.filter((it) => it.id === central && it.source !== builtIn && !takes(it));
  return distinctRegistries([...taken, ...closed.map(({ source }): Registry => ({ from: source.label }))]);
}

/** Source: Maven's ArtifactUtils. */
function isSnapshot(version: string): boolean {
  return /snapshot$/i.test(version) || /-\d{8}\.\d{6}-\d+$/.test(version);
}

/** The repository that every build has, which is asked for both roles, and those that settings and POMs name. */
function ownedIn(sources: readonly AccessSource[]): readonly Owned[] {
  const { used, unused } = settingsIn(sources);
  const settings = [...used, ...unused];
  // With an extension of Maven 3, the project's own settings come before the user's.
  const orders = [settings, filesIn(sources, 'settings.xml')].map(mirrorsIn);
  const start = startOf(sources, activeProfilesIn(settings));
  const named = (holder: XmlElement | undefined, source: AccessSource, isOff: boolean) =>
    repositoryLists.flatMap(([role, list, item]) =>
      itemsIn(holder, list, item).map((it) => ({ ...repositoryOf(it, source), role, isOff })),
    );
  const usual = { id: central, url: '', source: builtIn, releases: true, snapshots: true, isOff: false };
  return [
    ...repositoryLists.map(([role]) => ({ ...usual, role })),
    // Those of settings are a person's own, to be switched on by hand: all of them count.
    ...settings.flatMap((file) => profilesIn(file).flatMap((it) => named(it, file.source, false))),
    ...filesIn(sources, 'pom.xml').flatMap((file) => [
      ...named(file.root, file.source, false),
      ...activitiesOf(profilesIn(file), start).flatMap(({ profile, activity }) =>
        named(profile, file.source, activity === 'off'),
      ),
    ]),
  ].map((it) => ({ ...it, registries: orders.flatMap((mirrors) => registryOf(it, mirrors) ?? []) }));
}

/** The registry of a repository; undefined for the default one without a mirror. */
function registryOf(repository: Repository, mirrors: readonly Mirror[]): Registry | undefined {
  const mirror = mirrorFor(repository, mirrors);
  const { url, source, at } = mirror ?? repository;
  if (url === '') return mirror && { from: source.label };
  const isInstead = mirror !== undefined || repository.id === central;
  const found = (isInstead ? registryAt : registryBeside)(url, source.label);
  return found && { ...found, ...(at !== undefined && { at }) };
}
