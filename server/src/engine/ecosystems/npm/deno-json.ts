import { parseJson } from '../../formats/json/parse.ts';
import {
  itemsOf,
  type JsonProperty,
  type JsonString,
  type JsonValue,
  jsonLiteral,
  jsonSpan,
  propertiesOf,
  stringAt,
  valueAt,
} from '../../formats/json/tree.ts';
import type { Dependency, FileRef, Manifest, ManifestFormat, Requirement } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';
import { workspaceRoots } from './catalogs.ts';

/** Deno's configuration, and the import map that it may keep in a file of its own. */
export const denoJson: ManifestFormat = {
  id: 'deno.json',
  system: 'NPM',
  files: /(^|\/)(?:deno\.jsonc?|import_?map\.json)$/,
  parse,
};

function parse(text: string): Manifest {
  const { root, problems } = parseJson(text);
  const importMap = valueAt(root, 'importMap');
  const dependencies = propertiesOf(root).flatMap(({ name, value }): Dependency[] => {
    if (name.text === 'imports') return importsIn(value, 'imports');
    if (name.text !== 'scopes') return [];
    return propertiesOf(value).flatMap((it) => importsIn(it.value, `scopes ${it.name.text}`));
  });
  const identity = stringAt(root, 'name')?.text;
  const listed = packagesIn(root);
  const packages = listed.map((it) => it.text);
  // The package at the root is a member, too.
  const modules = [...(packages.length > 0 ? [ownPackage.path] : []), ...linkedIn(root)];
  return {
    dependencies,
    definitions: [],
    references: [...(importMap ? mapFile(importMap) : []), ownPackage, ...workspaceRoots],
    problems,
    ...(packages.length > 0 && {
      packages,
      links: listed.map(({ text: pattern, span }) => ({ span, pattern })),
    }),
    ...(modules.length > 0 && { modules }),
    ...(identity && { identity }),
  };
}

/** `"workspace": ["./add", "libs/*"]`, or an object with `members`. */
function packagesIn(root: JsonValue | undefined): readonly JsonString[] {
  const workspace = valueAt(root, 'workspace');
  return stringsIn(workspace?.kind === 'object' ? valueAt(workspace, 'members') : workspace);
}

/** `"links": ["../add"]`, formerly `patch`: the package there replaces the published one. */
function linkedIn(root: JsonValue | undefined): string[] {
  const directories = [valueAt(root, 'links'), valueAt(root, 'patch')].flatMap(stringsIn);
  return directories.flatMap(({ text: it }) => projectNames.map((name) => `${it.replace(/\/$/, '')}/${name}`));
}

/** The package.json beside it has the overrides. */
const ownPackage: FileRef = { kind: 'workspace', path: 'package.json', format: 'package.json' };

const projectNames = ['deno.json', 'deno.jsonc', 'package.json'] as const;

function stringsIn(list: JsonValue | undefined): readonly JsonString[] {
  return itemsOf(list).filter((it) => it.kind === 'string');
}

/** A map in another file takes the place of the one here. One that is fetched is not read. */
function mapFile(value: JsonValue): FileRef[] {
  if (value.kind !== 'string' || value.text === '' || /^[a-z]+:/i.test(value.text)) return [];
  return [{ kind: 'include', path: value.text, format: 'deno.json', span: value.span }];
}

function importsIn(map: JsonValue | undefined, group: string): Dependency[] {
  return propertiesOf(map).flatMap((it) => imported(it, group) ?? []);
}

/** Undefined for a file of the project, and for a part of the runtime. */
function imported({ name, value }: JsonProperty, group: string): Dependency | undefined {
  if (value?.kind !== 'string') return undefined;
  const read = readImport(name.text, value);
  if (read === undefined) return undefined;
  // A name that ends with a slash is for everything below it.
  const called = name.text.replace(/\/$/, '') || read.name;
  return {
    key: { system: 'NPM', name: read.name },
    name: called,
    nameSpan: jsonSpan(name, 0, Math.min(called.length, name.text.length)),
    requirement: read.requirement,
    ...(read.blank && { blank: read.blank }),
    scope: 'runtime',
    group,
  };
}

interface Import {
  readonly name: string;
  readonly requirement: Requirement;
  readonly blank?: Literal;
}

const published = /^(npm|jsr):\/?((?:@[^/@\s]+\/)?[^/@\s]+)(?:@([^/]*))?/i;

/**
 *     npm:chalk@^5.3.0    npm:/lodash@4.17.21/    npm:preact@10/hooks    jsr:@std/assert@^1.0.0    https://…
 *         ^^^^^ ^^^^^^ literal     ^^^^^^^ literal       ^^ literal       source                    source
 */
function readImport(called: string, value: JsonString): Import | undefined {
  const { text } = value;
  const [whole, scheme, name, range] = published.exec(text) ?? [];
  const source = { kind: 'source', source: 'url', span: value.span } as const;
  if (whole === undefined || name === undefined) {
    return /^https?:/i.test(text) ? { name: called, requirement: source } : undefined;
  }
  // JSR is a registry of its own, which the service does not know.
  if (scheme?.toLowerCase() === 'jsr') return { name, requirement: source };
  if (range === undefined) return { name, requirement: { kind: 'none' } };
  const at = jsonLiteral(value, whole.length - range.length, whole.length);
  return range === ''
    ? { name, requirement: { kind: 'none' }, blank: at }
    : { name, requirement: { kind: 'literal', at } };
}
