import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A package whose code is in a bundle. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** As the package states it: `(Apache-2.0 AND BSD-3-Clause)` */
  readonly license: string;
  /** The texts of its license and notices. */
  readonly texts: readonly string[];
}

/** Files of a package that have to go with its code. */
const noticeFile = /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i;

/**
 * The packages of bundled files, by name and version.
 * @param inputs paths relative to `root`, as esbuild's metafiles have them
 * @throws where a package has neither a license text nor the identifier of one
 */
export function bundledPackages(inputs: Iterable<string>, root: string): BundledPackage[] {
  const folders = new Set<string>();
  for (const it of inputs) {
    const [, folder] = /^(?:[\w-]+:)?(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(it) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  const all = new Map<string, BundledPackage>();
  for (const folder of folders) {
    const found = readPackage(join(root, folder));
    all.set(`${found.name}@${found.version}`, found);
  }
  return [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, it]) => it);
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((it) => noticeFile.test(it));
  const texts = files.sort().map((it) => readFileSync(join(folder, it), 'utf8').trim());
  const stated = String(license ?? '');
  if (texts.length > 0) return { name, version, license: stated, texts };
  const holder = typeof author === 'object' ? author?.name : author;
  const ids = stated.match(/[\w.-]+/g)?.filter((it) => !/^(?:AND|OR|WITH)$/.test(it)) ?? [];
  const standard = ids.map((it) => standardText(it, holder ?? `the authors of ${name}`));
  if (standard.length === 0 || standard.includes(undefined)) throw new Error(`${name} has no license text: ${stated}`);
  return { name, version, license: stated, texts: standard.filter((it) => it !== undefined) };
}

const require = createRequire(import.meta.url);

/** The text of the SPDX license list. */
function standardText(id: string, holder: string): string | undefined {
  const path = `spdx-license-list/licenses/${id}.json`;
  if (!existsSync(join(import.meta.dirname, '..', '..', 'node_modules', path))) return undefined;
  const { licenseText }: { licenseText: string } = require(path);
  return licenseText
    .trim()
    .replace(/<year>\s*/g, '')
    .replace(/<(?:copyright holders?|owner)>/g, holder);
}

const line = '-'.repeat(80);

/**
 * The notices that go with the bundles.
 * @param data the sources of bundled data, as Markdown
 */
export function noticesText(packages: readonly BundledPackage[], data?: string): string {
  const byText = new Map<string, BundledPackage[]>();
  // Alike texts that stand together compress well.
  for (const it of packages.toSorted((a, b) => compare(a.license, b.license) || compare(a.name, b.name))) {
    const text = it.texts.join(`\n\n`);
    byText.set(text, [...(byText.get(text) ?? []), it]);
  }
  const sections = [...byText].map(
    ([text, those]) => `${those.map((it) => `${it.name} ${it.version} (${it.license})`).join('\n')}\n\n${text}`,
  );
  const intro = 'Package Insights contains code of these packages. Their licenses follow.';
  const about = data === undefined ? [] : [`Data of the embedded catalog\n\n${data.trim()}`];
  return `${[intro, ...sections, ...about].join(`\n\n${line}\n\n`)}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** The section of a Markdown text below a heading. */
export function sectionOf(markdown: string, heading: string): string {
  const [, text] = new RegExp(`^## ${heading}\n([^]*?)(?=^## |(?![^]))`, 'm').exec(markdown) ?? [];
  if (text === undefined) throw new Error(`there is no section “${heading}”`);
  return text;
}
