import * as l10n from '@vscode/l10n';
import { verbatim } from '../../../formats/text/literal.ts';
import type { Definition, Manifest, ManifestFormat, Requirement } from '../../../model/manifest.ts';
import type { Literal, Span } from '../../../model/span.ts';
import { readNotation } from '../arguments.ts';
import { catalogIds, managedVersion } from '../values.ts';

/** The properties of a Gradle build, and the versions of the plugin refreshVersions. Its scripts refer to them by name. */
export const gradleProperties: ManifestFormat = {
  id: 'gradle.properties',
  system: 'MAVEN',
  files: /(^|\/)(?:gradle|versions)\.properties$/,
  parse,
};

function parse(text: string): Manifest {
  const definitions = definitionsIn(text);
  const groups = definitions.flatMap(({ id, value }) =>
    id === 'property:group' && value.kind === 'literal' ? [value.at.text] : [],
  );
  return {
    dependencies: [],
    definitions,
    references: [],
    problems: [],
    ...(groups.length > 0 && { coordinates: { groups, names: [] } }),
  };
}

/** A name, the first blank, colon or equals sign, and a value. */
const line = /^[ \t\f\uFEFF]*(?![#!])([^\s:=]+)(?:[ \t\f]*[:=][ \t\f]*|[ \t\f]+)([^\r\n]*)$/gm;

/**
 *     springVersion = 6.1.3
 *     ^^^^^^^^^^^^^   ^^^^^
 */
function definitionsIn(text: string): Definition[] {
  const found: Definition[] = [];
  for (const match of text.matchAll(line)) {
    const [whole, name = '', written = ''] = match;
    const value = written.trimEnd();
    // A value with a continuation line or an escape is no version.
    if (value === '' || value.includes('\\') || name.includes('\\')) continue;
    const nameStart = match.index + whole.indexOf(name);
    const start = match.index + whole.length - written.length;
    const at = verbatim(text, start, start + value.length);
    const own = name === 'version' ? ({ frozen: l10n.t("the project's own version"), member: true } as const) : {};
    const span = { start: nameStart, end: nameStart + name.length };
    // `version.retrofit=version.okhttp3`
    const other = /^version\.[\w.-]+$/.test(value);
    const to = { id: `property:${value}`, label: value };
    const said: Requirement = other ? { kind: 'reference', to, span: at.span } : { kind: 'literal', at };
    found.push({ id: `property:${name}`, span, value: said, ...own });
    for (const it of artifactDefinitions(text, name, at, span)) found.push(it);
  }
  return found;
}

/** The value of a property may be a whole artifact, or its name without a version. */
function artifactDefinitions(text: string, property: string, at: Literal, span: Span): Definition[] {
  const notation = readNotation(at.text);
  if (!notation) return [];
  const { name, version, frozen } = notation;
  const literal = ({ start, end }: Span) => verbatim(text, at.span.start + start, at.span.start + end);
  const module = literal(name);
  const value: Requirement = version
    ? { kind: 'literal', at: literal(version) }
    : managedVersion(module.text, module.span);
  return [
    { id: catalogIds.library(property), span, value, ...(frozen !== undefined && { frozen }) },
    { id: catalogIds.module(property), span, value: { kind: 'template', parts: [module.text], span } },
  ];
}
