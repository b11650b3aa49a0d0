import type { VersionKey } from '../../model/keys.ts';
import type { Coordinates, MavenRequirements, Requirements } from '../../model/lookups.ts';
import type { Definition, Dependency, Inherits, Manifest } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { managedIdOf, managedOnce } from './pom-artifacts.ts';
import { composedOf, interpolationOf, isComposed, limits, partsOf } from './pom-values.ts';

/** The largest bills manage some 4000 packages. */
const mostEntries = 20_000;
/** Of the POMs that many inherit from, the one with most has 15. */
const mostProfiles = 100;

type Declared = Extract<Requirements, { readonly system: 'MAVEN' }>;

/** It stands in no text at hand. */
const nowhere: Span = { start: 0, end: 0 };

/**
 * A published POM, as the service tells of it (nothing inherited, nothing interpolated), in the way of one that was read
 * from a file: with the properties and managed versions that others may refer to, and with the parent and the bills that
 * say more of them. Nothing in it is a literal, since no edit can reach it. What it says of plugins is not known.
 */
export function publishedPom(key: VersionKey, declared: Declared): Manifest {
  const values = publishedValues(key, declared);
  const definitions: Definition[] = [];
  const dependencies: Dependency[] = [];

  function define(id: string, text: string, condition?: string, scope = ''): void {
    if (text.length > limits.length) return;
    definitions.push({
      id,
      span: nowhere,
      value: composedOf(text, nowhere, values),
      ...(scope !== '' && { scope: partsOf(scope, values) }),
      // What activates a profile is not told.
      ...(condition !== undefined && { condition, seldom: true as const }),
    });
  }

  function inherit({ name, version }: Coordinates, as: Inherits['as']): void {
    const spelt = values.interpolate(name);
    dependencies.push({
      key: { system: 'MAVEN', name: spelt },
      name: spelt,
      nameSpan: nowhere,
      ...(isComposed(name) && { nameParts: partsOf(name, values) }),
      requirement: composedOf(version, nowhere, values),
      scope: 'build',
      inherits: { as },
    });
  }

  function read({ properties, dependencyManagement }: MavenRequirements, condition?: string): void {
    for (const it of properties.slice(0, mostEntries)) define(`property:${it.name}`, it.value, condition);
    for (const it of dependencyManagement.slice(0, mostEntries)) {
      if (it.scope === 'import') inherit(it, 'bill');
      else if (it.version !== '' || it.scope !== '') {
        define(managedIdOf(values.normalize(it.name), it.type, it.classifier), it.version, condition, it.scope);
      }
    }
  }

  if (declared.parent) inherit(declared.parent, 'parent');
  read(declared);
  for (const profile of declared.profiles.slice(0, mostProfiles)) read(profile, `profile ${profile.id}`);
  for (const [name, value] of builtInOf(key, declared)) define(`property:${name}`, value);
  const once = managedOnce({ dependencies, definitions });
  return { dependencies, definitions: once, references: [], problems: [], identity: key.name };
}

/** How references are named and replaced in a published POM. */
export function publishedValues(key: VersionKey, declared: Declared): ReturnType<typeof interpolationOf> {
  const own = declared.properties.slice(0, mostEntries).map((it) => [it.name, it.value] as const);
  return interpolationOf(new Map(own), builtInOf(key, declared));
}

function builtInOf(key: VersionKey, { parent }: Declared): ReadonlyMap<string, string> {
  return new Map([...coordinatesOf('project.', key), ...(parent ? coordinatesOf('project.parent.', parent) : [])]);
}

function coordinatesOf(prefix: string, { name, version }: Coordinates): (readonly [name: string, value: string])[] {
  const [group = '', artifact = ''] = name.split(':');
  return [
    [`${prefix}groupId`, group],
    [`${prefix}artifactId`, artifact],
    [`${prefix}version`, version],
  ];
}
