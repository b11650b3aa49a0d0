import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { Role } from '../../model/manifest.ts';
import type { AccessSource } from '../../model/registries/access.ts';
import type { RegistrySource } from '../../model/registry.ts';
import { textOf } from './pom-artifacts.ts';

/** A repository of a POM or of a profile. */
export interface Repository {
  readonly id: string;
  /** As written; empty for the default address of `central`. */
  readonly url: string;
  /** The offset of its address. */
  readonly at?: number;
  readonly source: AccessSource;
  /** Whether it is asked for versions that are none of a snapshot, and for snapshots. */
  readonly releases: boolean;
  readonly snapshots: boolean;
}

/** Replaces repositories. */
export interface Mirror extends Repository {
  readonly of: readonly string[];
  readonly isBlocked: boolean;
}

/** A file of settings or a POM. */
export interface XmlFile {
  readonly source: AccessSource;
  readonly root: XmlElement | undefined;
}

/** The id of the repository that every build has by default. */
export const central = 'central';

export const builtIn: AccessSource = { name: 'settings.xml', label: 'Maven', text: '', owner: 'machine' };

/** `pluginRepositories` are asked for plugins and all they consist of, `repositories` for the rest. */
export const repositoryLists: readonly (readonly [role: Role, list: string, item: string])[] = [
  ['library', 'repositories', 'repository'],
  ['plugin', 'pluginRepositories', 'pluginRepository'],
];

/**
 * The settings in the order of their strength: those that an option names, of the user, of the project, which Maven 4
 * reads, and of the installation. One that an option names as the user's takes the place of `~/.m2/settings.xml`.
 * Source: DefaultSettingsBuilder of Maven 4.
 */
export function settingsIn(sources: readonly AccessSource[]): {
  readonly used: readonly XmlFile[];
  readonly unused: readonly XmlFile[];
} {
  const isReplaced = sources.some((it) => settingsFilesIn(it).length > 0 && userSettings.test(it.text));
  const rankOf = ({ source: { owner, label } }: XmlFile): number => {
    if (owner === 'workspace') return /(?:^|\/)\.mvn\/settings\.xml$/.test(label) ? 2 : 0;
    return /[\\/]conf[\\/]settings\.xml$/.test(label) ? 3 : 1;
  };
  const isUnused = ({ source: { owner, label } }: XmlFile): boolean =>
    isReplaced && owner === 'machine' && /[\\/]\.m2[\\/]settings\.xml$/.test(label);
  const files = filesIn(sources, 'settings.xml');
  return {
    used: files.filter((it) => !isUnused(it)).sort((a, b) => rankOf(a) - rankOf(b)),
    unused: files.filter(isUnused),
  };
}

const userSettings = /(?:^|\s)(?:-s|--settings|-D(?:maven\.user\.settings|org\.apache\.maven\.user-settings)=)/;

export function filesIn(sources: readonly AccessSource[], name: 'settings.xml' | 'pom.xml'): XmlFile[] {
  return sources.filter((it) => it.name === name).map((source) => ({ source, root: parseXml(source.text).root }));
}

/** The ids of the profiles that settings activate. */
export function activeProfilesIn(settings: readonly XmlFile[]): readonly string[] {
  return settings.flatMap(({ root }) => itemsIn(root, 'activeProfiles', 'activeProfile').map((it) => it.text.trim()));
}

export function profilesIn({ root }: XmlFile): readonly XmlElement[] {
  return itemsIn(root, 'profiles', 'profile');
}

/** The mirrors of all settings, which are merged by id. */
export function mirrorsIn(settings: readonly XmlFile[]): readonly Mirror[] {
  const found = new Map<string, Mirror>();
  for (const { source, root } of settings) {
    for (const it of itemsIn(root, 'mirrors', 'mirror')) {
      const mirror = {
        ...repositoryOf(it, source),
        of: trimmed(it, 'mirrorOf')
          .split(',')
          .map((one) => one.trim()),
        isBlocked: trimmed(it, 'blocked') === 'true',
      };
      if (!found.has(mirror.id)) found.set(mirror.id, mirror);
    }
  }
  return [...found.values()];
}

export function repositoryOf(it: XmlElement, source: AccessSource): Repository {
  // What a property decides may be so.
  const takes = (kind: string): boolean => {
    const policy = childOf(it, kind);
    return policy === undefined || trimmed(policy, 'enabled') !== 'false';
  };
  const at = childOf(it, 'url')?.textSpan.start;
  return {
    id: trimmed(it, 'id'),
    url: trimmed(it, 'url'),
    ...(at !== undefined && { at }),
    source,
    releases: takes('releases'),
    snapshots: takes('snapshots'),
  };
}

/** A mirror of exactly this repository comes before those with patterns. Source: Maven's DefaultMirrorSelector. */
export function mirrorFor(repository: Pick<Repository, 'id' | 'url'>, mirrors: readonly Mirror[]): Mirror | undefined {
  const exact = mirrors.find((it) => it.of.length === 1 && it.of[0] === repository.id);
  return exact ?? mirrors.find((it) => matches(it, repository));
}

function matches({ of }: Mirror, { id, url }: Pick<Repository, 'id' | 'url'>): boolean {
  const isLocal = /^(?:file:|[a-z+:]+:\/\/(?:[^/@]*@)?(?:localhost|127\.0\.0\.1)(?=[:/]|$))/i.test(url);
  const isHttp = /^(?:http|dav|dav:http|dav\+http):/i.test(url);
  let found = false;
  for (const it of of) {
    if (it === `!${id}`) return false;
    if (it === id) return true;
    if (it === '*' || (it === 'external:*' && !isLocal) || (it === 'external:http:*' && !isLocal && isHttp)) {
      found = true;
    }
  }
  return found;
}

export function itemsIn(holder: XmlElement | undefined, list: string, item: string): XmlElement[] {
  return childrenOf(holder, list).flatMap((it) => childrenOf(it, item));
}

export function trimmed(it: XmlElement, name: string): string {
  return textOf(it, name).trim();
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
