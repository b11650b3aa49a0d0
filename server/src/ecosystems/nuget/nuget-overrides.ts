import * as l10n from '@vscode/l10n';
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
  return [...texts.values()].some((it) => new RegExp(`<${management}>\\s*true\\s*<`, 'i').test(it));
}

function intoCentral({ name, wanted }: Forced, text: string): Override {
  const { root, problems } = parseXml(text);
  if (root === undefined || problems.length > 0) return brokenFile(central);
  const items = itemsOf(root, 'PackageVersion');
  const own = items.find((it) => isNamed(it, name));
  const version = own?.attributes.find((it) => it.name === 'Version')?.literal;
  if (own && !version) return otherShape(`PackageVersion ${name}`);
  const edits = [
    version
      ? { span: version.span, newText: version.encode(wanted) }
      : addItem(text, root, items, `<PackageVersion Include="${name}" Version="${wanted}" />`),
    ...switchOn(text, root),
  ].filter((it) => it !== undefined);
  return { ok: true, file: central, edits, section: pinning };
}

function switchOn(text: string, root: XmlElement): (TextEdit | undefined)[] {
  const groups = childrenOf(root, 'PropertyGroup').filter((it) => it.attributes.length === 0);
  const all = groups.flatMap((it) => it.children);
  const present = all.find((it) => it.name === pinning);
  if (present?.literal) {
    const { span, encode } = present.literal;
    return present.text.toLowerCase() === 'true' ? [] : [{ span, newText: encode('true') }];
  }
  const added: NewElement = { open: `<${pinning}>true</${pinning}>` };
  const switched = all.find((it) => it.name === management) ?? groups[0]?.children.at(-1);
  if (switched) return [addXmlSibling(text, switched, added)];
  const group: NewElement = { open: '<PropertyGroup>', children: [added], close: '</PropertyGroup>' };
  const last = root.children.at(-1);
  // Behind a group of items that the same edit adds to, both would be at one place.
  return [last?.name === 'ItemGroup' ? beforeFirst(text, root, group) : addXmlChild(text, root, group)];
}

function beforeFirst(
  text: string,
  root: XmlElement,
  { open, children = [], close = '' }: NewElement,
): TextEdit | undefined {
  const first = root.children[0];
  if (first === undefined) return undefined;
  const start = text.lastIndexOf('\n', first.span.start) + 1;
  const indent = text.slice(start, first.span.start);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const inner = children.map((it) => `${indent}${indent}${it.open}${end}`).join('');
  return { span: { start, end: start }, newText: `${indent}${open}${end}${inner}${indent}${close}${end}` };
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
