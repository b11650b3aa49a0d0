import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, type TestContext, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { mavenClient } from '../../../server/src/engine/registries/maven.ts';
import { folderWith } from '../../terminal/program.ts';
import { run } from '../../tools/processes.ts';
import { questionTo, serveFolder } from './served.ts';

/*
 * A repository that Maven itself writes by `mvn deploy`, served over HTTP to anna alone. One build deploys all versions,
 * since Maven takes seconds to start.
 */
const isInstalled = spawnSync('mvn', ['--version']).status === 0;

const versions: Readonly<Record<string, string>> = {
  '1.0.0': '<distributionManagement><relocation><artifactId>kernel</artifactId></relocation></distributionManagement>',
  '1.10.0':
    '<licenses><license><name>Apache License, Version 2.0</name></license></licenses><url>https://acme.example</url>',
  '1.9.0': '<licenses><license><name>MIT License</name></license></licenses>',
  '2.0-rc1': '',
  '2.0-SNAPSHOT': '<licenses><license><name>EPL 2.0</name></license></licenses>',
};
const pom = (artifact: string, version: string, more: string): string =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>${artifact}</artifactId><version>${version}</version><packaging>pom</packaging>${more}</project>`;
const modules = Object.keys(versions).map((it) => `<module>${it}</module>`);
const skip = isInstalled ? false : 'Maven is not installed';

test('what `mvn deploy` writes is read with its credential, and refused without', { skip }, async (context) => {
  const folder = folderWith({
    'pom.xml': pom('all', '1', `<modules>${modules.join('')}</modules>`),
    ...Object.fromEntries(Object.entries(versions).map(([it, more]) => [`${it}/pom.xml`, pom('core', it, more)])),
  });
  after(() => folder.remove());
  if (!(await deploy(folder.path, context))) return;
  const served = await serveFolder(`${folder.path}/repository`);
  after(() => served.close());

  const question = questionTo('maven', served.url, 'com.acme:core');
  const listed = await mavenClient.list(question);
  const facts = listed.kind === 'found' ? listed.value.facts : assert.fail(listed.kind);
  assert.deepEqual(
    rowsOf(facts.versions).map((it) => `${it.version}${it.isDefault ? ' (default)' : ''}`),
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

  const stranger = questionTo('maven', served.url, 'com.acme:core', { stranger: true });
  assert.equal((await mavenClient.list(stranger)).kind, 'denied');
});

/** False, with the test skipped, where Maven cannot fetch its own plugins. */
async function deploy(cwd: string, context: TestContext): Promise<boolean> {
  const args = ['-B', 'deploy', `-DaltDeploymentRepository=acme::default::file://${cwd}/repository`];
  const { ok, output } = await run({ name: 'mvn', command: 'mvn', args, cwd });
  if (ok) return true;
  assert.match(output, /Plugin \S+ or one of its dependencies could not be resolved/, output);
  context.skip('Maven cannot fetch its plugins');
  return false;
}
