import type {
  CargoRequirements,
  Coordinates,
  MavenDependency,
  MavenRequirements,
  NpmRequirements,
  PythonRequirements,
  Required,
  Requirements,
} from '../../model/lookups.ts';
import type { System } from '../../model/system.ts';
import { type Fields, fieldsOf, flag, inner, Malformed, objects, text, texts } from './fields.ts';

/** Reads the response to GetRequirements for a system. Throws `Malformed`, also for another system. */
export function requirementsReader(system: System): (value: unknown) => Requirements {
  return (value) => {
    const found = readRequirements(value);
    if (found.system !== system) throw new Malformed(`the answer is of ${found.system}, which was not asked for`);
    return found;
  };
}

/** Reads any response to GetRequirements, which has one key: that of the system. Throws `Malformed`. */
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
  const pypi = inner(fields, 'pypi');
  if (pypi) return { system: 'PYPI', ...readPython(pypi) };
  const cargo = inner(fields, 'cargo');
  if (cargo) return { system: 'CARGO', ...readCargo(cargo) };
  const go = inner(fields, 'go');
  if (go) {
    const of = (name: string): readonly Required[] => objects(go, name, required);
    return { system: 'GO', direct: of('directDependencies'), indirect: of('indirectDependencies') };
  }
  throw new Malformed('the answer has none of npm, nuget, maven, pypi, cargo and go');
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

function readPython(pypi: Fields): PythonRequirements {
  return {
    dependencies: objects(pypi, 'dependencies', (it) => ({
      name: text(it, 'projectName'),
      requirement: text(it, 'versionSpecifier'),
      extras: text(it, 'extras'),
      marker: text(it, 'environmentMarker'),
    })),
    extras: objects(pypi, 'providedExtras', (it) => text(it, 'name')),
    python: text(pypi, 'requiredPythonVersion'),
  };
}

function readCargo(cargo: Fields): CargoRequirements {
  return {
    dependencies: objects(cargo, 'dependencies', (it) => ({
      ...required(it),
      kind: kindOf(text(it, 'kind')),
      optional: flag(it, 'optional'),
      alias: text(it, 'packageAlias'),
      usesDefaultFeatures: flag(it, 'usesDefaultFeatures'),
      features: texts(it, 'features'),
      target: text(it, 'target'),
    })),
    features: objects(cargo, 'features', (it) => ({ name: text(it, 'name'), implies: texts(it, 'implies') })),
  };
}

/** Whether the service writes `dev` or `DEV` is not said. */
function kindOf(written: string): CargoRequirements['dependencies'][number]['kind'] {
  const kind = written.toLowerCase();
  return kind === 'dev' || kind === 'build' ? kind : 'normal';
}

function coordinates(fields: Fields): Coordinates {
  return { name: text(fields, 'name'), version: text(fields, 'version') };
}

function required(fields: Fields): Required {
  return { name: text(fields, 'name'), requirement: text(fields, 'requirement') };
}
