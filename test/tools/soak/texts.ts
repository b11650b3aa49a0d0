import type { System } from '../../../server/src/engine/model/system.ts';
import type { InlineCatalog } from '../../harness/service.ts';
import type { Random } from './random.ts';

/** One kind of manifest: its name, and how a dependency is written in it. */
interface Kind {
  readonly file: string;
  readonly system: System;
  readonly before: string;
  readonly line: (name: string, version: string) => string;
  readonly after: string;
}

const kinds: readonly Kind[] = [
  {
    file: 'package.json',
    system: 'NPM',
    before: '{\n  "dependencies": {\n    "last": "1.0.0"\n',
    line: (name, version) => `    ,"${name}": "^${version}"\n`,
    after: '  }\n}\n',
  },
  { file: 'requirements.txt', system: 'PYPI', before: '', line: (name, version) => `${name}==${version}\n`, after: '' },
  {
    file: 'Cargo.toml',
    system: 'CARGO',
    before: '[dependencies]\n',
    line: (name, version) => `${name} = "${version}"\n`,
    after: '',
  },
  {
    file: 'pom.xml',
    system: 'MAVEN',
    before: '<project><dependencies>\n',
    line: (name, version) =>
      `<dependency><groupId>g</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>\n`,
    after: '</dependencies></project>\n',
  },
];

const packages = Array.from({ length: 40 }, (_, at) => `p${at}`);
const published = ['1.0.0', '1.1.0', '1.2.0', '2.0.0', '2.1.0'];
/** The last was never published. */
const versions = [...published, '9.9.9'];

/** The catalog: every third package is deprecated, every fourth has an advisory for its older versions. */
export const catalog: InlineCatalog = Object.fromEntries([
  ...kinds.flatMap(({ system }) =>
    packages.map((name, at) => {
      const own = at % 3 === 0 ? { deprecated: 'use another' } : {};
      const fields = (version: string) => ({ ...own, ...(version === '2.1.0' && { isDefault: true }) });
      const all = Object.fromEntries(published.map((version) => [version, fields(version)]));
      return [`${system} ${nameIn(system, name)}`, { versions: all, shared: { licenses: ['MIT'] } }] as const;
    }),
  ),
  ...packages
    .filter((_, at) => at % 4 === 0)
    .map((name) => {
      const affected = kinds.map(({ system }) => ({
        system,
        name: nameIn(system, name),
        ranges: [{ introduced: '0', fixed: '2.0.0' }],
      }));
      return [`advisory GHSA-${name}`, { title: `Flaw in ${name}`, cvss3Score: 7.5, affected }] as const;
    }),
]);

function nameIn(system: System, name: string): string {
  return system === 'MAVEN' ? `g:${name}` : name;
}

/** A document as its client has it. */
export interface Client {
  readonly uri: string;
  readonly kind: Kind;
  text: string;
  version: number;
}

export function newDocument(at: number, random: Random): Client {
  const kind = random.of(kinds);
  return { uri: `file:///soak/d${at}/${kind.file}`, kind, text: newText(kind, random), version: 1 };
}

function newText({ before, line, after }: Kind, random: Random): string {
  const lines = Array.from({ length: 2 + random.below(10) }, () => line(random.of(packages), random.of(versions)));
  return before + lines.join('') + after;
}

export interface Edit {
  /** The text that goes away, by offsets; absent where the whole text is replaced. */
  readonly range?: { readonly start: number; readonly end: number };
  readonly text: string;
}

/** In characters. A longer document is replaced by a new one, so that all edits cost the same. */
const MAX_TEXT_LENGTH = 3000;

/** A random edit: another version, a new line, a deleted line, a few characters, half a line. */
export function nextEdit(document: Client, random: Random): Edit {
  const { range, text } = anyEdit(document, random);
  if (range === undefined) return { text };
  return { range: { start: place(document.text, range.start), end: place(document.text, range.end) }, text };
}

/** No cursor is between the two characters of a line end. */
function place(text: string, offset: number): number {
  return text[offset - 1] === '\r' && text[offset] === '\n' ? offset - 1 : offset;
}

function anyEdit({ kind, text }: Client, random: Random): Edit {
  if (text.length > MAX_TEXT_LENGTH || random.chance(0.02)) return { text: newText(kind, random) };
  const numbers = [...text.matchAll(/\d+\.\d+\.\d+/g)];
  const lines = [...text.matchAll(/^.*\n/gm)];
  const at = random.below(text.length + 1);
  switch (random.below(5)) {
    case 0: {
      const found = numbers.length > 0 ? random.of(numbers) : undefined;
      if (found === undefined) return insert(at, random.of(versions));
      return { range: { start: found.index, end: found.index + found[0].length }, text: random.of(versions) };
    }
    case 1: {
      const start = lines.length > 0 ? random.of(lines).index : 0;
      return insert(start, kind.line(random.of(packages), random.of(versions)));
    }
    case 2: {
      const line = lines.length > 0 ? random.of(lines) : undefined;
      return line ? { range: { start: line.index, end: line.index + line[0].length }, text: '' } : insert(0, '\n');
    }
    case 3:
      return insert(at, random.of(['"', '}', '😀', '\r\n', ' ', '<', '1', '\t']));
    default:
      return { range: { start: at, end: Math.min(text.length, at + random.below(4)) }, text: '' };
  }
}

function insert(at: number, text: string): Edit {
  return { range: { start: at, end: at }, text };
}
