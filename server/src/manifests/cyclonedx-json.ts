import type { Dependency } from '../model/manifest.ts';
import { type JsonValue, valueAt } from '../text/json.ts';
import { jsonLiteral } from '../text/json-literal.ts';
import { component } from './sbom-purl.ts';

/**
 * The components of a CycloneDX document. What it describes itself, in `metadata`, is not among them.
 *
 *     { "bomFormat": "CycloneDX", "components": [{ "name": "lodash", "version": "4.17.21", "purl": "pkg:npm/lodash@4.17.21" }] }
 */
export function cyclonedxComponents(document: JsonValue | undefined): Dependency[] {
  const found: Dependency[] = [];
  collect(document, found);
  return found;
}

/** Components have components: those that are bundled into one file. Nesting is bounded by the reader. */
function collect(parent: JsonValue | undefined, found: Dependency[]): void {
  const components = valueAt(parent, 'components');
  if (components?.kind !== 'array') return;
  for (const it of components.items) {
    const purl = valueAt(it, 'purl');
    const version = valueAt(it, 'version');
    if (purl?.kind === 'string') {
      const written = { text: purl.text, literal: (from: number, to: number) => jsonLiteral(purl, from, to) };
      const own = version?.kind === 'string' ? jsonLiteral(version) : undefined;
      const dependency = component(written, own, isOptional(it) ? 'optional' : 'runtime');
      if (dependency) found.push(dependency);
    }
    collect(it, found);
  }
}

function isOptional(it: JsonValue): boolean {
  const scope = valueAt(it, 'scope');
  return scope?.kind === 'string' && scope.text === 'optional';
}
