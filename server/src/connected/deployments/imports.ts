import { isRecord } from '../../engine/base/text.ts';
import { parseYaml } from '../../engine/formats/yaml/parse.ts';
import type { YamlScalar } from '../../engine/formats/yaml/scalar.ts';
import { resolved, type YamlValue } from '../../engine/formats/yaml/tree.ts';
import type { GatheredFiles } from '../model/deployments/deployments.ts';
import type { DeploymentManifest } from './manifest.ts';

/** Reads the schema beside a template (`vm.jinja.schema`): YAML, of which JSON is a part. Undefined if it is no object. */
export function readTemplateSchema(text: string): unknown {
  const { root } = parseYaml(text);
  return resolved(root)?.kind === 'map' ? plainOf(root) : undefined;
}

/** The parser limits the depth, and what aliases repeat. */
function plainOf(value: YamlValue | undefined): unknown {
  const target = resolved(value);
  switch (target?.kind) {
    case 'map':
      return Object.fromEntries(target.entries.map((it) => [it.key.text, plainOf(it.value)]));
    case 'sequence':
      return target.items.map(plainOf);
    case 'scalar':
      return plainScalar(target);
    case undefined:
      return null;
  }
}

function plainScalar({ style, text }: YamlScalar): unknown {
  if (style !== 'plain') return text;
  if (/^(?:|~|null)$/i.test(text)) return null;
  if (/^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  return /^[-+]?\d{1,15}(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/**
 * The URI of an imported file, which is beside the manifest or below its directory. Undefined for an address, an absolute
 * path, and one that leads above it: the service takes no such paths from a manifest either.
 */
export function importUri(manifest: string, path: string): string | undefined {
  const isRelative = path !== '' && !/^[\\/]|^[\w.+-]+:|\\/.test(path);
  if (!isRelative || path.length > MAX_PATH) return undefined;
  const slash = manifest.lastIndexOf('/');
  const parts: string[] = [];
  for (const it of path.split('/')) {
    if (it === '..') parts.push(it);
    else if (it !== '.' && it !== '') parts.push(encodeURIComponent(it.toWellFormed()));
  }
  const uri = manifest.slice(0, slash + 1) + parts.join('/');
  return URL.canParse(uri) ? new URL(uri).href : undefined;
}

/** In characters. */
const MAX_PATH = 1000;

/** Files of one deployment. */
const MAX_FILES = 200;

/**
 * Reads the imports of a manifest, the schemas beside them, and what these import. Only files beside the manifest or below
 * its directory are read, and only for a person who deploys: a file of another place could be sent unnoticed.
 */
export async function gatherImports(
  uri: string,
  { imports }: DeploymentManifest,
  read: (uri: string) => Promise<string | undefined>,
): Promise<Exclude<GatheredFiles, { kind: 'no-manifest' }>> {
  const files = new Map<string, string>();
  const queue = imports.map((it) => it.path.text);
  for (const path of queue) {
    if (files.has(path)) continue;
    const place = isOpenPath(path) ? importUri(uri, path) : undefined;
    const content = place === undefined ? undefined : await read(place);
    if (content === undefined || files.size >= MAX_FILES) return { kind: 'missing', path };
    files.set(path, content);
    const schema = `${path}.schema`;
    const text = place === undefined || files.has(schema) ? undefined : await read(`${place}.schema`);
    if (text === undefined) continue;
    files.set(schema, text);
    queue.push(...importsIn(text));
  }
  return { kind: 'files', files: [...files].map(([name, content]) => ({ name, content })) };
}

/** Not a path that leads above the manifest, nor to a hidden file: `.env` and `.npmrc` contain credentials. */
function isOpenPath(path: string): boolean {
  return path.split('/').every((it) => it === '.' || !it.startsWith('.'));
}

/** The paths that a schema of a template imports. */
function importsIn(schema: string): string[] {
  const read = readTemplateSchema(schema);
  const list = isRecord(read) ? read['imports'] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((it) => (isRecord(it) && typeof it['path'] === 'string' ? it['path'] : []));
}
