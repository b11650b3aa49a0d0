import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gradle } from '../../../../server/src/engine/ecosystems/gradle/build-gradle.ts';

const patched = {
  array: ['slice', 'some', 'find', 'findIndex', 'findLast', 'findLastIndex', 'filter', 'flatMap', 'map'] as const,
  string: ['slice', 'replace', 'replaceAll', 'includes', 'trim'] as const,
};

/** What is gone through and copied while something runs: elements of arrays, characters of strings and of matched texts. */
function workOf(run: () => void): number {
  let work = 0;
  const restore: (() => void)[] = [];
  function patch(target: object, name: string, costs: (self: { readonly length: number }, result: unknown) => number) {
    const original = Reflect.get(target, name);
    Reflect.set(target, name, function (this: never, ...all: unknown[]) {
      const result = Reflect.apply(original, this, all);
      work += costs(this, result);
      return result;
    });
    restore.push(() => Reflect.set(target, name, original));
  }
  const size = (it: unknown): number => (it as { readonly length?: number } | null)?.length ?? 1;
  for (const it of patched.array) patch(Array.prototype, it, it === 'slice' ? (_, result) => size(result) : size);
  for (const it of patched.string) patch(String.prototype, it, it === 'slice' ? (_, result) => size(result) : size);
  const { indexOf } = String.prototype;
  Reflect.set(String.prototype, 'indexOf', function (this: string, searched: string, from = 0) {
    const found = indexOf.call(this, searched, from);
    work += (found < 0 ? this.length : found) - from;
    return found;
  });
  restore.push(() => Reflect.set(String.prototype, 'indexOf', indexOf));
  try {
    run();
  } finally {
    for (const it of restore) it();
  }
  return work;
}

const list = (of: number, entry: (at: number) => string): string =>
  Array.from({ length: of }, (_, at) => entry(at)).join('');

/** Scripts as people and programs write them, of any length. */
const scripts: Readonly<Record<string, (of: number) => string>> = {
  dependencies: (of) => `dependencies {\n${list(of, (at) => `  implementation 'org.example:lib${at}:1.${at}'\n`)}}\n`,
  'references and what they refer to': (of) =>
    list(of, (at) => `def v${at} = '1.${at}'\ndependencies { api "g:a${at}:$v${at}" }\n`),
  'blocks in dependencies': (of) =>
    `dependencies {\n${list(of, (at) => `  api("g:a${at}:1") { exclude group: 'g', module: 'm' }\n`)}}\n`,
  'one list': (of) => `def all = [\n${list(of, (at) => `  'g:a${at}:1',\n`)}]\ndependencies { api all }\n`,
  'one map': (of) => `ext.deps = [\n${list(of, (at) => `  a${at}: 'g:a${at}:1',\n`)}]\ndependencies { api deps.a1 }\n`,
  'one statement': (of) => `dependencies { api ${list(of, (at) => `'g:a${at}:1',\n`)} 'g:last:1' }\n`,
  'tasks and comments': (of) =>
    list(of, (at) => `// it's ${at}\ntasks.register("t${at}") { doLast { println("a \${x} b") } } /* ' */\n`),
  'names of names': (of) => `${list(of, (at) => `def a${at} = a${at + 1}\n`)}dependencies { api a0 }\n`,
  'empty lines': (of) => `dependencies {\n${'\n'.repeat(of * 20)}api 'g:a:1'\n}`,
  'an open bracket': (of) => `dependencies { api(${list(of, (at) => `'g:a${at}:1',\n`)}`,
};

for (const [title, script] of Object.entries(scripts)) {
  test(`twice the text is twice the work: ${title}`, () => {
    const [short, long] = [script(1000), script(2000)];
    gradle.parse(short);
    const [one, two] = [short, long].map((text) => workOf(() => gradle.parse(text))) as [number, number];
    assert.ok(two < one * 3, `${one}, and ${two} for twice as much`);
    assert.ok(two < long.length * 10, `${two} for ${long.length} characters`);
  });
}
