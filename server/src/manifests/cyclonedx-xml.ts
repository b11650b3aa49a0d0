import type { Dependency, ManifestFormat } from '../model/manifest.ts';
import type { Literal } from '../model/span.ts';
import { childOf, childrenOf, parseXml, type XmlElement } from '../text/xml.ts';
import { component, declaredLicenses, type WrittenPurl } from './sbom-purl.ts';

/**
 * The components of a CycloneDX document in XML, versions 1.2 to 1.7.
 *
 *     <bom xmlns="http://cyclonedx.org/schema/bom/1.6"><components>
 *       <component type="library"><name>lodash</name><version>4.17.21</version><purl>pkg:npm/lodash@4.17.21</purl></component>
 */
export const cyclonedxXml: ManifestFormat = {
  id: 'bom.xml',
  system: 'any',
  record: 'sbom',
  files: /(^|\/)(?:[^/]+[._-])?(?:s?bom|cdx|cyclonedx)\.xml$/i,
  begins: /^[\s\S]{0,4000}?cyclonedx\.org\/schema\/bom/,
  parse: (text) => {
    const { root, problems } = parseXml(text);
    const dependencies: Dependency[] = [];
    collect(text, root, dependencies);
    return { dependencies, definitions: [], references: [], problems };
  },
};

/** Deeper than this no program nests components, and the call stack holds it many times over. */
const deepest = 200;

function collect(source: string, parent: XmlElement | undefined, found: Dependency[], depth = 0): void {
  if (depth > deepest) return;
  for (const it of childrenOf(childOf(parent, 'components'), 'component')) {
    const purl = childOf(it, 'purl');
    const scope = childOf(it, 'scope')?.text === 'optional' ? 'optional' : 'runtime';
    const version = childOf(it, 'version')?.literal;
    const declared = declaredLicenses(licensesOf(childOf(it, 'licenses')));
    const dependency = purl && component(written(source, purl), { version, scope, declared });
    if (dependency) found.push(dependency);
    collect(source, it, found, depth + 1);
  }
}

/**
 * The licences by their identifiers, their names, or as an expression; those that somebody concluded where no others are.
 *
 *     <licenses><license><id>MIT</id></license></licenses>        <licenses><expression>MIT OR ISC</expression></licenses>
 *                            ^^^                                                         ^^^^^^^^^^
 */
function licensesOf(licenses: XmlElement | undefined): Literal[] {
  const items = licenses?.children ?? [];
  const declared = items.filter(
    (it) => it.attributes.find((attribute) => attribute.name === 'acknowledgement')?.value !== 'concluded',
  );
  return (declared.length > 0 ? declared : items).flatMap((it) => {
    const found = it.name === 'expression' ? it : (childOf(it, 'id') ?? childOf(it, 'name'));
    return found?.literal ?? [];
  });
}

/** As it stands in the file: the entities of XML come only into what qualifies a purl, and make anything else unreadable. */
function written(source: string, { textSpan, literal }: XmlElement): WrittenPurl {
  const encode = literal?.encode ?? ((value: string) => value);
  const at = (from: number, to: number) => ({ start: textSpan.start + from, end: textSpan.start + to });
  const all = source.slice(textSpan.start, textSpan.end);
  const text = /^[^?#]*[&<]/.test(all) ? '' : all;
  return { text, literal: (from, to) => ({ span: at(from, to), text: text.slice(from, to), encode }) };
}
