import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { DockerfileParser } from 'dockerfile-ast';
import { parseDocument } from 'yaml';
import { serveCommand } from '../../../server/src/service/terminal/serve.ts';

/* The files with which a company runs the service: nothing builds them here, so they are read. */

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'team-service');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Every option that is written anywhere exists. */
function checkOptions(texts: readonly string[], where: string): void {
  const options = texts.filter((it) => it.startsWith('--')).map((it) => it.slice(2));
  assert.ok(options.length > 0, where);
  for (const it of options) assert.ok(it in serveCommand.options, `${where}: --${it}`);
}

test('the container file runs as a user of its own, by exec form, with options that exist', () => {
  const file = DockerfileParser.parse(read('Containerfile'));
  const instructions = file.getInstructions();
  const of = (keyword: string) => instructions.filter((it) => it.getKeyword() === keyword);
  assert.equal(file.getFROMs().length, 1);
  // A version is fixed, so that two builds are alike.
  assert.match(file.getFROMs()[0]?.getImage() ?? '', /:[\d.]+-/);
  const [user] = of('USER');
  assert.equal(user?.getArgumentsContent(), 'node');
  for (const keyword of ['ENTRYPOINT', 'CMD']) {
    const [only, ...others] = of(keyword);
    assert.equal(others.length, 0);
    const args = JSON.parse(only?.getArgumentsContent() ?? '') as string[];
    checkOptions(args, keyword);
    assert.ok((only?.getRange().start.line ?? 0) > (user?.getRange().start.line ?? 0), `${keyword} runs as the user`);
  }
  assert.deepEqual(
    instructions.map((it) => it.getKeyword()).filter((it) => !known.includes(it)),
    [],
  );
  assert.doesNotMatch(read('Containerfile'), /\bcurl\b|\bwget\b|ADD https?:|:latest/);
});

const known = 'FROM ARG COPY RUN ENV USER WORKDIR VOLUME EXPOSE STOPSIGNAL HEALTHCHECK ENTRYPOINT CMD'.split(' ');

interface Compose {
  readonly services: Readonly<
    Record<
      string,
      {
        command?: string[];
        secrets?: (string | { source: string })[];
        depends_on?: object;
        image: string;
        volumes?: string[];
      }
    >
  >;
  readonly secrets: object;
  readonly volumes: object;
}

test('the compose file names only what it declares, and options that exist', () => {
  const document = parseDocument(read('compose.yaml'), { uniqueKeys: true });
  assert.deepEqual([...document.errors, ...document.warnings], []);
  const { services, secrets, volumes } = document.toJS() as Compose;
  checkOptions(services['insights']?.command ?? [], 'compose.yaml');
  for (const [name, it] of Object.entries(services)) {
    for (const secret of it.secrets ?? [])
      assert.ok((typeof secret === 'string' ? secret : secret.source) in secrets, name);
    for (const other of Object.keys(it.depends_on ?? {})) assert.ok(other in services, name);
    for (const volume of it.volumes ?? []) assert.ok((volume.split(':')[0] ?? '') in volumes, name);
    assert.ok(name === 'insights' || /:[\d.]+@/.test(it.image), name);
  }
  // The database is not published.
  assert.ok(!('ports' in (services['database'] ?? {})) && !('ports' in (services['shared'] ?? {})));
});

const systemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('the unit is one, and its options exist', { skip: systemd ? false : 'systemd-analyze is not installed' }, () => {
  const scratch = mkdtempSync(join(tmpdir(), 'insights-unit-'));
  try {
    const path = join(scratch, 'package-insights.service');
    copyFileSync(join(folder, 'package-insights.service'), path);
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' });
    const faults = stderr.split('\n').filter((it) => it.includes('package-insights.service'));
    assert.deepEqual([status, faults], [0, []]);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  checkOptions(
    read('package-insights.service')
      .split(/\s+/)
      .filter((it) => it.startsWith('--')),
    'unit',
  );
});
