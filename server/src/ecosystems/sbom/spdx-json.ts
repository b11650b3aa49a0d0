import { itemsOf, type JsonString, type JsonValue, jsonLiteral, stringAt, valueAt } from '../../formats/json/tree.ts';
import type { DeclaredLicenses } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';
import {
  componentDependency,
  declaredLicenses,
  type SbomReader,
  type SpdxPackage,
  withoutDescribed,
} from './components.ts';

/**
 * The packages of an SPDX 2 document in JSON.
 *
 *     "packages": [{ "SPDXID": "SPDXRef-1", "name": "lodash", "versionInfo": "4.17.21", "licenseDeclared": "MIT", "externalRefs": [
 *       { "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "pkg:npm/lodash@4.17.21" }] }]
 */
export function spdxPackages(): SbomReader {
  const packages: SpdxPackage[] = [];
  const roots = new Set<string>();
  return {
    add: (list, item) => {
      if (list === 'packages') packages.push(...packageOf(item));
      else if (list === 'documentDescribes') for (const id of textOf(item)) roots.add(id);
      else if (list === 'relationships') for (const id of describedBy(item)) roots.add(id);
    },
    dependencies: () => withoutDescribed(packages, roots),
  };
}

function packageOf(it: JsonValue): SpdxPackage[] {
  const purls = itemsOf(valueAt(it, 'externalRefs'))
    .filter((ref) => stringAt(ref, 'referenceType')?.text === 'purl')
    .map((ref) => valueAt(ref, 'referenceLocator'));
  const declared =
    declaredLicenses(literalOf(valueAt(it, 'licenseDeclared'))) ??
    declaredLicenses(literalOf(valueAt(it, 'licenseConcluded')));
  const version = valueAt(it, 'versionInfo');
  return spdxPackage(valueAt(it, 'SPDXID'), purls, { version, declared, download: valueAt(it, 'downloadLocation') });
}

/** The packages that the document describes, by a relationship. */
function describedBy(relationship: JsonValue): string[] {
  switch (stringAt(relationship, 'relationshipType')?.text) {
    case 'DESCRIBES':
      return textOf(valueAt(relationship, 'relatedSpdxElement'));
    case 'DESCRIBED_BY':
      return textOf(valueAt(relationship, 'spdxElementId'));
    default:
      return [];
  }
}

/** The fields of a package besides its purls. */
interface PackageFields {
  readonly version: JsonValue | undefined;
  readonly declared?: DeclaredLicenses | undefined;
  readonly download: JsonValue | undefined;
}

/** A package by the first of its purls that is valid. */
export function spdxPackage(
  id: JsonValue | undefined,
  purls: readonly (JsonValue | undefined)[],
  { version, declared, download }: PackageFields,
): SpdxPackage[] {
  const [own] = literalOf(version);
  for (const purl of purls.filter(isString)) {
    const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
    const dependency = componentDependency(written, { version: own, declared, distributions: textOf(download) });
    if (dependency) return [{ id: textOf(id)[0] ?? '', dependency }];
  }
  return [];
}

/** The text of a string; none for other values. */
export function textOf(value: JsonValue | undefined): string[] {
  return isString(value) ? [value.text] : [];
}

/** The literal of a string; none for other values. */
export function literalOf(value: JsonValue | undefined): Literal[] {
  return isString(value) ? [jsonLiteral(value)] : [];
}

function isString(value: JsonValue | undefined): value is JsonString {
  return value?.kind === 'string';
}
