import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, test } from 'node:test';
import { rowsOf } from '../../../server/src/engine/model/facts.ts';
import { goProxy } from '../../../server/src/engine/registries/go-proxy.ts';
import { folderWith } from '../../terminal/program.ts';
import { run } from '../../tools/processes.ts';
import { questionTo, serveFolder } from './served.ts';

/*
 * A proxy of modules that the go command itself writes: it fetches the tags of a git repository into its cache, whose
 * download folder is a proxy once it is served over HTTP. Source: the Go modules reference, "Module cache".
 */
const hasTools = ['go', 'git'].every((it) => spawnSync(it, ['version']).status === 0);
const skip = hasTools ? false : 'Go or git is missing';
const name = 'acme.example/Team/core.git';
const commits: Readonly<Record<string, string>> = {
  'v1.0.0': '',
  'v1.9.0': '',
  'v1.10.0': '',
  'v1.11.0': '// Leaks passwords.\nretract [v1.1.0, v1.9.9]\n\nretract v1.11.0 // Only retracts.\n',
};

test('modules that the go command fetched from a repository are looked up in its cache', { skip }, async () => {
  const folder = folderWith({ 'user/go.mod': 'module user.example/own\n\ngo 1.21\n' });
  after(() => folder.remove());
  const repository = `${folder.path}/repository`;
  const cache = `${folder.path}/cache`;
  await command('git', '.', 'init', '--quiet', repository);
  for (const [tag, more] of Object.entries(commits)) {
    folder.write('repository/go.mod', `module ${name}\n\ngo 1.21\n\n${more}`);
    folder.write('repository/core.go', `package core\n\nconst Version = "${tag}"\n`);
    await command('git', 'repository', 'add', '.');
    await command('git', 'repository', 'commit', '--quiet', '-m', tag);
    await command('git', 'repository', 'tag', tag);
    await command('go', 'user', 'mod', 'download', `${name}@${tag}`);
  }
  const { output } = await command('go', 'user', 'list', '-m', '-versions', name);

  const served = await serveFolder(`${cache}/cache/download`);
  after(() => served.close());
  const question = questionTo('go-proxy', served.url, name);
  const answer = await goProxy.list(question);
  const listed = answer.kind === 'found' ? answer.value : assert.fail(JSON.stringify(answer));
  const installable = rowsOf(listed.facts.versions).filter((it) => !it.isDeprecated);
  assert.equal([name, ...installable.map((it) => it.version)].join(' '), output.trim());
  assert.equal(installable.find((it) => it.isDefault)?.version, 'v1.10.0');
  assert.equal(listed.version('v1.9.0')?.deprecatedReason, 'Leaks passwords.');
  const version = await goProxy.version?.({ ...question, listed }, 'v1.10.0');
  const publishedAt = version?.kind === 'found' ? (version.value.publishedAt ?? 0) : 0;
  assert.ok(Math.abs(Date.now() - publishedAt) < 10 * 60_000);

  const stranger = questionTo('go-proxy', served.url, name, { stranger: true });
  assert.equal((await goProxy.list(stranger)).kind, 'denied');

  async function command(program: string, at: string, ...args: readonly string[]): ReturnType<typeof run> {
    const env = {
      PATH: process.env['PATH'],
      HOME: folder.path,
      GOMODCACHE: cache,
      GOCACHE: `${folder.path}/build`,
      GOPRIVATE: 'acme.example',
      GOFLAGS: '-mod=mod -modcacherw',
      GOTOOLCHAIN: 'local',
      GIT_CONFIG_COUNT: '3',
      GIT_CONFIG_KEY_0: `url.file://${repository}.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://acme.example/Team/core',
      GIT_CONFIG_KEY_1: 'user.name',
      GIT_CONFIG_VALUE_1: 'anna',
      GIT_CONFIG_KEY_2: 'user.email',
      GIT_CONFIG_VALUE_2: 'anna@acme.example',
      GIT_ALLOW_PROTOCOL: 'file:https',
    };
    const ended = await run({ name: program, command: program, args, cwd: `${folder.path}/${at}`, env });
    assert.ok(ended.ok, ended.output);
    return ended;
  }
});
