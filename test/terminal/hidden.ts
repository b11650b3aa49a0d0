import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServiceForFile } from '../harness/file-service.ts';
import { type Ended, folderWith } from './program.ts';
import { runHere } from './terminal.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;

const systems = ['MAVEN', 'PYPI', 'NUGET', 'CARGO', 'NPM'] as const;
const names = { MAVEN: 'com.example:evil' } as Readonly<Partial<Record<string, string>>>;

/** Checks folders against a service that knows an affected package of each system, and one that is fine. */
export async function startHiding(): Promise<(files: Files, ...args: readonly string[]) => Promise<Ended>> {
  const service = await startServiceForFile({
    ...Object.fromEntries(systems.map((it) => [`${it} ${names[it] ?? 'evil'}`, { versions: ['1.0.0'] }])),
    ...Object.fromEntries(
      ['fine', 'outer'].flatMap((name) =>
        systems.map((it) => [`${it} ${it === 'MAVEN' ? `com.example:${name}` : name}`, { versions: ['1.0.0'] }]),
      ),
    ),
    'advisory GHSA-evil': {
      cvss3Score: 9.8,
      affected: systems.map((system) => ({ system, name: names[system] ?? 'evil', ranges: [{ introduced: '0' }] })),
    },
  });
  return async (files, ...args) => {
    const folder = folderWith(files);
    try {
      return await runHere(['check', ...args], folder.path, { baseUrl: service.url });
    } finally {
      folder.remove();
    }
  };
}

/** Each hides an affected dependency from who reads only its usual files: it is found, or counted as a gap. */
export function testHidden(
  hidden: Readonly<Record<string, Files>>,
  run: Awaited<ReturnType<typeof startHiding>>,
): void {
  for (const [title, files] of Object.entries(hidden)) {
    test(`is not passed over: ${title}`, async () => {
      const { code, out } = await run(files);
      assert.notEqual(code, 0, out);
    });
  }
}

/** None of these hides anything. */
export function testPlain(plain: Readonly<Record<string, Files>>, run: Awaited<ReturnType<typeof startHiding>>): void {
  for (const [title, files] of Object.entries(plain)) {
    test(`is no gap: ${title}`, async () => {
      const { code, error } = await run(files);
      assert.equal(code, 0, error);
    });
  }
}
