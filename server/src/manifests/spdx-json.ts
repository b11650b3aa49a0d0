import type { DeclaredLicenses, Dependency } from '../model/manifest.ts';
import type { Literal } from '../model/span.ts';
import { type JsonString, type JsonValue, valueAt } from '../text/json.ts';
import { jsonLiteral } from '../text/json-literal.ts';
import { component, declaredLicenses } from './sbom-purl.ts';
import { type Described, withoutRoot } from './spdx-root.ts';

/**
 * The packages of an SPDX document in JSON.
 *
 *     2:  "packages": [{ "SPDXID": "SPDXRef-1", "name": "lodash", "versionInfo": "4.17.21", "licenseDeclared": "MIT", "externalRefs": [
 *           { "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": "pkg:npm/lodash@4.17.21" }] }]
 *
 *     3:  "@graph": [{ "spdxId": "urn:1", "type": "software_Package", "software_packageUrl": "pkg:npm/lodash@4.17.21" },
 *                    { "spdxId": "urn:2", "type": "simplelicensing_LicenseExpression", "simplelicensing_licenseExpression": "MIT" },
 *                    { "type": "Relationship", "relationshipType": "hasDeclaredLicense", "from": "urn:1", "to": ["urn:2"] }]
 */
export function spdxPackages(document: JsonValue | undefined): Dependency[] {
  return [...packagesOf2(document), ...packagesOf3(document)];
}

function packagesOf2(document: JsonValue | undefined): readonly Dependency[] {
  const roots = new Set(itemsOf(valueAt(document, 'documentDescribes')).flatMap(textOf));
  for (const it of itemsOf(valueAt(document, 'relationships'))) {
    const [type] = textOf(valueAt(it, 'relationshipType'));
    const side = type === 'DESCRIBES' ? 'relatedSpdxElement' : type === 'DESCRIBED_BY' ? 'spdxElementId' : undefined;
    for (const id of side === undefined ? [] : textOf(valueAt(it, side))) roots.add(id);
  }
  const packages = itemsOf(valueAt(document, 'packages')).flatMap((it) => {
    const purls = itemsOf(valueAt(it, 'externalRefs'))
      .filter((ref) => textOf(valueAt(ref, 'referenceType'))[0] === 'purl')
      .map((ref) => valueAt(ref, 'referenceLocator'));
    const declared =
      declaredLicenses(literalOf(valueAt(it, 'licenseDeclared'))) ??
      declaredLicenses(literalOf(valueAt(it, 'licenseConcluded')));
    return described(valueAt(it, 'SPDXID'), purls, valueAt(it, 'versionInfo'), declared);
  });
  return withoutRoot(packages, roots);
}

function packagesOf3(document: JsonValue | undefined): readonly Dependency[] {
  const graph = itemsOf(valueAt(document, '@graph'));
  const roots = new Set(graph.flatMap((it) => itemsOf(valueAt(it, 'rootElement')).flatMap(textOf)));
  const expressions = new Map(
    graph.flatMap((it): [string, Literal][] => {
      const [id] = textOf(valueAt(it, 'spdxId'));
      const [text] = literalOf(valueAt(it, 'simplelicensing_licenseExpression'));
      return id !== undefined && text ? [[id, text]] : [];
    }),
  );
  const declared = licensesOf(graph, 'hasDeclaredLicense', expressions);
  const concluded = licensesOf(graph, 'hasConcludedLicense', expressions);
  const packages = graph.flatMap((it) => {
    const identifiers = itemsOf(valueAt(it, 'externalIdentifier'))
      .filter((id) => textOf(valueAt(id, 'externalIdentifierType'))[0] === 'packageUrl')
      .map((id) => valueAt(id, 'identifier'));
    const purls = [valueAt(it, 'software_packageUrl'), ...identifiers];
    const [id = ''] = textOf(valueAt(it, 'spdxId'));
    const shared = declaredLicenses(declared.get(id) ?? []) ?? declaredLicenses(concluded.get(id) ?? []);
    const licenses = shared && { licenses: shared.licenses };
    return described(valueAt(it, 'spdxId'), purls, valueAt(it, 'software_packageVersion'), licenses);
  });
  return withoutRoot(packages, roots);
}

/** The expressions that relationships of a type lead to, by the package that each goes out from. */
function licensesOf(
  graph: readonly JsonValue[],
  type: string,
  expressions: ReadonlyMap<string, Literal>,
): ReadonlyMap<string, readonly Literal[]> {
  const found = new Map<string, Literal[]>();
  for (const it of graph) {
    if (textOf(valueAt(it, 'relationshipType'))[0] !== type) continue;
    const [from = ''] = textOf(valueAt(it, 'from'));
    const to = itemsOf(valueAt(it, 'to')).flatMap(textOf);
    const licenses = found.get(from) ?? [];
    found.set(from, licenses);
    for (const license of to.flatMap((id) => expressions.get(id) ?? [])) licenses.push(license);
  }
  return found;
}

/** A package by the first of its purls that names one. */
function described(
  id: JsonValue | undefined,
  purls: readonly (JsonValue | undefined)[],
  version: JsonValue | undefined,
  declared: DeclaredLicenses | undefined,
): Described[] {
  const [own] = literalOf(version);
  for (const purl of purls.filter(isString)) {
    const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
    const dependency = component(written, { version: own, declared });
    if (dependency) return [{ id: textOf(id)[0] ?? '', dependency }];
  }
  return [];
}

function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return value?.kind === 'array' ? value.items : [];
}

function isString(value: JsonValue | undefined): value is JsonString {
  return value?.kind === 'string';
}

function textOf(value: JsonValue | undefined): string[] {
  return isString(value) ? [value.text] : [];
}

function literalOf(value: JsonValue | undefined): Literal[] {
  return isString(value) ? [jsonLiteral(value)] : [];
}
