import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { sparseIndexClient } from '../../../server/src/engine/registries/sparse-index.ts';
import { folderWith } from '../../terminal/program.ts';
import { cargoProgram } from '../../tools/cargo-program.ts';
import { freePort } from '../../tools/free-port.ts';
import { run, watch } from '../../tools/processes.ts';
import { questionTo } from './served.ts';

/*
 * A registry of Cargo by others, cargo-http-registry, with crates that `cargo publish` itself put there. It serves its index
 * below `crates`, as a sparse index. Its build takes minutes, so only with REAL_CLIENTS=all.
 */
const skip = process.env['REAL_CLIENTS'] === 'all' ? false : 'REAL_CLIENTS=all';

test('crates that `cargo publish` put into a registry of others are looked up', { skip }, async (context) => {
  const program = await cargoProgram('cargo-http-registry', '0.1.8');
  if (program === undefined) return context.skip('cargo-http-registry cannot be built');
  const address = `127.0.0.1:${await freePort()}`;
  const index = `http://${address}/crates`;
  const folder = folderWith({
    'reader/config.toml': `[registries.own]\nindex = "sparse+${index}/"\n`,
    'user/Cargo.toml':
      '[package]\nname = "user"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\nacme-core = { version = "1", registry = "own" }\n',
    'user/src/lib.rs': '',
  });
  // It has no answer of its own for a crate that is new, so Cargo publishes over the repository of its index.
  folder.write('publisher/config.toml', `[registries.own]\nindex = "file://${folder.path}/index"\ntoken = "any"\n`);
  const args = ['--addr', address, 'index'];
  const registry = watch({ name: 'cargo-http-registry', command: program, args, cwd: folder.path }, () => {});
  after(async () => {
    await registry.stop();
    folder.remove();
  });
  let hasEnded = false;
  registry.ended.then(() => {
    hasEnded = true;
  });
  // It prints nothing when it is ready.
  while (!(await fetch(`${index}/config.json`).catch(() => undefined))?.ok) assert.ok(!hasEnded);
  for (const version of ['1.0.0', '1.10.0', '1.9.0', '2.0.0-rc.1']) {
    folder.write(
      'maker/Cargo.toml',
      `[package]\nname = "acme-core"\nversion = "${version}"\nedition = "2021"\nlicense = "MIT"\ndescription = "d"\n`,
    );
    folder.write('maker/src/lib.rs', '');
    await cargo('publisher', 'maker', 'publish', '--registry', 'own', '--no-verify', '--allow-dirty');
  }

  const answer = await sparseIndexClient.list(questionTo('sparse-index', index, 'acme-core'));
  const listed = answer.kind === 'found' ? answer.value : assert.fail(JSON.stringify(answer));
  assert.deepEqual(
    rowsOf(listed.facts.versions)
      .map((it) => `${it.version}${it.isDefault ? ' (default)' : ''}`)
      .sort(),
    ['1.0.0', '1.10.0 (default)', '1.9.0', '2.0.0-rc.1'],
  );

  await cargo('reader', 'user', 'generate-lockfile');
  assert.match(readFileSync(`${folder.path}/user/Cargo.lock`, 'utf8'), /name = "acme-core"\nversion = "1\.10\.0"/);

  async function cargo(home: string, at: string, ...args: readonly string[]): Promise<void> {
    const env = { ...process.env, CARGO_HOME: `${folder.path}/${home}` };
    const cwd = `${folder.path}/${at}`;
    const { ok, output } = await run({ name: 'cargo', command: 'cargo', args, cwd, env });
    assert.ok(ok, output);
  }
});
