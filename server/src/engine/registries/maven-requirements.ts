import { childOf, childrenOf, type XmlElement } from '../formats/xml/tree.ts';
import type { Coordinates, MavenDependency, MavenRequirements, Requirements } from '../model/lookups.ts';

/** Entries of one list. The largest BOMs in wide use manage some 3000. */
const MAX_ENTRIES = 20_000;
/** In characters, of a name, a version or a property. */
const MAX_TEXT_LENGTH = 2000;

/** What a published POM requires and manages, as it is written: nothing is inherited or replaced. */
export function requirementsOfPom(pom: XmlElement): Requirements {
  const parent = childOf(pom, 'parent');
  const profiles = childrenOf(childOf(pom, 'profiles'), 'profile').slice(0, MAX_ENTRIES);
  return {
    system: 'MAVEN',
    ...(parent && { parent: coordinates(parent) }),
    ...requirements(pom),
    profiles: profiles.map((it) => ({ id: textOf(it, 'id'), ...requirements(it) })),
  };
}

function requirements(of: XmlElement): MavenRequirements {
  const properties = (childOf(of, 'properties')?.children ?? []).slice(0, MAX_ENTRIES);
  return {
    dependencies: dependencies(of),
    dependencyManagement: dependencies(childOf(of, 'dependencyManagement')),
    properties: properties.map((it) => ({ name: it.name, value: it.text.trim().slice(0, MAX_TEXT_LENGTH) })),
  };
}

function dependencies(of: XmlElement | undefined): readonly MavenDependency[] {
  return childrenOf(childOf(of, 'dependencies'), 'dependency')
    .slice(0, MAX_ENTRIES)
    .map((it) => ({
      ...coordinates(it),
      classifier: textOf(it, 'classifier'),
      type: textOf(it, 'type'),
      scope: textOf(it, 'scope'),
      optional: textOf(it, 'optional'),
      exclusions: childrenOf(childOf(it, 'exclusions'), 'exclusion').map((one) => coordinates(one).name),
    }));
}

function coordinates(it: XmlElement): Coordinates {
  return { name: `${textOf(it, 'groupId')}:${textOf(it, 'artifactId')}`, version: textOf(it, 'version') };
}

function textOf(it: XmlElement, name: string): string {
  return (childOf(it, name)?.text ?? '').trim().slice(0, MAX_TEXT_LENGTH);
}
