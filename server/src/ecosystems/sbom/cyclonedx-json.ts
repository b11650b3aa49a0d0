import { itemsOf, type JsonValue, jsonLiteral, stringAt, valueAt } from '../../formats/json/tree.ts';
import type { Dependency } from '../../model/manifest.ts';
import type { Literal } from '../../model/span.ts';
import { componentDependency, declaredLicenses, type SbomReader } from './components.ts';

/**
 * The components of a CycloneDX document, without its subject in `metadata`.
 *
 *     { "bomFormat": "CycloneDX", "components": [{ "name": "lodash", "version": "4.17.21", "purl": "pkg:npm/lodash@4.17.21" }] }
 */
export function cyclonedxComponents(): SbomReader {
  const found: Dependency[] = [];
  return {
    add: (list, item) => {
      if (list === 'components') addComponent(item, found);
    },
    dependencies: () => found,
  };
}

/** Components contain the components that are bundled into their file. The reader limits the nesting. */
function addComponent(it: JsonValue, found: Dependency[]): void {
  const purl = stringAt(it, 'purl');
  const version = stringAt(it, 'version');
  if (purl) {
    const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
    const dependency = componentDependency(written, {
      version: version && jsonLiteral(version),
      scope: stringAt(it, 'scope')?.text === 'optional' ? 'optional' : 'runtime',
      declared: declaredLicenses(licensesOf(valueAt(it, 'licenses'))),
      distributions: itemsOf(valueAt(it, 'externalReferences'))
        .filter((one) => stringAt(one, 'type')?.text === 'distribution')
        .flatMap((one) => stringAt(one, 'url')?.text ?? []),
    });
    if (dependency) found.push(dependency);
  }
  for (const inner of itemsOf(valueAt(it, 'components'))) addComponent(inner, found);
}

/**
 * The licenses by their identifiers, their names, or as an expression. Concluded licenses count only where none are
 * declared.
 *
 *     "licenses": [{ "license": { "id": "MIT" } }]        "licenses": [{ "expression": "MIT OR Apache-2.0" }]
 *                                        ^^^                                            ^^^^^^^^^^^^^^^^^
 */
function licensesOf(licenses: JsonValue | undefined): Literal[] {
  const items = itemsOf(licenses);
  const declared = items.filter((it) => !isConcluded(it) && !isConcluded(valueAt(it, 'license')));
  return (declared.length > 0 ? declared : items).flatMap((it) => {
    const license = valueAt(it, 'license');
    const found = stringAt(it, 'expression') ?? stringAt(license, 'id') ?? stringAt(license, 'name');
    return found ? [jsonLiteral(found)] : [];
  });
}

function isConcluded(it: JsonValue | undefined): boolean {
  return stringAt(it, 'acknowledgement')?.text === 'concluded';
}
