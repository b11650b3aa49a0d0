import { parseXml } from '../../formats/xml/parse.ts';
import { childOf, childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { ManifestFormat } from '../../model/manifest.ts';
import type { Literal, Span } from '../../model/span.ts';
import {
  type Component,
  componentDependency,
  declaredLicenses,
  isPackageKind,
  type PurlText,
  splitComponents,
} from './components.ts';

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
    const found: Component[] = [];
    const about: Span[] = [];
    const { problems } = parseXml(text, {
      names: usedElements,
      keep: (it) => {
        if (it.name === 'component') found.push(...read(text, it));
        else if (excludedElements.has(it.name)) about.push(it.span);
        else return true;
        return false;
      },
    });
    const listed = splitComponents(withoutSpans(about, found));
    return { ...listed, definitions: [], references: [], problems: [...problems, ...listed.problems] };
  },
};

/** Elements with components that are not part of the project: the project itself, tools, ancestors of a component. */
const excludedElements: ReadonlySet<string> = new Set([
  'metadata',
  'pedigree',
  'formulation',
  'annotations',
  'declarations',
]);

/** The rest of such a file is hashes, addresses and texts. */
const usedElements: ReadonlySet<string> = new Set([
  ...['components', 'component', 'purl', 'version', 'scope', 'licenses', 'license', 'id', 'name', 'expression'],
  ...['externalReferences', 'reference', 'url'],
  ...excludedElements,
]);

/** The components outside of some spans, in the order of the text: a component ends behind the components in it. */
function withoutSpans(spans: readonly Span[], found: readonly Component[]): Component[] {
  const others = spans.toSorted((a, b) => a.start - b.start);
  let next = 0;
  let until = 0;
  return found
    .map((it) => ({ it, start: (it.dependency ? it.dependency.nameSpan : it.span).start }))
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start }) => {
      for (let it = others[next]; it && it.start < start; it = others[++next]) until = Math.max(until, it.end);
      return start >= until;
    })
    .map(({ it }) => it);
}

function read(source: string, element: XmlElement): Component[] {
  const purl = childOf(element, 'purl');
  const scope = childOf(element, 'scope')?.text === 'optional' ? 'optional' : 'runtime';
  const version = childOf(element, 'version')?.literal;
  const declared = declaredLicenses(licensesOf(childOf(element, 'licenses')));
  const distributions = childrenOf(childOf(element, 'externalReferences'), 'reference')
    .filter((it) => it.attributes.some(({ name, value }) => name === 'type' && value === 'distribution'))
    .flatMap((it) => childOf(it, 'url')?.text.trim() ?? []);
  if (purl) return [componentDependency(purlText(source, purl), { version, scope, declared, distributions })];
  const kind = element.attributes.find((it) => it.name === 'type')?.value;
  return isPackageKind(kind) ? [{ gap: 'without a purl', span: (childOf(element, 'name') ?? element).span }] : [];
}

/**
 * The licenses by their identifiers, their names, or as an expression; concluded ones where none are declared.
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

/** The undecoded text. Only the qualifiers of a purl may contain entities of XML; elsewhere they make it unreadable. */
function purlText(source: string, { textSpan, literal }: XmlElement): PurlText {
  const encode = literal?.encode ?? ((value: string) => value);
  const at = (from: number, to: number) => ({ start: textSpan.start + from, end: textSpan.start + to });
  const all = source.slice(textSpan.start, textSpan.end);
  const text = /^[^?#]*[&<]/.test(all) ? '' : all;
  return { text, literal: (from, to) => ({ span: at(from, to), text: text.slice(from, to), encode }) };
}
