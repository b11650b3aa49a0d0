import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { DiagnosticSeverity, type DocumentDiagnosticReport } from 'vscode-languageserver/node';
import { startLsp } from '../harness/lsp-client.ts';
import { type StartedService, startService } from '../harness/service.ts';

/*
 * A name is new until it is committed. The line of a commit is written to a file of the directory of git, and that may lie
 * elsewhere than the folders that a client watches.
 */
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'commits-')));
let service: StartedService;
before(async () => {
  service = await startService({ 'NPM left-pad': { versions: ['1.3.0'] } });
});
after(async () => {
  rmSync(scratch, { recursive: true });
  await service.close();
});

function git(directory: string, ...args: readonly string[]): void {
  const own = ['-c', 'user.name=A', '-c', 'user.email=a@host.example', '-c', 'protocol.file.allow=always'];
  execFileSync('git', [...own, ...args], { cwd: directory, stdio: ['ignore', 'ignore', 'ignore'] });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const invented = '{ "dependencies": { "left-pad": "1.3.0", "react-form-kit": "1.0.0" } }';

function repository(name: string): string {
  const directory = join(scratch, name);
  write(join(directory, 'app/package.json'), '{ "dependencies": { "left-pad": "1.3.0" } }');
  git(directory, 'init', '--quiet');
  git(directory, 'add', '--all');
  git(directory, 'commit', '--quiet', '--message', 'first');
  return directory;
}

/** The folder that is open, the one whose manifest changes, and the path of the log below the scratch folder. */
interface Place {
  readonly open: string;
  readonly root: string;
  /** Absent where the folders have it. */
  readonly log?: string;
}

const places: Readonly<Record<string, () => Place>> = {
  'a repository': () => {
    const root = repository('plain');
    return { open: root, root };
  },
  'a folder of a repository': () => {
    const root = repository('part');
    return { open: join(root, 'app'), root, log: 'part/.git/logs' };
  },
  'a linked work tree': () => {
    const main = repository('main');
    const root = join(scratch, 'side');
    git(main, 'worktree', 'add', '--quiet', '-b', 'side', root);
    return { open: root, root, log: 'main/.git/worktrees/side/logs' };
  },
  'a submodule': () => {
    const outer = repository('outer');
    git(outer, 'submodule', '--quiet', 'add', repository('library'), 'inner');
    return { open: join(outer, 'inner'), root: join(outer, 'inner'), log: 'outer/.git/modules/inner/logs' };
  },
  'a submodule in the folder': () => {
    const outer = repository('whole');
    git(outer, 'submodule', '--quiet', 'add', repository('part of it'), 'inner');
    return { open: outer, root: join(outer, 'inner') };
  },
  'a directory of git with another name': () => {
    const main = repository('elsewhere');
    git(main, 'init', '--quiet', '--separate-git-dir', join(scratch, 'elsewhere.store'));
    return { open: main, root: main, log: 'elsewhere.store/logs' };
  },
};

/** As the clients match: `**` are any folders, `*` is a part of a name. */
function matches(glob: string, path: string): boolean {
  const pattern = glob
    .replace(/[.]/g, '\\$&')
    .replaceAll('**/', '§')
    .replaceAll('*', '[^/]*')
    .replaceAll('§', '(?:.*/)?')
    .replace(/\{([^}]*)\}/g, (_, all: string) => `(?:${all.replaceAll(',', '|')})`);
  return new RegExp(`^${pattern}$`).test(path);
}

for (const [title, place] of Object.entries(places)) {
  test(`a name is new no more once it is committed in ${title}`, async () => {
    const { open, root, log } = place();
    const watchers: { globPattern: string | { baseUri: string; pattern: string } }[] = [];
    const client = await startLsp({
      folder: pathToFileURL(open).href,
      settings: { baseUrl: service.url },
      capabilities: {
        textDocument: { diagnostic: {} },
        workspace: {
          diagnostics: { refreshSupport: true },
          didChangeWatchedFiles: { dynamicRegistration: true, relativePatternSupport: true },
        },
      },
      answers: {
        'client/registerCapability': (params) => {
          const { registrations } = params as { registrations: { registerOptions?: { watchers?: typeof watchers } }[] };
          watchers.push(...registrations.flatMap((it) => it.registerOptions?.watchers ?? []));
          return null;
        },
        'workspace/diagnostic/refresh': () => null,
      },
    });
    try {
      const path = join(root, 'app/package.json');
      const uri = pathToFileURL(path).href;
      write(path, invented);
      await client.open(uri, invented);
      const severityOnce = async (wanted: number): Promise<void> => {
        for (let left = 50; ; left--) {
          const report = await client.connection.sendRequest<DocumentDiagnosticReport>('textDocument/diagnostic', {
            textDocument: { uri },
          });
          const items = report.kind === 'full' ? report.items : [];
          const found = items.find((it) => it.code === 'not-found')?.severity;
          if (found === wanted || left === 0) return assert.equal(found, wanted);
          await new Promise((done) => setTimeout(done, 50));
        }
      };
      await severityOnce(DiagnosticSeverity.Warning);

      const logPath = execFileSync('git', ['rev-parse', '--git-path', 'logs/HEAD'], { cwd: root, encoding: 'utf8' });
      const file = resolve(root, logPath.trim());
      const isBelow = file.startsWith(`${open}/`);
      const watched = watchers.some(({ globPattern: it }) =>
        typeof it === 'string'
          ? isBelow && matches(it, file.slice(open.length + 1))
          : pathToFileURL(file).href === `${it.baseUri}/${it.pattern}`,
      );
      assert.ok(watched, `${file} is not watched: ${JSON.stringify(watchers.slice(-3))}`);
      if (log !== undefined) assert.equal(file, join(scratch, log, 'HEAD'));
      git(root, 'commit', '--quiet', '--all', '--message', 'more');
      await client.connection.sendNotification('workspace/didChangeWatchedFiles', {
        changes: [{ uri: pathToFileURL(file).href, type: 2 }],
      });
      await severityOnce(DiagnosticSeverity.Hint);
    } finally {
      await client.stop();
    }
  });
}
