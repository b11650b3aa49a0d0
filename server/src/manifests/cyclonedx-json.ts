import type { Dependency } from '../model/manifest.ts';
import type { Literal } from '../model/span.ts';
import { type JsonValue, valueAt } from '../text/json.ts';
import { jsonLiteral } from '../text/json-literal.ts';
import { component, declaredLicenses, type SbomReader } from './sbom-purl.ts';

/**
 * The components of a CycloneDX document. What it describes itself, in `metadata`, is not among them.
 *
 *     { "bomFormat": "CycloneDX", "components": [{ "name": "lodash", "version": "4.17.21", "purl": "pkg:npm/lodash@4.17.21" }] }
 */
export function cyclonedxComponents(): SbomReader {
  const found: Dependency[] = [];
  return {
    take: (list, item) => {
      if (list === 'components') collect(item, found);
    },
    dependencies: () => found,
  };
}

/** Components have components: those that are bundled into one file. Nesting is bounded by the reader. */
function collect(it: JsonValue, found: Dependency[]): void {
  const purl = valueAt(it, 'purl');
  const version = valueAt(it, 'version');
  if (purl?.kind === 'string') {
    const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
    const dependency = component(written, {
      version: version?.kind === 'string' ? jsonLiteral(version) : undefined,
      scope: isOptional(it) ? 'optional' : 'runtime',
      declared: declaredLicenses(licensesOf(valueAt(it, 'licenses'))),
    });
    if (dependency) found.push(dependency);
  }
  const components = valueAt(it, 'components');
  if (components?.kind === 'array') for (const inner of components.items) collect(inner, found);
}

function isOptional(it: JsonValue): boolean {
  const scope = valueAt(it, 'scope');
  return scope?.kind === 'string' && scope.text === 'optional';
}

/**
 * The licences by their identifiers, their names, or as an expression. What somebody concluded from the sources is no
 * statement of the package, unless there is no other.
 *
 *     "licenses": [{ "license": { "id": "MIT" } }]        "licenses": [{ "expression": "MIT OR Apache-2.0" }]
 *                                        ^^^                                            ^^^^^^^^^^^^^^^^^
 */
function licensesOf(licenses: JsonValue | undefined): Literal[] {
  const items = licenses?.kind === 'array' ? licenses.items : [];
  const declared = items.filter((it) => !isConcluded(it) && !isConcluded(valueAt(it, 'license')));
  return (declared.length > 0 ? declared : items).flatMap((it) => {
    const license = valueAt(it, 'license');
    const found = [valueAt(it, 'expression'), valueAt(license, 'id'), valueAt(license, 'name')];
    return found.flatMap((value) => (value?.kind === 'string' ? [jsonLiteral(value)] : [])).slice(0, 1);
  });
}

function isConcluded(it: JsonValue | undefined): boolean {
  const acknowledgement = valueAt(it, 'acknowledgement');
  return acknowledgement?.kind === 'string' && acknowledgement.text === 'concluded';
}
