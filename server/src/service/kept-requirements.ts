import type { MavenDependency, MavenRequirements, Requirements } from '../model/lookups.ts';

/** What a version requires, in the shape of the wire. */
export function requirementsAnswer(requirements: Requirements): object {
  switch (requirements.system) {
    case 'NPM': {
      const { system: _, bundled, ...dependencies } = requirements;
      return { npm: { dependencies, bundled } };
    }
    case 'NUGET':
      return { nuget: { dependencyGroups: requirements.groups } };
    case 'MAVEN': {
      const { parent, profiles } = requirements;
      return {
        maven: {
          ...(parent && { parent: { system: 'MAVEN', ...parent } }),
          ...declared(requirements),
          repositories: [],
          profiles: profiles.map((it) => ({ id: it.id, ...declared(it) })),
        },
      };
    }
  }
}

function declared({ dependencies, dependencyManagement, properties }: MavenRequirements): object {
  return {
    dependencies: dependencies.map(dependency),
    dependencyManagement: dependencyManagement.map(dependency),
    properties,
  };
}

function dependency({ name, version, classifier, type, scope, optional, exclusions }: MavenDependency): object {
  return { name, version, classifier, type, scope, optional, exclusions };
}
