import type { Definition, Dependency } from '../model/manifest.ts';
import type { Problem } from '../model/span.ts';
import { jsonLiteral, jsonSpan } from '../text/json-literal.ts';
import { type JsonProperty, type JsonString, type JsonValue, propertiesOf } from '../text/json-tree.ts';
import { readCatalogEntry } from './npm-catalog.ts';
import type { SpecifierText } from './npm-specifier.ts';

/** What has been read of a JSON file so far. */
export interface FoundInJson {
  readonly dependencies: Dependency[];
  readonly definitions: Definition[];
  readonly problems: Problem[];
}

/**
 * bun keeps its catalogs in the package.json of the workspace, at the top or in `workspaces`:
 *
 *     "workspaces": { "catalog": { "react": "^19.0.0" }, "catalogs": { "old": { "react": "^18.3.1" } } }
 */
export function readCatalogs(name: JsonString, value: JsonValue, found: FoundInJson): void {
  if (name.text === 'catalog') readCatalog('default', value, found);
  else if (name.text === 'catalogs') {
    for (const it of propertiesOf(value)) readCatalog(it.name.text, it.value, found);
  } else if (name.text === 'workspaces') {
    for (const it of propertiesOf(value)) {
      if (it.value && it.name.text.startsWith('catalog')) readCatalogs(it.name, it.value, found);
    }
  }
}

function readCatalog(catalog: string, section: JsonValue | undefined, found: FoundInJson): void {
  for (const property of propertiesOf(section)) {
    const value = requirementOf(property, found);
    if (!value) continue;
    const { name } = property;
    const entry = readCatalogEntry(catalog, name.text, name.span, stretch(value));
    found.dependencies.push(entry.dependency);
    found.definitions.push(entry.definition);
  }
}

/** The value of a property that names a package; a problem, or nothing while it is still being typed, where there is none. */
export function requirementOf({ name, value }: JsonProperty, found: FoundInJson): JsonString | undefined {
  if (value?.kind === 'string' && name.text !== '') return value;
  if (value?.kind === 'string') found.problems.push({ span: name.span, message: 'no package is named here' });
  else if (value) found.problems.push({ span: value.span, message: `the version of ${name.text} should be a string` });
  return undefined;
}

/** A string, or the part of it from `start` to `end`, for `readSpecifier`. */
export function stretch(value: JsonString, start = 0, end = value.text.length): SpecifierText {
  return {
    text: value.text.slice(start, end),
    literal: (from, to) => jsonLiteral(value, start + from, start + to),
    span: (from, to) => jsonSpan(value, start + from, start + to),
  };
}
