import { readTomlPackages } from '../../../formats/toml/packages.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Problem } from '../../../model/span.ts';
import type { TomlLock } from '../../shared/toml-lock.ts';
import { pypi } from '../versions.ts';

/** What the files of an entry are listed in. */
const lists: ReadonlySet<string> = new Set(['files', 'wheels', 'sdist']);

/**
 * The first file of an entry that is another package or version than the entry says, or has an address that no other file
 * has: the clients install the files, whatever their entry is called.
 *
 *     [[package]]
 *     name = "fine"
 *     version = "1.0.0"
 *     files = [
 *         {file = "evil-1.0.0-py3-none-any.whl", hash = "sha256:…"},
 */
export function problemsOfFiles(
  text: string,
  { array, origin }: Pick<TomlLock, 'array' | 'origin'>,
): readonly Problem[] {
  const hosts = new Map<string, Map<string, number>>();
  const heads = Array.from(text.matchAll(new RegExp(`^\\uFEFF?\\[\\[${array}\\]\\]`, 'gm')), (it) => it.index);
  let at = 0;
  for (const { name, version, origin: from } of readTomlPackages(text, array, [...origin, 'index', 'source.url'])) {
    const start = heads[at] ?? text.length;
    const entry = text.slice(start, heads[++at] ?? text.length);
    const registry = from.get('index') ?? from.get('source.url') ?? from.get('source') ?? '';
    for (const { index, value } of filesIn(entry, array)) {
      const file = fileNamed(value);
      const isOwn = file !== undefined && isFileOf(file, name?.text ?? '', version?.text);
      if (!isOwn) return problemAt(start + index);
      const host = /^https?:\/\/([^/?#]+)/i.exec(value)?.[1];
      if (host === undefined || registry.includes(host)) continue;
      const ofRegistry = hosts.get(registry) ?? new Map<string, number>();
      if (!ofRegistry.has(host)) hosts.set(registry, ofRegistry.set(host, start + index));
    }
  }
  // A registry has its files at its own host or at one other.
  const strange = [...hosts.values()].find((it) => it.size > 1);
  return strange ? problemAt(Math.max(...strange.values())) : [];
}

function problemAt(start: number): readonly Problem[] {
  return [{ span: { start, end: start }, message: 'no file of this package' }];
}

/** The names, paths and addresses of the files of one entry. */
function* filesIn(entry: string, array: string): Iterable<{ readonly index: number; readonly value: string }> {
  let list = '';
  for (const { index, 0: line } of entry.matchAll(/^[^\r\n]+/gm)) {
    const [, header, key] = /^(?:\[{1,2}\s*([^\]]*?)\s*\]|["']?([\w-]+)["']?\s*=)/.exec(line) ?? [];
    if (header !== undefined) list = header.startsWith(`${array}.`) ? header.slice(array.length + 1) : '';
    else if (key !== undefined && !(lists.has(list) && fields.has(key))) list = key;
    if (!lists.has(list)) continue;
    for (const { 1: field = '', 2: quote = '', 3: value = '' } of line.matchAll(stringValue)) {
      // A text over several lines, or with escapes, is written by no tool; a file of PEP 751 may lie in the project.
      if (quote.length > 1 || value.includes('\\') || (field === 'path' && array === 'packages'))
        yield { index, value: '' };
      else if (field !== 'name' || archive.test(value)) yield { index, value };
    }
  }
}

const fields: ReadonlySet<string> = new Set(['file', 'name', 'url', 'path']);
const stringValue = /(?<![\w-])["']?(file|name|url|path)["']?\s*=\s*("""|'''|["'])(.*?)\2/g;
const archive = /\.(?:whl|tar\.gz|zip|tar\.bz2|tgz|tar\.xz|egg|exe|msi|rpm)$/i;

/** The last part of a path or an address, without its ending. */
function fileNamed(value: string): string | undefined {
  const [path = ''] = value.split(/[?#]/, 1);
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    const name = decodeURIComponent(last);
    return archive.test(name) && !name.includes('/') ? name : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a file has a name, and a version: the name itself may contain what separates both. */
function isFileOf(file: string, name: string, version: string | undefined): boolean {
  const id = canonicalName('PYPI', name);
  const bare = file.replace(archive, '');
  for (let dash = bare.indexOf('-'); dash > 0; dash = bare.indexOf('-', dash + 1)) {
    if (canonicalName('PYPI', bare.slice(0, dash)) !== id) continue;
    const rest = bare.slice(dash + 1);
    if (version === undefined || pypi.compare(version, '') <= 0) return true;
    if ([rest, ...prefixesOf(rest)].some((it) => pypi.compare(it.replaceAll('_', '+'), version) === 0)) return true;
  }
  return false;
}

/** The version of a wheel or an egg ends at the next dash, that of an archive may have one. */
function* prefixesOf(rest: string): Iterable<string> {
  for (let dash = rest.indexOf('-'); dash > 0; dash = rest.indexOf('-', dash + 1)) yield rest.slice(0, dash);
}
