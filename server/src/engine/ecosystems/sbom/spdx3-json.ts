import { itemsOf, type JsonValue, stringAt, valueAt } from '../../formats/json/tree.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';
import { declaredLicenses, type SbomReader, type SpdxPackage, withoutDescribed } from './components.ts';
import { literalOf, spdxPackage, textOf } from './spdx-json.ts';

/** The relationships from a package to its licenses; the first kind that exists counts. */
const licenseRelationships = ['hasDeclaredLicense', 'hasConcludedLicense'] as const;

/**
 * The packages of an SPDX 3 document. Its elements are in one list, in any order.
 *
 *     "@graph": [{ "spdxId": "urn:1", "type": "software_Package", "software_packageUrl": "pkg:npm/lodash@4.17.21" },
 *                { "spdxId": "urn:2", "type": "simplelicensing_LicenseExpression", "simplelicensing_licenseExpression": "MIT" },
 *                { "type": "Relationship", "relationshipType": "hasDeclaredLicense", "from": "urn:1", "to": ["urn:2"] }]
 */
export function spdxGraph(): SbomReader {
  const packages: SpdxPackage[] = [];
  const roots = new Set<string>();
  const expressions = new Map<string, Literal>();
  /** Identifiers of expressions by those of packages. */
  const links = licenseRelationships.map((type) => ({ type, to: new Map<string, string[]>() }));
  return {
    add: (list, it) => {
      if (list !== '@graph') return;
      const type = stringAt(it, 'relationshipType')?.text;
      if (type !== undefined) {
        const link = links.find((known) => known.type === type);
        if (link) addAll(link.to, stringAt(it, 'from')?.text ?? '', itemsOf(valueAt(it, 'to')).flatMap(textOf));
        return;
      }
      packages.push(...packageOf(it));
      for (const id of itemsOf(valueAt(it, 'rootElement')).flatMap(textOf)) roots.add(id);
      const id = stringAt(it, 'spdxId')?.text;
      const [expression] = literalOf(valueAt(it, 'simplelicensing_licenseExpression'));
      if (id !== undefined && expression) expressions.set(id, expression);
    },
    components: () => withoutDescribed(packages.map(withLicenses), roots),
  };

  function withLicenses(it: SpdxPackage): SpdxPackage {
    if (it.dependency === undefined) return it;
    const { id, dependency } = it;
    for (const { to } of links) {
      const said = declaredLicenses((to.get(id) ?? []).flatMap((expression) => expressions.get(expression) ?? []));
      if (said)
        return { id, dependency: { ...dependency, declared: { licenses: said.licenses } } satisfies Dependency };
    }
    return { id, dependency };
  }
}

function packageOf(it: JsonValue): SpdxPackage[] {
  const identifiers = itemsOf(valueAt(it, 'externalIdentifier'))
    .filter((id) => stringAt(id, 'externalIdentifierType')?.text === 'packageUrl')
    .map((id) => valueAt(id, 'identifier'));
  const purls = [valueAt(it, 'software_packageUrl'), ...identifiers];
  const version = valueAt(it, 'software_packageVersion');
  const download = valueAt(it, 'software_downloadLocation');
  const purpose = stringAt(it, 'software_primaryPurpose')?.text;
  const isPackage = stringAt(it, 'type')?.text === 'software_Package' || purls.some((one) => one !== undefined);
  return isPackage ? spdxPackage(it, valueAt(it, 'spdxId'), purls, { version, download, purpose }) : [];
}

/** In a hostile file, a package may have as many links as the file has elements, so the list is extended in place. */
function addAll(map: Map<string, string[]>, key: string, added: string[]): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, added);
  else for (const it of added) known.push(it);
}
