import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pom as pomFormat } from '../../../../server/src/engine/ecosystems/maven/pom.ts';
import { registryReaders } from '../../../../server/src/engine/ecosystems/registries.ts';

/*
 * Which repositories Maven itself asks for what, held against what is read. Nothing is published anywhere, so Maven asks all
 * of them, each a host behind one proxy. It takes 2 s a case, so only with REAL_CLIENTS=all.
 */
const isAsked = process.env['REAL_CLIENTS'] === 'all';
const version = isAsked ? (spawnSync('mvn', ['--version'], { encoding: 'utf8' }).stdout ?? '') : '';
const skip = /Apache Maven 3\.(?:8|9)/.test(version) ? false : 'REAL_CLIENTS=all, with Maven 3 installed';

const repository = (host: string, more = '', item = 'repository'): string =>
  `<${item}><id>${host}</id><url>http://${host}.acme.example</url>${more}</${item}>`;
const snapshots = '<releases><enabled>false</enabled></releases>';
const coordinates = (artifact: string, version: string): string =>
  `<groupId>com.acme</groupId><artifactId>${artifact}</artifactId><version>${version}</version>`;
const bom = (of = '1.0'): string =>
  `<dependencyManagement><dependencies><dependency>${coordinates('core', of)}<type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>`;
const repositories = `<repositories>${repository('all')}${repository('snap', snapshots)}</repositories><pluginRepositories>${repository('plug', '', 'pluginRepository')}${repository('plugsnap', snapshots, 'pluginRepository')}</pluginRepositories>`;
const profile = (id: string, activation = ''): string =>
  `<profile><id>${id}</id><activation>${activation}</activation><repositories>${repository(id)}</repositories></profile>`;
const property = (name: string, value = ''): string =>
  `<property><name>${name}</name>${value && `<value>${value}</value>`}</property>`;
const profiles = `<profiles>${profile('hand')}${profile('default', '<activeByDefault>true</activeByDefault>')}${profile('with', property('ci'))}${profile('without', property('!quick'))}${profile('value', property('on', 'acme'))}${profile('other', property('on', '!acme'))}</profiles>`;

interface Case {
  readonly pom: string;
  readonly config?: string;
  readonly goal?: string;
}

const cases: Readonly<Record<string, Case>> = {
  'a BOM': { pom: repositories + bom() },
  'a snapshot': { pom: repositories + bom('1.0-SNAPSHOT') },
  'a parent': { pom: `<parent>${coordinates('core', '1.0')}<relativePath/></parent>${repositories}` },
  'an extension': {
    pom: `${repositories}<build><extensions><extension>${coordinates('core', '1.0')}</extension></extensions></build>`,
  },
  'a plugin': {
    pom: `${repositories}<build><plugins><plugin>${coordinates('core', '1.0')}</plugin></plugins></build>`,
    goal: 'com.acme:core:1.0:go',
  },
  'the default profile': { pom: profiles.replace('!quick', 'quick').replace('!acme', 'acme') + bom() },
  'profiles without a property': { pom: profiles + bom() },
  'profiles by properties': { pom: profiles + bom(), config: '-Dci\n-Dquick=1\n-Don=acme' },
  'profiles by name': { pom: profiles + bom(), config: '-Phand,!without\n-Dci' },
  'a central repository that is no such': {
    pom: `<repositories>${repository('central', snapshots)}</repositories>${bom()}`,
  },
};

for (const [title, { pom, config = '', goal = 'validate' }] of Object.entries(cases)) {
  test(`Maven asks the repositories that are read: ${title}`, { skip }, async () => {
    const asked = new Set<string>();
    const proxy = createServer(({ url = '' }, response) => {
      const { hostname, pathname } = new URL(url);
      if (pathname.includes('/com/acme/core/')) asked.add(hostname);
      response.writeHead(404).end();
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const folder = mkdtempSync(join(tmpdir(), 'maven-'));
    after(() => {
      proxy.close();
      proxy.closeAllConnections();
      rmSync(folder, { recursive: true, force: true });
    });
    const { port } = proxy.address() as AddressInfo;
    const own = pom.includes('<parent>') ? '' : '<groupId>com.acme</groupId><version>1</version>';
    const text = `<project><modelVersion>4.0.0</modelVersion>${own}<artifactId>app</artifactId><packaging>pom</packaging>${pom}</project>`;
    mkdirSync(join(folder, '.mvn'));
    const [settings, global] = [join(folder, 'settings.xml'), join(folder, 'global.xml')];
    writeFileSync(join(folder, 'pom.xml'), text);
    writeFileSync(join(folder, '.mvn', 'maven.config'), config);
    // Takes the central repository off the network, unless the POM has one of its own.
    const mirror = '<mirror><id>usual</id><url>http://usual.example</url><mirrorOf>central</mirrorOf></mirror>';
    writeFileSync(
      settings,
      `<settings><proxies><proxy><id>p</id><protocol>http</protocol><host>127.0.0.1</host><port>${port}</port></proxy></proxies>
<mirrors>${pom.includes('<id>central</id>') ? '' : mirror}</mirrors></settings>`,
    );
    // Without the blocker of plain http.
    writeFileSync(global, '<settings/>');
    const options = ['-B', '-q', '-s', settings, '-gs', global, `-Dmaven.repo.local=${join(folder, 'local')}`];
    const environment = { ...process.env, MAVEN_ARGS: '', MAVEN_OPTS: '' };
    const maven = spawn('mvn', [...options, goal], { cwd: folder, stdio: 'ignore', env: environment });
    await once(maven, 'exit');
    const [dependency] = pomFormat.parse(text).dependencies;
    const { role, requirement } = dependency ?? {};
    const route = registryReaders.MAVEN.ownersOf([
      { name: 'pom.xml', label: 'pom.xml', text, owner: 'workspace' },
      { name: 'maven.config', label: '.mvn/maven.config', text: config, owner: 'workspace' },
    ]);
    const read = route({
      name: 'com.acme:core',
      ...(role && { role }),
      ...(requirement?.kind === 'literal' && { version: requirement.at.text }),
    });
    asked.delete('usual.example');
    const hosts = read.flatMap(({ host }) => host ?? []);
    assert.deepEqual([...asked].sort(), hosts.toSorted());
  });
}
