import { itemsOf, type JsonString, type JsonValue, jsonLiteral, stringAt, valueAt } from '../../formats/json/tree.ts';
import type { DeclaredLicenses } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';
import {
  componentDependency,
  declaredLicenses,
  isPackageKind,
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
    components: () => withoutDescribed(packages, roots),
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
  const download = valueAt(it, 'downloadLocation');
  const purpose = stringAt(it, 'primaryPackagePurpose')?.text;
  return spdxPackage(it, valueAt(it, 'SPDXID'), purls, { version, declared, download, purpose });
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
  readonly purpose: string | undefined;
}

/** A package by the first of its purls that is looked up. */
export function spdxPackage(
  item: JsonValue,
  named: JsonValue | undefined,
  purls: readonly (JsonValue | undefined)[],
  { version, declared, download, purpose }: PackageFields,
): SpdxPackage[] {
  const id = textOf(named)[0] ?? '';
  const [own] = literalOf(version);
  const components = purls.filter(isString).map((purl) => {
    const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
    return componentDependency(written, { version: own, declared, distributions: textOf(download) });
  });
  const found = components.find((it) => it.dependency) ?? components[0];
  if (found) return [{ id, ...found }];
  return isPackageKind(purpose) ? [{ id, gap: 'without a purl', span: item.span }] : [];
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
