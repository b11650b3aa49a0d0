import { itemsOf, type JsonValue, jsonLiteral, stringAt, valueAt } from '../../formats/json/tree.ts';
import type { Literal } from '../../model/span.ts';
import {
  type Component,
  componentDependency,
  declaredLicenses,
  isPackageKind,
  type SbomReader,
  splitComponents,
} from './components.ts';

/**
 * The components of a CycloneDX document, without its subject in `metadata`.
 *
 *     { "bomFormat": "CycloneDX", "components": [{ "name": "lodash", "version": "4.17.21", "purl": "pkg:npm/lodash@4.17.21" }] }
 */
export function cyclonedxComponents(): SbomReader {
  const found: Component[] = [];
  return {
    add: (list, item) => {
      if (list === 'components') addComponent(item, found);
    },
    components: () => splitComponents(found),
  };
}

/** Components contain the components that are bundled into their file. The reader limits the nesting. */
function addComponent(it: JsonValue, found: Component[]): void {
  const purl = stringAt(it, 'purl');
  const version = stringAt(it, 'version');
  if (purl) {
    const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
    const component = componentDependency(written, {
      version: version && jsonLiteral(version),
      scope: stringAt(it, 'scope')?.text === 'optional' ? 'optional' : 'runtime',
      declared: declaredLicenses(licensesOf(valueAt(it, 'licenses'))),
      distributions: itemsOf(valueAt(it, 'externalReferences'))
        .filter((one) => stringAt(one, 'type')?.text === 'distribution')
        .flatMap((one) => stringAt(one, 'url')?.text ?? []),
    });
    found.push(component);
  } else if (isPackageKind(stringAt(it, 'type')?.text)) found.push({ gap: 'without a purl', span: it.span });
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
