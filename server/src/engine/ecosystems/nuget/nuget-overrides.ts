import * as l10n from '@vscode/l10n';
import { indentAt, indentStepOf, lineEndOf } from '../../formats/text/insert.ts';
import { addXmlChild, addXmlSibling, type NewElement } from '../../formats/xml/insert.ts';
import { parseXml } from '../../formats/xml/parse.ts';
import { childrenOf, type XmlElement } from '../../formats/xml/tree.ts';
import type { FileTexts, Forced, Override, OverrideTool, TextEdit } from '../../model/graph/override.ts';
import { canonicalName } from '../../model/keys.ts';
import { brokenFile, missingFile, otherShape } from '../shared/override.ts';

/**
 * How NuGet is made to take another version of a transitive package. With central package management, a central version
 * that counts for transitive packages as well; else a dependency of the project itself:
 *
 *     <CentralPackageTransitivePinningEnabled>true</CentralPackageTransitivePinningEnabled>
 *     <PackageVersion Include="System.Text.Json" Version="8.0.5" />
 *
 *     <PackageReference Include="System.Text.Json" Version="8.0.5" />
 */
export const nugetOverrides: OverrideTool = { files: [], write };

const central = 'Directory.Packages.props';
const pinning = 'CentralPackageTransitivePinningEnabled';
const management = 'ManagePackageVersionsCentrally';

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get(central);
  if (text !== undefined && isCentral(texts)) return intoCentral(forced, text);
  const project = [...texts.keys()].find((it) => /\.(?!pbx|xcode)[a-z]*proj$/i.test(it));
  if (project === undefined) return { ok: false, reason: l10n.t('no project file of MSBuild declares it') };
  return intoProject(forced, project, texts.get(project) ?? '');
}

/** The switch may be in any file that the project imports. */
function isCentral(texts: FileTexts): boolean {
  return [...texts.values()].some((text) => {
    if (!text.includes(management)) return false;
    const properties = childrenOf(parseXml(text).root, 'PropertyGroup').flatMap((it) => childrenOf(it, management));
    return properties.some((it) => it.text.toLowerCase() === 'true');
  });
}

function intoCentral({ name, wanted }: Forced, text: string): Override {
  const { root, problems } = parseXml(text);
  if (root === undefined || problems.length > 0) return brokenFile(central);
  const items = itemsOf(root, 'PackageVersion');
  const own = items.find((it) => isNamed(it, name));
  const version = own?.attributes.find((it) => it.name === 'Version')?.literal;
  // A property has a value of its own, which others use, too.
  if (own && (!version || version.text.includes('$('))) return otherShape(`PackageVersion ${name}`);
  const item = version
    ? { span: version.span, newText: version.encode(wanted) }
    : addItem(text, root, items, `<PackageVersion Include="${name}" Version="${wanted}" />`);
  const switched = switchOn(text, root);
  if (item === undefined || switched === undefined) return otherShape(item ? pinning : central);
  return { ok: true, file: central, edits: [item, ...switched], section: pinning };
}

/** Undefined where the switch cannot be edited. */
function switchOn(text: string, root: XmlElement): TextEdit[] | undefined {
  const groups = childrenOf(root, 'PropertyGroup').filter((it) => it.attributes.length === 0);
  const all = groups.flatMap((it) => it.children);
  const present = all.find((it) => it.name === pinning);
  if (present) {
    const literal = present.literal ?? present.blank;
    if (present.text.toLowerCase() === 'true') return [];
    return literal && [{ span: literal.span, newText: literal.encode('true') }];
  }
  const property: NewElement = { open: `<${pinning}>true</${pinning}>` };
  const switched = all.find((it) => it.name === management) ?? groups[0]?.children.at(-1);
  if (switched) return [addXmlSibling(text, switched, property)];
  const group: NewElement = { open: '<PropertyGroup>', children: [property], close: '</PropertyGroup>' };
  const last = root.children.at(-1);
  // Behind a group of items that the same edit adds to, both would be at one place.
  const added = last?.name === 'ItemGroup' ? beforeFirst(text, root, group) : addXmlChild(text, root, group);
  return added && [added];
}

function beforeFirst(
  text: string,
  root: XmlElement,
  { open, children = [], close = '' }: NewElement,
): TextEdit | undefined {
  const first = root.children[0];
  if (first === undefined) return undefined;
  const { start } = first.span;
  const indent = indentAt(text, start);
  const end = lineEndOf(text);
  const inner = children.map((it) => `${indent}${indentStepOf(text)}${it.open}${end}`).join('');
  return { span: { start, end: start }, newText: `${open}${end}${inner}${indent}${close}${end}${indent}` };
}

function intoProject({ name, wanted }: Forced, file: string, text: string): Override {
  if (text === '') return missingFile(file);
  const { root, problems } = parseXml(text);
  if (root === undefined || problems.length > 0) return brokenFile(file);
  const items = itemsOf(root, 'PackageReference');
  if (items.some((it) => isNamed(it, name))) return otherShape(`PackageReference ${name}`);
  const edit = addItem(text, root, items, `<PackageReference Include="${name}" Version="${wanted}" />`);
  return edit ? { ok: true, file, edits: [edit], section: 'PackageReference' } : otherShape(file);
}

/** The items of groups without a condition. */
function itemsOf(root: XmlElement, kind: string): readonly XmlElement[] {
  return childrenOf(root, 'ItemGroup')
    .filter((it) => it.attributes.length === 0)
    .flatMap((it) => childrenOf(it, kind));
}

function isNamed(item: XmlElement, name: string): boolean {
  const include = item.attributes.find((it) => it.name === 'Include')?.value;
  return include !== undefined && canonicalName('NUGET', include) === canonicalName('NUGET', name);
}

function addItem(text: string, root: XmlElement, items: readonly XmlElement[], item: string): TextEdit | undefined {
  const last = items.at(-1);
  if (last) return addXmlSibling(text, last, { open: item });
  return addXmlChild(text, root, { open: '<ItemGroup>', children: [{ open: item }], close: '</ItemGroup>' });
}
