import { childOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { RegistrySource } from '../../model/registry.ts';
import { textOf } from './pom-artifacts.ts';

/** What Maven is always started with, as far as files and variables tell. A command line may add to it. */
export interface Start {
  /** Ids of profiles that an option or the settings activate. */
  readonly on: ReadonlySet<string>;
  /** Those that an option deactivates, which is stronger. */
  readonly off: ReadonlySet<string>;
  /** The properties that options define; without a value, `true`. */
  readonly properties: ReadonlyMap<string, string>;
}

/** Whether a profile takes part; `perhaps` where only the run of a build knows. */
export type Activity = 'on' | 'off' | 'perhaps';

/** Characters of options that are searched. Real ones have some hundred. */
const MAX_OPTIONS_LENGTH = 10_000;

/** `-P ci,!old`, `-Pci`, `--activate-profiles=ci` */
const activation = /(?<!\S)(?:-P|--activate-profiles)(?:=|\s+)?(?:"([^"\n]*)"|([^\s"]+))/g;
/** `-Dname=value`, `-D name`, `--define name=value` */
const definition = /(?<!\S)(?:-D|--define(?:=|\s))\s*"?([^\s="]+)(?:=(?:"([^"\n]*)"|([^\s"]*)))?/g;
/** A line of `maven-user.properties`, without continuation lines and escapes, which no version has. */
const property = /^[ \t\f\uFEFF]*(?![#!])([^\s:=\\]+)(?:[ \t\f]*[:=][ \t\f]*|[ \t\f]+)([^\r\n\\]*?)[ \t\f]*\r?$/gm;
/** A line of `maven.config` that Maven 3.9 and later leave out. */
const comment = /^#.*/gm;

/** The definitions of some options, with the positions of their values. */
interface Defined {
  readonly name: string;
  /** `true` where none is written. */
  readonly value: string;
  readonly start: number;
}

/**
 * The properties that a source of options defines. `.mvn/maven.config` has one option a line since Maven 3.9, and any number
 * between blanks before; a value with blanks is read up to the first, which no version has.
 */
export function definedIn({ name, text }: Pick<RegistrySource, 'name' | 'text'>): Defined[] {
  if (!sourcesOfProperties.has(name)) return [];
  const options = optionsIn(name, text);
  if (name === 'maven-user.properties') {
    return Array.from(options.matchAll(property), (it) => {
      const [whole, id = '', value = ''] = it;
      return { name: id, value, start: it.index + whole.lastIndexOf(value) };
    });
  }
  return Array.from(options.matchAll(definition), (it) => {
    const [whole, id = '', quoted, plain] = it;
    const value = quoted ?? plain;
    const start = it.index + (value === undefined ? whole.length : whole.lastIndexOf(value));
    return { name: id, value: value ?? 'true', start };
  });
}

const sourcesOfProperties: ReadonlySet<string> = new Set([
  'maven.config',
  'MAVEN_ARGS',
  'jvm.config',
  'MAVEN_OPTS',
  'maven-user.properties',
]);

/** As long as the text, so that places are the same. */
function optionsIn(name: string, text: string): string {
  const options = text.slice(0, MAX_OPTIONS_LENGTH);
  return name === 'maven.config' ? options.replace(comment, (it) => ' '.repeat(it.length)) : options;
}

/**
 * Reads the options in `.mvn/maven.config` and `MAVEN_ARGS`, and the properties among those of Java in `.mvn/jvm.config` and
 * `MAVEN_OPTS`. Of several in one source the last counts. Source: Maven, “Configuring Apache Maven”.
 * @param sources those that prevail first
 * @param activeProfiles those that the settings list
 */
export function startOf(sources: readonly RegistrySource[], activeProfiles: readonly string[]): Start {
  const on = new Set(activeProfiles);
  const off = new Set<string>();
  const properties = new Map<string, string>();
  for (const source of sources) {
    const { name, text } = source;
    const own = new Map(definedIn(source).map((it) => [it.name, it.value]));
    for (const [id, value] of own) if (!properties.has(id)) properties.set(id, value);
    const isMavens = name === 'maven.config' || name === 'MAVEN_ARGS';
    for (const [, quoted, plain = ''] of isMavens ? optionsIn(name, text).matchAll(activation) : []) {
      for (const it of (quoted ?? plain).split(',')) {
        // Maven 4 ignores a missing one behind `?`.
        const [, mark = '', id = ''] = /^\s*([!+-]?\??)(.*?)\s*$/.exec(it) ?? [];
        if (id !== '') (/^[!-]/.test(mark) ? off : on).add(id);
      }
    }
  }
  return { on, off, properties };
}

/** Without any option. */
export const plainStart: Start = { on: new Set(), off: new Set(), properties: new Map() };

/**
 * The profiles of one POM, each with whether it takes part.
 *
 *     <activation> <activeByDefault>true</activeByDefault> </activation>       unless another profile of this POM is active
 *     <activation> <property> <name>!quick</name> </property> </activation>    unless something defines `quick`
 *
 * Sources: Maven, “Introduction to Build Profiles”; its DefaultProfileSelector and PropertyProfileActivator. All conditions
 * have to hold since Maven 3.2.2.
 */
export function activitiesOf(
  profiles: readonly XmlElement[],
  start: Start,
): readonly { readonly profile: XmlElement; readonly activity: Activity }[] {
  const stated = profiles.map((profile) => ({ profile, activity: activityOf(profile, start) }));
  const others = stated.map((it) => it.activity);
  const byDefault: Activity = others.includes('on') ? 'off' : others.includes('perhaps') ? 'perhaps' : 'on';
  return stated.map(({ profile, activity }) => {
    const isUndecided = activity === 'off' && !start.off.has(idOf(profile)) && isActiveByDefault(profile);
    return { profile, activity: isUndecided ? byDefault : activity };
  });
}

function idOf(profile: XmlElement): string {
  return textOf(profile, 'id').trim();
}

/** Apart from `activeByDefault`. */
function activityOf(profile: XmlElement, { on, off, properties }: Start): Activity {
  const id = idOf(profile);
  if (off.has(id)) return 'off';
  if (on.has(id)) return 'on';
  const conditions = (childOf(profile, 'activation')?.children ?? []).filter((it) => it.name !== 'activeByDefault');
  if (conditions.length === 0) return 'off';
  // The version of Java, the system, files, and the expressions of Maven 4 are not looked at.
  const each = conditions.map((it) => (it.name === 'property' ? propertyActivity(it, properties) : 'perhaps'));
  return each.includes('off') ? 'off' : each.includes('perhaps') ? 'perhaps' : 'on';
}

function propertyActivity(property: XmlElement, properties: ReadonlyMap<string, string>): Activity {
  const written = textOf(property, 'name').trim();
  const isNameNegated = written.startsWith('!');
  const name = isNameNegated ? written.slice(1) : written;
  const value = properties.get(name);
  if (name === '' || name.includes('${') || (value === undefined && ofEveryRun.test(name))) return 'perhaps';
  const wanted = textOf(property, 'value').trim();
  if (wanted.includes('${')) return 'perhaps';
  if (wanted === '') return (value === undefined || value === '') === isNameNegated ? 'on' : 'off';
  const holds = wanted.startsWith('!') ? wanted.slice(1) !== value : wanted === value;
  return holds ? 'on' : 'off';
}

/** Properties that Java, the environment and Maven itself set. */
const ofEveryRun =
  /^(?:env|java|jdk|os|user|sun|file|path|line|native|awt|http|https|maven|project|session)\.|^(?:packaging|library\.jansi\.path)$/;

export function isActiveByDefault(profile: XmlElement): boolean {
  const activation = childOf(profile, 'activation');
  return activation !== undefined && textOf(activation, 'activeByDefault').trim() === 'true';
}
