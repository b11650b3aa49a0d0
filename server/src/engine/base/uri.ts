/** The directory that holds a file, with its last slash: `file:///a/b.txt` → `file:///a/`. */
export function directoryOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

/** The directory above a directory, or undefined at the root. */
export function parentOf(directory: string): string | undefined {
  const above = directoryOf(directory.slice(0, -1));
  return above.length < directory.length && !/^[\w.+-]+:\/*$/.test(above) ? above : undefined;
}

/** Real directories are less deep. */
const MAX_ANCESTORS = 64;

/** A directory and those above it, nearest first. */
export function* upwardFrom(directory: string | undefined): Generator<string> {
  let at = directory;
  for (let up = 0; at !== undefined && up < MAX_ANCESTORS; up++) {
    yield at;
    at = parentOf(at);
  }
}

/** The last part of a path, decoded: `file:///a/b%20c.txt` → `b c.txt`. */
export function nameOf(uri: string): string {
  return pathOf(uri).slice(pathOf(uri).lastIndexOf('/') + 1);
}

/** The decoded path of a URI: what file patterns are matched against. A URI that cannot be decoded stays as it is. */
export function pathOf(uri: string): string {
  const path = uri.replace(/^[\w.+-]+:(?:\/\/[^/]*)?/, '').replace(/[?#].*$/s, '');
  return decode(path);
}

/** The same spelling for all spellings of a URI: editors percent-encode different characters. */
export function sameUri(uri: string): string {
  return decode(uri).replace(/^file:\/\/\/([A-Z]):/, (_, drive: string) => `file:///${drive.toLowerCase()}:`);
}

/** The URI of a path of this machine: `C:\\a b` → `file:///C:/a%20b`. */
export function fileUri(path: string): string {
  // In a path that begins with a slash, a backslash is an ordinary character.
  const parts = (path.startsWith('/') ? path : path.replaceAll('\\', '/')).split('/');
  const encoded = parts.map((it) => (/^[a-z]:$/i.test(it) ? it : encode(it))).join('/');
  return `file://${encoded.startsWith('/') ? '' : '/'}${encoded}`;
}

/** Resolves a relative path of a file (`../pom.xml`) against its directory. */
export function resolveUri(directory: string, path: string): string {
  const encoded = path.split('/').map(encode).join('/');
  return URL.canParse(encoded, directory) ? new URL(encoded, directory).href : directory + encoded;
}

/** The path from a directory to another below it, with `/`: `''` for the same; undefined if it is not below. */
export function relativeTo(directory: string, below: string): string | undefined {
  const from = sameUri(directory);
  const to = sameUri(below);
  return to.startsWith(from) ? to.slice(from.length).replace(/\/$/, '') : undefined;
}

/**
 * The decoded path from a directory to another place, which may be above: `../other/pom.xml`, `''` for the same. A place
 * that is not on the same file system is its whole URI.
 */
export function pathBetween(directory: string, uri: string): string {
  const from = partsOf(directory);
  const to = partsOf(uri);
  if (from.root !== to.root) return sameUri(uri);
  let shared = 0;
  while (shared < from.parts.length && shared < to.parts.length && from.parts[shared] === to.parts[shared]) shared++;
  return [...from.parts.slice(shared).map(() => '..'), ...to.parts.slice(shared)].join('/');
}

/** `file:///C:/a%20b/` → the root `file:///c:` and the part `a b`. */
function partsOf(uri: string): { readonly root: string; readonly parts: readonly string[] } {
  const [root = ''] = /^[\w.+-]+:(?:\/\/[^/]*)?/.exec(uri) ?? [];
  const [drive = ''] = /^\/[A-Za-z](?::|%3A)(?=\/)/i.exec(uri.slice(root.length)) ?? [];
  const path = uri.slice(root.length + drive.length);
  return { root: sameUri(`${root}${drive.toLowerCase()}`), parts: path.split('/').filter(Boolean).map(decode) };
}

/** Whether a text is a URI, and not a path with a drive. */
export function isUri(text: string): boolean {
  return /^[A-Za-z][\w.+-]+:/.test(text);
}

/** Half a surrogate pair, which a hostile file can hold, cannot be encoded. */
function encode(part: string): string {
  return encodeURIComponent(part.toWellFormed());
}

function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text is its own decoding.
    return text;
  }
}
