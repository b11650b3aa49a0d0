import { pom } from '../../ecosystems/maven/pom.ts';
import type { VersionKey } from '../../model/keys.ts';
import type { Coordinates, MavenDependency, MavenRequirements, Requirements } from '../../model/lookups.ts';
import type { Definition } from '../../model/manifest.ts';

type Declared = Extract<Requirements, { readonly system: 'MAVEN' }>;

/** A published POM as far as the service reports it: no plugins, no repositories, no comments. */
export function pomText(key: VersionKey, declared: Declared): string {
  const lines = [
    '<project>',
    ...(declared.parent ? element('parent', coordinates(declared.parent)) : []),
    ...coordinates(key),
    ...sections(declared),
    ...element(
      'profiles',
      declared.profiles.flatMap((it) => element('profile', [...field('id', it.id), ...sections(it)])),
    ),
    '</project>',
  ];
  return `${lines.map((line, at) => (at === 0 || at === lines.length - 1 ? line : `  ${line}`)).join('\n')}\n`;
}

/** The definition in the text that one of the same id of the published POM stands for. */
export function definitionInText(text: string, id: string): Definition | undefined {
  return pom.parse(text).definitions.find((it) => it.id === id);
}

function sections({ properties, dependencyManagement, dependencies }: MavenRequirements): readonly string[] {
  return [
    ...element(
      'properties',
      properties.flatMap((it) => (/^[A-Za-z_][\w.-]*$/.test(it.name) ? field(it.name, it.value) : [])),
    ),
    ...element('dependencyManagement', list(dependencyManagement)),
    ...list(dependencies),
  ];
}

function list(dependencies: readonly MavenDependency[]): readonly string[] {
  return element(
    'dependencies',
    dependencies.flatMap((it) => element('dependency', [...coordinates(it), ...details(it)])),
  );
}

function details({ type, classifier, scope, optional, exclusions }: MavenDependency): readonly string[] {
  return [
    ...field('type', type),
    ...field('classifier', classifier),
    ...field('scope', scope),
    ...field('optional', optional),
    ...element(
      'exclusions',
      exclusions.flatMap((name) => element('exclusion', coordinates({ name, version: '' }))),
    ),
  ];
}

function coordinates({ name, version }: Coordinates): readonly string[] {
  const [group = '', artifact = ''] = name.split(':');
  return [...field('groupId', group), ...field('artifactId', artifact), ...field('version', version)];
}

/** Nothing where it is empty. */
function element(name: string, inner: readonly string[]): readonly string[] {
  return inner.length === 0 ? [] : [`<${name}>`, ...inner.map((it) => `  ${it}`), `</${name}>`];
}

function field(name: string, value: string): readonly string[] {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return value === '' ? [] : [`<${name}>${text}</${name}>`];
}
