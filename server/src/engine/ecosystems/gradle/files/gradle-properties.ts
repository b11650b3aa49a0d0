import * as l10n from '@vscode/l10n';
import { type Property, propertiesIn } from '../../../formats/text/properties.ts';
import type { Definition, Manifest, ManifestFormat, Requirement } from '../../../model/manifest.ts';
import type { Span } from '../../../model/span.ts';
import { readNotation } from '../arguments.ts';
import { propertiesRenaming } from '../navigation/script-renaming.ts';
import { catalogIds, managedVersion } from '../values.ts';

/** The properties of a Gradle build, and the versions of the plugin refreshVersions. Its scripts refer to them by name. */
export const gradleProperties: ManifestFormat = {
  id: 'gradle.properties',
  system: 'MAVEN',
  files: /(^|\/)(?:gradle|versions)\.properties$/,
  parse,
  renaming: propertiesRenaming,
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

/**
 *     springVersion = 6.1.3
 *     ^^^^^^^^^^^^^   ^^^^^
 */
function definitionsIn(text: string): Definition[] {
  const found: Definition[] = [];
  for (const { name, span, value } of propertiesIn(text)) {
    const at = value(0);
    if (at.text === '') continue;
    const own = name === 'version' ? ({ frozen: l10n.t("the project's own version"), member: true } as const) : {};
    // `version.retrofit=version.okhttp3`
    const other = /^version\.[\w.-]+$/.test(at.text);
    const to = { id: `property:${at.text}`, label: at.text };
    const said: Requirement = other ? { kind: 'reference', to, span: at.span } : { kind: 'literal', at };
    found.push({ id: `property:${name}`, span, value: said, ...own });
    for (const it of artifactDefinitions(name, at.text, value, span)) found.push(it);
  }
  return found;
}

/** The value of a property may be a whole artifact, or its name without a version. */
function artifactDefinitions(property: string, text: string, valueAt: Property['value'], span: Span): Definition[] {
  const notation = readNotation(text);
  if (!notation) return [];
  const { name, version, frozen } = notation;
  const literal = ({ start, end }: Span) => valueAt(start, end);
  const module = literal(name);
  const value: Requirement = version
    ? { kind: 'literal', at: literal(version) }
    : managedVersion(module.text, module.span);
  return [
    { id: catalogIds.library(property), span, value, ...(frozen !== undefined && { frozen }) },
    { id: catalogIds.module(property), span, value: { kind: 'template', parts: [module.text], span } },
  ];
}
