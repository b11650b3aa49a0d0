/*
 * Holds the overrides that we write against the package managers that read them: a small project is locked, an override is
 * written, and the lockfile is made anew. Then the transitive package has the wanted version, and no other one moved:
 *
 *     node test/tools/differential/overrides.ts npm|yarn|berry|pnpm|bun|uv|pdm [command …]
 *
 * Not part of the tests: it needs the managers and the registries that they are configured for.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { forcedIn } from '../../../server/src/engine/analysis/below/forced.ts';
import { lockfileFormats } from '../../../server/src/engine/ecosystems/lockfile-formats.ts';
import { overrideFiles, overrideIn } from '../../../server/src/engine/ecosystems/overrides.ts';
import type { LockedGraph } from '../../../server/src/engine/model/graph/locked-graph.ts';
import type { TextEdit } from '../../../server/src/engine/model/graph/override.ts';

interface Tool {
  readonly lockfile: string;
  readonly command: readonly string[];
  readonly lock: readonly string[];
  readonly cases: readonly Case[];
  readonly also?: Readonly<Record<string, string>>;
}

interface Case {
  readonly about: string;
  readonly files: Readonly<Record<string, string>>;
  readonly force: readonly [name: string, versionBegins: string, wanted: string];
}

const manifest = (dependencies: Record<string, string>, more: object = {}): Record<string, string> => ({
  'package.json': `${JSON.stringify({ name: 'sample', version: '1.0.0', ...more, dependencies }, undefined, 2)}\n`,
});

const npmCases: readonly Case[] = [
  { about: 'one version', files: manifest({ express: '4.18.0' }), force: ['qs', '6.10.', '6.11.1'] },
  {
    about: 'another major of another package',
    files: manifest({ express: '4.18.0', 'engine.io': '6.5.0' }),
    force: ['debug', '2.', '2.6.8'],
  },
  {
    about: 'the manifest requires it, too',
    files: manifest({ express: '4.18.0', debug: '4.3.1' }),
    force: ['debug', '2.', '2.6.8'],
  },
  {
    about: 'the same major is required elsewhere',
    files: manifest({ express: '4.18.0', request: '2.88.2' }),
    force: ['qs', '6.10.', '6.11.1'],
  },
];

const pyproject = (dependencies: readonly string[], more = ''): Record<string, string> => ({
  'pyproject.toml': `[project]\nname = "sample"\nversion = "1.0.0"\nrequires-python = ">=3.9"\ndependencies = ${JSON.stringify(dependencies)}\n${more}`,
});

const tools: Readonly<Record<string, Tool>> = {
  npm: {
    lockfile: 'package-lock.json',
    command: ['npm'],
    lock: ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'],
    cases: [
      ...npmCases,
      {
        about: 'an override stands',
        files: manifest({ express: '4.18.0' }, { overrides: { qs: '6.10.4' } }),
        force: ['qs', '6.10.4', '6.11.1'],
      },
      {
        about: 'the requirer has one of its own',
        files: manifest({ express: '4.18.0', debug: '4.3.1' }, { overrides: { send: '0.18.0' } }),
        force: ['debug', '2.', '2.6.8'],
      },
    ],
  },
  yarn: {
    lockfile: 'yarn.lock',
    command: ['yarn'],
    lock: ['install', '--ignore-scripts', '--non-interactive'],
    cases: npmCases,
  },
  berry: {
    lockfile: 'yarn.lock',
    command: ['yarn'],
    lock: ['install', '--mode=update-lockfile', '--no-immutable'],
    also: {
      '.yarnrc.yml': 'nodeLinker: node-modules\nenableTelemetry: false\n',
      'yarn.lock': '__metadata:\n  version: 8\n',
    },
    cases: npmCases,
  },
  pnpm: {
    lockfile: 'pnpm-lock.yaml',
    command: ['pnpm'],
    lock: ['install', '--lockfile-only', '--ignore-scripts', '--no-frozen-lockfile'],
    cases: [
      ...npmCases,
      {
        about: 'settings of a workspace',
        files: { ...manifest({ express: '4.18.0' }), 'pnpm-workspace.yaml': 'overrides:\n  send: 0.18.0\n' },
        force: ['qs', '6.10.', '6.11.1'],
      },
    ],
  },
  bun: {
    lockfile: 'bun.lock',
    command: ['bun'],
    lock: ['install', '--lockfile-only', '--ignore-scripts'],
    cases: npmCases,
  },
  uv: {
    lockfile: 'uv.lock',
    command: ['uv'],
    lock: ['lock'],
    cases: [
      { about: 'one version', files: pyproject(['requests==2.25.1']), force: ['urllib3', '1.26', '2.2.3'] },
      {
        about: 'an override of another package',
        files: pyproject(['requests==2.25.1'], '\n[tool.uv]\noverride-dependencies = [\n    "idna==2.9",\n]\n'),
        force: ['urllib3', '1.26', '2.2.3'],
      },
    ],
  },
  pdm: {
    lockfile: 'pdm.lock',
    command: ['pdm'],
    lock: ['lock'],
    cases: [{ about: 'one version', files: pyproject(['requests==2.25.1']), force: ['urllib3', '1.26', '2.2.3'] }],
  },
};

const [name = '', ...command] = process.argv.slice(2);
const tool = tools[name];
if (!tool) throw new Error(`one of ${Object.keys(tools).join(', ')}`);
for (const it of tool.cases) run(tool, it);

function run({ lockfile, lock, also = {}, command: own }: Tool, { about, files, force }: Case): void {
  const directory = mkdtempSync(join(tmpdir(), `override-${name}-`));
  mkdirSync(directory, { recursive: true });
  for (const [file, text] of Object.entries({ ...also, ...files })) writeFileSync(join(directory, file), text);
  const [program = '', ...first] = command.length > 0 ? command : own;
  const makeLock = (): void => {
    execFileSync(program, [...first, ...lock], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  };
  makeLock();
  const [wantedName, begins, wanted] = force;
  const before = graphOf(directory, lockfile);
  const version = versionsOf(before, wantedName).find((it) => it.startsWith(begins));
  if (version === undefined) {
    console.log(`${about}: no ${wantedName} ${begins}, but ${versionsOf(before, wantedName)}`);
    return;
  }
  const read = (file: string): string => readFileSync(join(directory, file), 'utf8');
  const known = ['package.json', 'pyproject.toml', ...overrideFiles(lockfile)].filter((it) =>
    existsSync(join(directory, it)),
  );
  const texts = new Map(known.map((it) => [it, read(it)]));
  const override = overrideIn(lockfile, forcedIn(before, wantedName, version, wanted), texts);
  if (!override.ok) {
    console.log(`${about}: not written, ${override.reason}`);
    return;
  }
  writeFileSync(join(directory, override.file), applied(texts.get(override.file) ?? '', override.edits));
  try {
    makeLock();
  } catch (error) {
    console.log(
      `${about}: REFUSED ${String(error instanceof Error && 'stderr' in error ? error.stderr : error).slice(0, 500)}`,
    );
    return;
  }
  const after = versionsOf(graphOf(directory, lockfile), wantedName);
  const others = versionsOf(before, wantedName).filter((it) => it !== version);
  const isAsWanted = after.includes(wanted) && !after.includes(version) && others.every((it) => after.includes(it));
  console.log(`${about}: ${isAsWanted ? 'as wanted' : 'WRONG'}, ${versionsOf(before, wantedName)} → ${after}`);
  if (!isAsWanted) console.log(`${directory}\n${read(override.file)}`);
}

function graphOf(directory: string, lockfile: string): LockedGraph {
  const format = lockfileFormats.find((it) => it.id === lockfile);
  const graph = format?.parse(readFileSync(join(directory, lockfile), 'utf8')).graph();
  if (graph === undefined || graph === 'unrecorded') throw new Error('no graph');
  return graph;
}

function versionsOf({ nodes }: LockedGraph, of: string): string[] {
  return [...new Set(nodes.filter((it) => it.name === of).map((it) => it.version))].sort();
}

function applied(text: string, edits: readonly TextEdit[]): string {
  const last = edits.toSorted((a, b) => b.span.start - a.span.start);
  return last.reduce((it, { span, newText }) => `${it.slice(0, span.start)}${newText}${it.slice(span.end)}`, text);
}
