import fc from 'fast-check';

/* Random notifications of an editor: documents are opened, edited and closed in any order. */

const names = ['package.json', 'requirements.txt', 'pom.xml'] as const;

const pieces = [
  '{"dependencies":{"a":"^1.0.0"}}',
  '"b": "2.0.0",',
  'requests==2.31.0',
  '<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>',
  '\n',
  '\r\n',
  '\t',
  '😀',
  'é',
  '}',
  '"',
  '',
];

const sound = [
  '{\n  "dependencies": {\n    "a": "^1.0.0",\n    "b": "2.0.0"\n  }\n}\n',
  '# 😀\r\nrequests==2.31.0\r\nrequests [x] ~= 2.0 ; python_version > "3" # é',
  '<project><dependencies>\n<dependency><groupId>g</groupId><artifactId>a</artifactId><version>1</version></dependency>\n</dependencies></project>',
];

const text = fc.oneof(
  fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((it) => it.join('')),
  fc.constantFrom(...sound),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const which = fc.integer({ min: 0, max: names.length - 1 });
const change = fc.record({ from: share, to: share, text, whole: fc.boolean() });
const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), which, text }),
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      which,
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
    }),
  },
  fc.record({ kind: fc.constant('close' as const), which }),
);

/** A place in a text as editors name it; never between the two halves of a line's end. */
function offsetIn(content: string, part: number): number {
  const offset = Math.round(part * content.length);
  return content[offset - 1] === '\r' && content[offset] === '\n' ? offset - 1 : offset;
}

function positionOf(content: string, offset: number): { readonly line: number; readonly character: number } {
  const lines = content.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
}

export type Steps = readonly Step[];
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Up to so many steps. */
export const steps: fc.Arbitrary<Steps> = fc.array(step, { maxLength: 12 });

/** Tells a server of some steps. Gives the texts of the documents that are open at the end, by their addresses. */
export async function play(
  all: Steps,
  folder: string,
  notify: (method: string, params: object) => Promise<void>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  let version = 0;
  for (const it of all) {
    const uri = `${folder}/${names[it.which]}`;
    const before = texts.get(uri);
    version++;
    if (it.kind === 'open' && before === undefined) {
      texts.set(uri, it.text);
      await notify('textDocument/didOpen', { textDocument: { uri, languageId: 'plaintext', version, text: it.text } });
    } else if (it.kind === 'close' && before !== undefined) {
      texts.delete(uri);
      await notify('textDocument/didClose', { textDocument: { uri } });
    } else if (it.kind === 'change' && before !== undefined) {
      let now = before;
      const contentChanges = it.changes.map(({ from, to, text: put, whole }) => {
        if (whole) {
          now = put;
          return { text: put };
        }
        const [a = 0, b = 0] = [offsetIn(now, from), offsetIn(now, to)].toSorted((x, y) => x - y);
        const range = { start: positionOf(now, a), end: positionOf(now, b) };
        now = now.slice(0, a) + put + now.slice(b);
        return { range, text: put };
      });
      texts.set(uri, now);
      await notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges });
    }
  }
  return texts;
}
