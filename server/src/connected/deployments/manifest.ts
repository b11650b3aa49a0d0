import { parseYaml } from '../../engine/formats/yaml/parse.ts';
import type { YamlScalar } from '../../engine/formats/yaml/scalar.ts';
import { entryAt, resolved, type YamlEntry, type YamlMap, type YamlValue } from '../../engine/formats/yaml/tree.ts';
import { type Reference, readReferences } from './references.ts';

/**
 * A deployment manifest, also a half-typed one:
 *
 *     imports:
 *     - path: vm.jinja
 *     resources:
 *     - name: front
 *       type: vm.jinja
 *       properties:
 *         network: $(ref.net.selfLink)
 *       metadata:
 *         dependsOn: [disk]
 *     outputs:
 *     - name: address
 *       value: $(ref.front.ip)
 */
export interface DeploymentManifest {
  readonly root: YamlMap;
  /** False while no resource has a type, which other formats have in common. */
  readonly isCertain: boolean;
  readonly resources: readonly ManifestResource[];
  readonly imports: readonly ManifestImport[];
  /** The import that a type names by its name or its path. */
  readonly importsByType: ReadonlyMap<string, ManifestImport>;
  readonly outputs: readonly ManifestOutput[];
}

export interface ManifestResource {
  readonly map: YamlMap;
  readonly name?: YamlScalar;
  readonly type?: YamlScalar;
  /** `properties`, perhaps without a value. */
  readonly properties?: YamlEntry;
  readonly dependsOn: readonly YamlScalar[];
  /** Those in its properties, its access control and its metadata. */
  readonly references: readonly Reference[];
}

export interface ManifestImport {
  readonly path: YamlScalar;
  readonly name?: YamlScalar;
}

export interface ManifestOutput {
  readonly name?: YamlScalar;
  readonly references: readonly Reference[];
}

/** Source: the configuration of deployments, members of a resource. */
export const resourceMembers = ['name', 'type', 'properties', 'metadata', 'accessControl', 'action'] as const;
export const topMembers = ['imports', 'resources', 'outputs'] as const;

/** A list of resources at the top level, with or without quotes. */
const resourcesKey = /^(?:\uFEFF)?(?:---[^\S\n]*)?["']?resources["']?[^\S\n]*:/m;

/**
 * Members of other formats whose top level has a list of resources, too: Kubernetes, Concourse pipelines, configurations
 * of machines, templates of other clouds.
 */
const foreignTop = new Set([
  ...['apiVersion', 'kind', 'AWSTemplateFormatVersion', 'Resources', 'Transform', 'heat_template_version'],
  ...['$schema', 'contentVersion', 'jobs', 'resource_types', 'stages', 'steps', 'services', 'trigger', 'pool'],
]);
const foreignMembers = new Set(['source', 'apiVersion', 'kind', 'repo', 'Type']);

/**
 * Reads a deployment manifest. Undefined for any other text, whatever its name.
 * @param path of the file; only `.yaml` and `.yml` are manifests
 */
export function readManifest(path: string, text: string): DeploymentManifest | undefined {
  if (!/\.ya?ml$/i.test(path) || !resourcesKey.test(text)) return undefined;
  const root = resolved(parseYaml(text).root);
  if (root?.kind !== 'map' || isForeign(root)) return undefined;
  const isCertain = mapsIn(entryAt(root, 'resources')).some((map) => map.entries.some((it) => it.key.text === 'type'));
  if (!isCertain && !isBegun(root)) return undefined;
  const maps = (name: string): readonly YamlMap[] => mapsIn(entryAt(root, name));
  const imports = maps('imports').flatMap((it): ManifestImport[] => {
    const [path, name] = [scalarAt(it, 'path'), scalarAt(it, 'name')];
    return path ? [{ path, ...(name && { name }) }] : [];
  });
  return {
    root,
    isCertain,
    resources: maps('resources').map(readResource),
    imports,
    importsByType: importsByType(imports),
    outputs: maps('outputs').map((it): ManifestOutput => {
      const name = scalarAt(it, 'name');
      return { ...(name && { name }), references: readReferences(entryAt(it, 'value')) };
    }),
  };
}

function isForeign(root: YamlMap): boolean {
  if (root.entries.some((it) => foreignTop.has(it.key.text))) return true;
  const maps = mapsIn(entryAt(root, 'resources'));
  return maps.length === 0 || maps.some((map) => map.entries.some((it) => foreignMembers.has(it.key.text)));
}

/** Whether nothing speaks against a manifest whose first resource is being written. */
function isBegun(root: YamlMap): boolean {
  const isTop = ({ key }: YamlEntry): boolean => topMembers.some((it) => it === key.text);
  return root.entries.every(isTop) && mapsIn(entryAt(root, 'resources'))[0]?.entries[0]?.key.text === 'name';
}

function readResource(map: YamlMap): ManifestResource {
  const [name, type] = [scalarAt(map, 'name'), scalarAt(map, 'type')];
  const properties = map.entries.findLast((it) => it.key.text === 'properties');
  const dependsOn = resolved(entryAt(entryAt(map, 'metadata'), 'dependsOn'));
  const listed = dependsOn?.kind === 'sequence' ? dependsOn.items : dependsOn ? [dependsOn] : [];
  return {
    map,
    ...(name && { name }),
    ...(type && { type }),
    ...(properties && { properties }),
    dependsOn: listed.flatMap((it) => (it.kind === 'scalar' ? it : [])),
    references: ['properties', 'accessControl', 'metadata'].flatMap((it) => readReferences(entryAt(map, it))),
  };
}

/** A scalar in the place of its own: an alias has its text elsewhere. */
function scalarAt(map: YamlMap, name: string): YamlScalar | undefined {
  const value = entryAt(map, name);
  return value?.kind === 'scalar' ? value : undefined;
}

function mapsIn(value: YamlValue | undefined): readonly YamlMap[] {
  const list = resolved(value);
  if (list?.kind !== 'sequence') return [];
  return list.items.flatMap((it) => (it.kind === 'map' ? it : []));
}

/** The first one of a name counts, and a name before a path. */
function importsByType(imports: readonly ManifestImport[]): ReadonlyMap<string, ManifestImport> {
  const reversed = imports.toReversed();
  return new Map([
    ...reversed.map((it) => [it.path.text, it] as const),
    ...reversed.map((it) => [(it.name ?? it.path).text, it] as const),
  ]);
}

/** Whether a type is a template of the workspace, by its form: `vm.jinja`, `templates/vm.py`. */
export function isTemplateType(type: string): boolean {
  return /\.(?:jinja|py)$/.test(type);
}
