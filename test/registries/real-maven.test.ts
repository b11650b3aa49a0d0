import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mavenClient } from '../../server/src/registries/maven.ts';
import { questionTo, type ServedFile, serveRegistry } from './served.ts';

/*
 * A repository that Maven itself writes, by `mvn deploy:deploy-file` with the POMs of the test. Maven starts once a version,
 * and downloads its plugin once, so only with REAL_CLIENTS=all.
 */
const isAsked = process.env['REAL_CLIENTS'] === 'all';
const skip = isAsked && spawnSync('mvn', ['--version']).status === 0 ? false : 'REAL_CLIENTS=all, with Maven installed';

const poms: Readonly<Record<string, string>> = {
  '1.0.0': '<distributionManagement><relocation><artifactId>kernel</artifactId></relocation></distributionManagement>',
  '1.10.0':
    '<licenses><license><name>Apache License, Version 2.0</name></license></licenses><url>https://acme.example</url>',
  '1.9.0': '<licenses><license><name>MIT License</name></license></licenses>',
  '2.0-rc1': '',
  '2.0-SNAPSHOT': '<licenses><license><name>EPL 2.0</name></license></licenses>',
};

test('what Maven deploys is read', { skip }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'deployed-'));
  const served = await serveRegistry((path) => fileAt(join(folder, 'repository'), path));
  after(() => {
    served.close();
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [version, more] of Object.entries(poms)) {
    const pom = join(folder, 'pom', `${version}.xml`);
    mkdirSync(join(folder, 'pom'), { recursive: true });
    writeFileSync(
      pom,
      `<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>core</artifactId><version>${version}</version><packaging>pom</packaging>${more}</project>`,
    );
    const repository = `-Durl=file://${join(folder, 'repository')}`;
    const options = ['-q', '-B', `-Dfile=${pom}`, `-DpomFile=${pom}`, repository, '-DrepositoryId=acme'];
    const maven = spawn('mvn', ['deploy:deploy-file', ...options], { cwd: folder, stdio: 'ignore' });
    const [status] = await once(maven, 'exit');
    assert.equal(status, 0);
  }
  const question = questionTo('maven', served.url, 'com.acme:core');
  const listed = await mavenClient.list(question);
  const facts = listed.kind === 'found' ? listed.value.facts : assert.fail(listed.kind);
  assert.deepEqual(
    facts.versions.map((it) => `${it.version}${it.isDefault ? ' (default)' : ''}`),
    ['1.0.0', '1.9.0', '1.10.0 (default)', '2.0-rc1', '2.0-SNAPSHOT'],
  );
  const of = async (version: string) => {
    const answer = await mavenClient.version?.(question, version);
    return answer?.kind === 'found' ? answer.value : assert.fail(`${version}: ${answer?.kind}`);
  };
  assert.equal((await of('1.0.0')).deprecatedReason, 'moved to com.acme:kernel:1.0.0');
  assert.deepEqual((await of('1.10.0')).licenses, ['Apache-2.0']);
  assert.deepEqual((await of('1.9.0')).licenses, ['MIT']);
  assert.deepEqual((await of('2.0-SNAPSHOT')).licenses, ['EPL-2.0']);
  assert.ok(Math.abs(Date.now() - ((await of('2.0-rc1')).publishedAt ?? 0)) < 10 * 60_000);
});

function fileAt(folder: string, path: string): ServedFile | undefined {
  const file = join(folder, path);
  const about = statSync(file, { throwIfNoEntry: false });
  if (!about?.isFile()) return undefined;
  return { text: readFileSync(file, 'utf8'), headers: { 'last-modified': about.mtime.toUTCString() } };
}
