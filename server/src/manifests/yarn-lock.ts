import type { Dependency, Manifest, ManifestFormat, Source } from '../model/manifest.ts';
import type { Literal, Span } from '../model/span.ts';
import { scanLines } from '../text/lines.ts';
import { verbatim } from '../text/verbatim.ts';
import { npm } from '../versions/npm.ts';
import { takenFrom } from './locked-entry.ts';
import { lockedSource } from './npm-specifier.ts';
import { writtenBy } from './written-by.ts';

/** yarn's lockfile, opened itself, as its first version and the later ones write it, and as npm does where it finds one. */
export const yarnLock: ManifestFormat = {
  id: 'yarn.lock',
  system: 'NPM',
  record: 'lockfile',
  files: /(^|\/)yarn\.lock$/,
  parse,
};

/** What was read of one package so far. */
interface Reading {
  readonly name: Span;
  /** The package, where that has another name: an alias. */
  readonly called: string;
  version?: Literal | undefined;
  /** `root` for the workspace's own, which nothing depends on. */
  source: Source | 'registry' | 'root';
}

const elsewhere = takenFrom('NPM', 'yarn install');

/**
 *     "lodash@^4.17.15", lodash@^4.17.21:        "lodash@npm:^4.17.15, lodash@npm:^4.17.21":
 *      ^^^^^^                                     ^^^^^^
 *       version "4.17.21"                          version: 4.17.21
 *                ^^^^^^^                                    ^^^^^^^
 *                                                  resolution: "lodash@npm:4.17.21"
 */
function parse(text: string): Manifest {
  const dependencies: Dependency[] = [];
  let current: Reading | undefined;

  scanLines(text, (start, end, indent) => {
    if (indent === 0) {
      // A colon alone goes on with a long key, which stands behind a question mark.
      if (text[start] === '#' || text[start] === ':') return;
      finish();
      current = readKey(text, text.startsWith('? ', start) ? start + 2 : start, end);
    } else if (indent === 2 && current) {
      // npm writes names with quotes.
      const field = text[start + 2] === '"' ? start + 3 : start + 2;
      if (text.startsWith('version', field)) current.version ??= readVersion(text, field + 7, end);
      else if (text.startsWith('resolution', field)) {
        const directory = /@workspace:([^"]*)/.exec(text.slice(start, end))?.[1];
        if (directory !== undefined) current.source = directory === '.' ? 'root' : 'workspace';
      }
    }
  });
  finish();
  return { dependencies, definitions: [], references: [], problems: [] };

  function finish(): void {
    const { name, called, version, source } = current ?? nothing;
    current = undefined;
    if (source === 'root' || !version) return;
    if (source !== 'registry') {
      dependencies.push(elsewhere(text.slice(name.start, name.end), name, source, version.span));
      return;
    }
    if (npm.read(version.text).kind !== 'pin') return;
    dependencies.push({
      key: { system: 'NPM', name: called },
      name: text.slice(name.start, name.end),
      nameSpan: name,
      requirement: { kind: 'literal', at: version },
      scope: 'runtime',
      frozen: writtenBy('yarn install'),
    });
  }
}

const nothing: Reading = { name: { start: 0, end: 0 }, called: '', source: 'root' };

/** In characters. What asks for one package in a hundred ways is cut: only the first of them is read. */
const longest = 1000;
const descriptor = /^"?((?:@[^\s":@/]+\/)?[^\s":,@/_.][^\s":,@/]*)(?:@([^\s",]*)|(?=[":,]))/;

/** `lodash@^4`, `lodash:` for any version, `"lodash@npm:^4`, `"alias@npm:lodash@^3`, `"forked@git+https://…`, `"app@workspace:.` */
function readKey(text: string, start: number, end: number): Reading | undefined {
  const [whole, name = '', range = ''] = descriptor.exec(text.slice(start, Math.min(end, start + longest))) ?? [];
  if (whole === undefined) return undefined;
  const at = start + (whole.startsWith('"') ? 1 : 0);
  const alias = /^npm:((?:@[^@/]+\/)?[^@/]+)@/.exec(range)?.[1];
  return {
    name: { start: at, end: at + name.length },
    called: alias ?? name,
    source: lockedSource(range.replace(/:$/, '')),
  };
}

/** `version "4.17.21"`, `version: 4.17.21`, `version: "4.17.21"`, `"version" "4.17.21"`, `"version": 4.17.21` */
function readVersion(text: string, from: number, end: number): Literal | undefined {
  const [, before = '', version] = /^("?:?[ \t]*"?)([^\s"]+)/.exec(text.slice(from, end)) ?? [];
  if (version === undefined) return undefined;
  return verbatim(text, from + before.length, from + before.length + version.length);
}
