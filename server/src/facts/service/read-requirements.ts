import type {
  Coordinates,
  MavenDependency,
  MavenRequirements,
  NpmRequirements,
  Required,
  Requirements,
} from '../../model/lookups.ts';
import type { System } from '../../model/system.ts';
import { type Fields, fieldsOf, inner, Malformed, objects, text, texts } from './fields.ts';

/** Reads the response to GetRequirements for a system. Throws `Malformed`, also for another system. */
export function requirementsReader(system: System): (value: unknown) => Requirements {
  return (value) => {
    const found = readRequirements(value);
    if (found.system !== system) throw new Malformed(`the answer is of ${found.system}, which was not asked for`);
    return found;
  };
}

/** Reads any response to GetRequirements, which has one key: `npm`, `nuget` or `maven`. Throws `Malformed`. */
export function readRequirements(value: unknown): Requirements {
  const fields = fieldsOf(value);
  const npm = inner(fields, 'npm');
  if (npm) return { system: 'NPM', ...readNpm(npm) };
  const nuget = inner(fields, 'nuget');
  if (nuget) {
    const groups = objects(nuget, 'dependencyGroups', (it) => ({
      targetFramework: text(it, 'targetFramework'),
      dependencies: objects(it, 'dependencies', required),
    }));
    return { system: 'NUGET', groups };
  }
  const maven = inner(fields, 'maven');
  if (maven) return readMaven(maven);
  throw new Malformed('the answer has none of npm, nuget and maven');
}

function readNpm(npm: Fields): NpmRequirements {
  const declared = inner(npm, 'dependencies') ?? fieldsOf({});
  return {
    dependencies: objects(declared, 'dependencies', required),
    devDependencies: objects(declared, 'devDependencies', required),
    optionalDependencies: objects(declared, 'optionalDependencies', required),
    peerDependencies: objects(declared, 'peerDependencies', required),
    bundleDependencies: texts(declared, 'bundleDependencies'),
    bundled: objects(npm, 'bundled', (it) => ({
      path: text(it, 'path'),
      name: text(it, 'name'),
      version: text(it, 'version'),
    })),
  };
}

function readMaven(maven: Fields): Requirements {
  const parent = inner(maven, 'parent');
  return {
    system: 'MAVEN',
    ...(parent && text(parent, 'name') !== '' && { parent: coordinates(parent) }),
    ...mavenRequirements(maven),
    profiles: objects(maven, 'profiles', (it) => ({ id: text(it, 'id'), ...mavenRequirements(it) })),
  };
}

function mavenRequirements(fields: Fields): MavenRequirements {
  return {
    dependencies: objects(fields, 'dependencies', mavenDependency),
    dependencyManagement: objects(fields, 'dependencyManagement', mavenDependency),
    properties: objects(fields, 'properties', (it) => ({ name: text(it, 'name'), value: text(it, 'value') })),
  };
}

function mavenDependency(fields: Fields): MavenDependency {
  return {
    ...coordinates(fields),
    classifier: text(fields, 'classifier'),
    type: text(fields, 'type'),
    scope: text(fields, 'scope'),
    optional: text(fields, 'optional'),
    exclusions: texts(fields, 'exclusions'),
  };
}

function coordinates(fields: Fields): Coordinates {
  return { name: text(fields, 'name'), version: text(fields, 'version') };
}

function required(fields: Fields): Required {
  return { name: text(fields, 'name'), requirement: text(fields, 'requirement') };
}
