import type { VersionKey } from '../../model/keys.ts';
import type { Coordinates, MavenRequirements, Requirements } from '../../model/lookups.ts';
import type { Definition, Dependency, Inherits, Manifest } from '../../model/manifest.ts';
import type { Span } from '../../model/span.ts';
import { dropRepeatedManaged, managedIdOf } from './pom-artifacts.ts';
import { hasReferences, interpolationOf, MAX_VALUE_LENGTH, partsOf, requirementOfText } from './pom-values.ts';

/** Properties or managed versions. The largest BOMs manage some 4000 packages. */
const MAX_ENTRIES = 20_000;
/** Of the widely inherited POMs, none has more than 15. */
const MAX_PROFILES = 100;

type Declared = Extract<Requirements, { readonly system: 'MAVEN' }>;

/** The published POM has no text here. */
const nowhere: Span = { start: 0, end: 0 };

/**
 * Makes a manifest of a published POM that the service returned (nothing inherited, nothing interpolated): its properties
 * and managed versions are the definitions, its parent and its BOMs the dependencies. It has no literals, since it cannot be
 * edited. The service does not report plugins.
 */
export function publishedPom(key: VersionKey, declared: Declared): Manifest {
  const values = publishedPomValues(key, declared);
  const definitions: Definition[] = [];
  const dependencies: Dependency[] = [];

  function define(id: string, text: string, condition?: string, scope = ''): void {
    if (text.length > MAX_VALUE_LENGTH) return;
    definitions.push({
      id,
      span: nowhere,
      value: requirementOfText(text, nowhere, values),
      ...(scope !== '' && { scope: partsOf(scope, values) }),
      // The service does not report how a profile is activated.
      ...(condition !== undefined && { condition, isRarelyActive: true as const }),
    });
  }

  function inherit({ name, version }: Coordinates, as: Inherits['as']): void {
    const spelled = values.interpolate(name);
    dependencies.push({
      key: { system: 'MAVEN', name: spelled },
      name: spelled,
      nameSpan: nowhere,
      ...(hasReferences(name) && { nameParts: partsOf(name, values) }),
      requirement: requirementOfText(version, nowhere, values),
      scope: 'build',
      inherits: { as },
    });
  }

  function read({ properties, dependencyManagement }: MavenRequirements, condition?: string): void {
    for (const it of properties.slice(0, MAX_ENTRIES)) define(`property:${it.name}`, it.value, condition);
    for (const it of dependencyManagement.slice(0, MAX_ENTRIES)) {
      if (it.scope === 'import') inherit(it, 'bom');
      else if (it.version !== '' || it.scope !== '') {
        define(managedIdOf(values.normalize(it.name), it.type, it.classifier), it.version, condition, it.scope);
      }
    }
  }

  if (declared.parent) inherit(declared.parent, 'parent');
  read(declared);
  for (const profile of declared.profiles.slice(0, MAX_PROFILES)) read(profile, `profile ${profile.id}`);
  for (const [name, value] of builtInOf(key, declared)) define(`property:${name}`, value);
  const once = dropRepeatedManaged({ dependencies, definitions });
  return { dependencies, definitions: once, references: [], problems: [], identity: key.name };
}

/** How references are named and replaced in a published POM. */
export function publishedPomValues(key: VersionKey, declared: Declared): ReturnType<typeof interpolationOf> {
  const own = declared.properties.slice(0, MAX_ENTRIES).map((it) => [it.name, it.value] as const);
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
