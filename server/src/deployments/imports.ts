import { parseYaml } from '../formats/yaml/parse.ts';
import type { YamlScalar } from '../formats/yaml/scalar.ts';
import { resolved, type YamlValue } from '../formats/yaml/tree.ts';

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
