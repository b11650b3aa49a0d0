import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gradleRegistries } from '../../../../server/src/engine/ecosystems/gradle/registries.ts';
import type { AccessSource } from '../../../../server/src/engine/model/registries/access.ts';

/*
 * What Gradle itself sends, held against what is read. It takes 15 s, so only with REAL_CLIENTS=all. Held against Gradle
 * 4.4: credentials by the name of a repository came with 6.6 and are read by the documentation.
 */
const isAsked = process.env['REAL_CLIENTS'] === 'all';
const skip =
  isAsked && spawnSync('gradle', ['--version']).status === 0 ? false : 'REAL_CLIENTS=all, with Gradle installed';

test('Gradle sends what is read', { skip }, async () => {
  const asked = new Set<string>();
  const server = createServer(({ url = '', headers: { authorization } }, response) => {
    const path = url.replace(/\/com\/acme\/.*$/, '');
    if (authorization === undefined && !path.endsWith('/open')) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="acme"' }).end();
      return;
    }
    asked.add(said(path, authorization));
    response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'gradle-'));
  after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const files = {
    'init.gradle': `allprojects { repositories { maven { url '${origin}/init'; credentials { username 'ida'; password System.getenv('ACME_TOKEN') } } } }`,
    'build.gradle': `repositories {
  maven { name 'one'; url '${origin}/one'; credentials { username 'u1'; password 'p1' } }
  maven { name 'two'; url '${origin.replace('//', '//x:y@')}/open' }
  maven { url "${origin}/three"; credentials { username = findProperty('teamUser'); password = System.getenv("ACME_TOKEN") } }
  maven { url "$where/four"; authentication { basic(BasicAuthentication) }; credentials { username teamUser; password "$teamPassword" } }
  maven { url = uri("${origin}/five"); credentials { setUsername("u5"); setPassword('p5') } }
}
configurations { wanted }
dependencies { wanted 'com.acme:core:1.0' }
task resolve { doLast { configurations.wanted.resolve() } }`,
    'gradle.properties': `where=${origin}\nteamUser = team\nteamPassword: t\\u0041\\=`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const gradle = spawn('gradle', ['--no-daemon', '-q', '-I', 'init.gradle', '-g', join(folder, 'home'), 'resolve'], {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, ACME_TOKEN: 'of the environment' },
  });
  await once(gradle, 'exit');
  // As if all were the machine's: a workspace may name neither the loopback nor a variable.
  const source = (name: keyof typeof files): AccessSource => ({
    name,
    label: name,
    text: files[name],
    owner: 'machine',
  });
  const access = gradleRegistries.accessTo({
    sources: [source('build.gradle'), source('init.gradle'), source('gradle.properties')],
    variable: (name) => (name === 'ACME_TOKEN' ? 'of the environment' : undefined),
    isTrusted: true,
    lockfiles: [],
  })({ name: 'com.acme:core' });
  const read = access?.registries.map((it) => said(it.address.slice(origin.length), it.credential?.open()));
  assert.deepEqual(read, [...asked]);

  function said(path: string, authorization: string | undefined): string {
    const [, basic] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
    return `${path} as ${basic === undefined ? (authorization ?? 'nobody') : Buffer.from(basic, 'base64').toString()}`;
  }
});
