import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { mavenRegistries } from '../../../../server/src/engine/ecosystems/maven/registries.ts';

/*
 * What Maven itself sends, held against what is read. A BOM that no repository has makes Maven ask each of them, without
 * any plugin. All repositories are paths of one server on the loopback, which wants a credential. Maven takes seconds to
 * start: REAL_CLIENTS=all runs more than the first case.
 */

/** `/path as user:password`, in their order. */
const asked: string[] = [];
const server = createServer(({ url = '', headers: { authorization } }, response) => {
  const path = url.replace(/\/com\/acme\/.*$/, '');
  if (authorization === undefined && !path.endsWith('/open')) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="acme"' }).end();
    return;
  }
  asked.push(said(path, authorization));
  response.writeHead(404).end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const folder = mkdtempSync(join(tmpdir(), 'maven-'));
after(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});
const origin = `http://localhost:${(server.address() as AddressInfo).port}`;

function said(path: string, authorization: string | undefined): string {
  const [, basic] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  return `${path} as ${basic === undefined ? (authorization ?? 'nobody') : Buffer.from(basic, 'base64').toString()}`;
}

const version = spawnSync('mvn', ['--version'], { encoding: 'utf8' }).stdout ?? '';
const skip = /Apache Maven 3\.(?:8|9)/.test(version) ? false : 'Maven 3 is not installed';

const repository = (id: string, path = `/${id}`): string =>
  `<repository><id>${id}</id><url>${origin}${path}</url></repository>`;
const profile = (id: string, activation: string, content: string): string =>
  `<profile><id>${id}</id>${activation}<repositories>${content}</repositories></profile>`;
const byDefault = '<activation><activeByDefault>true</activeByDefault></activation>';
const byJava = '<activation><jdk>[1.8,)</jdk></activation>';

const bom =
  '<dependency><groupId>com.acme</groupId><artifactId>bom</artifactId><version>1.0</version><type>pom</type><scope>import</scope></dependency>';

const pom = `<project><modelVersion>4.0.0</modelVersion><groupId>com.acme</groupId><artifactId>app</artifactId><version>1</version>
<packaging>pom</packaging><properties><where>${origin}</where></properties>
<repositories>${repository('acme', '/p1').replace(origin, '$'.concat('{where}'))}${repository('own', '/p2').replace(
  '//',
  '//u:p%40x@',
)}${repository('central')}${repository('both', '/p4').replace('//', '//no:no@')}${repository('open', '/open')}
<repository><id>snapshots</id><url>${origin}/snapshots</url><releases><enabled>false</enabled></releases></repository></repositories>
<profiles>${profile('x', byDefault, repository('x'))}${profile('y', byJava, repository('y'))}${profile('z', '', repository('z'))}${profile('q', '', repository('q'))}</profiles>
<dependencyManagement><dependencies>${bom}</dependencies></dependencyManagement></project>`;

const serverOf = (id: string, password = 'pw'): string =>
  `<server><id>${id}</id><username>${id}</username><password>${password}</password></server>`;
const servers = `<servers>${['one', 'own-server', 'acme', 'y', 'z', 'central', 'both', 'mirror'].map((it) => serverOf(it)).join('')}
${serverOf('two', '$'.concat('{env.ACME_PASSWORD}'))}
<server><id>three</id><configuration><httpHeaders><property><name>Authorization</name><value>Bearer abc</value></property></httpHeaders></configuration></server></servers>`;
const profiles = `<profiles>${profile('a', '', repository('one'))}${profile('b', byDefault, repository('two'))}
${profile('c', '', repository('three') + repository('open2', '/2/open'))}${profile('d', '', repository('never'))}</profiles>
<activeProfiles><activeProfile>a</activeProfile><activeProfile>c</activeProfile><activeProfile>z</activeProfile></activeProfiles>`;
const mirror = (id: string, of: string): string =>
  `<mirror><id>${id.replace('/', '-')}</id><url>${origin}/m/${id}</url><mirrorOf>${of}</mirrorOf></mirror>`;

const cases: Readonly<Record<string, string>> = {
  'repositories of profiles and of the POM': `<settings>${servers}${profiles}</settings>`,
  'a mirror of everything': `<settings>${servers}<mirrors>${mirror('mirror', '*')}</mirrors>${profiles}</settings>`,
  'mirrors of some': `<settings>${servers}<mirrors>${mirror('mirror', 'acme,two,*,!one,!y')}${mirror('exact/open', 'three')}</mirrors>${profiles}</settings>`,
  'a mirror of what is external': `<settings>${servers}<mirrors>${mirror('mirror', 'external:*')}</mirrors>${profiles}</settings>`,
};

const chosen = Object.entries(cases).slice(0, process.env['REAL_CLIENTS'] === 'all' ? undefined : 1);
for (const [title, settings] of chosen) {
  test(`Maven sends what is read: ${title}`, { skip }, async () => {
    const [pomFile, settingsFile] = [join(folder, 'pom.xml'), join(folder, 'settings.xml')];
    // For a BOM, unlike a dependency, Maven 3 also asks the mirrors of what a POM defines again or gives by a property.
    const text = title.includes('mirror')
      ? pom.replaceAll('$'.concat('{where}'), origin).replace(repository('central'), '')
      : pom;
    writeFileSync(pomFile, text);
    writeFileSync(settingsFile, settings);
    asked.length = 0;
    const options = ['-B', '-q', '-s', settingsFile, '-f', pomFile, `-Dmaven.repo.local=${join(folder, title)}`];
    const maven = spawn('mvn', [...options, 'validate'], {
      cwd: folder,
      stdio: 'ignore',
      env: { ...process.env, ACME_PASSWORD: 'from the environment', MAVEN_ARGS: '', MAVEN_OPTS: '' },
    });
    await once(maven, 'exit');
    const access = mavenRegistries.accessTo({
      isTrusted: true,
      lockfiles: [],
      variable: (name) => (name === 'ACME_PASSWORD' ? 'from the environment' : undefined),
      // As if the machine named all of them: a workspace may not name the loopback.
      sources: [
        { name: 'pom.xml', label: 'pom.xml', text, owner: 'machine' },
        { name: 'settings.xml', label: '~/.m2/settings.xml', text: settings, owner: 'machine' },
      ],
    })({ name: 'com.acme:bom' });
    const read = access?.registries
      .filter((it) => it.takes !== 'snapshots')
      .map((it) => said(it.address.slice(origin.length), it.credential?.open()));
    assert.deepEqual(read, asked);
  });
}
