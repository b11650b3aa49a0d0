import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatOf } from '../../server/src/engine/ecosystems/manifest-formats.ts';
import { root } from '../tools/paths.ts';

/* What pre-commit hands over has to be what the program reads: a name that it refuses would stop the commit. */

const hook = readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8');
const verbose = /files: >-\n((?: {4}.*\n)+)/.exec(hook)?.[1] ?? '';
const handedOver = new RegExp(verbose.replace('(?x)', '').replace(/\s+/g, ''));

const manifests = [
  'package.json',
  'web/package.json',
  'pnpm-workspace.yaml',
  '.yarnrc.yml',
  'deno.json',
  'deno.jsonc',
  'import_map.json',
  'core/pom.xml',
  '.mvn/extensions.xml',
  'build.gradle',
  'settings.gradle.kts',
  'gradle/libs.versions.toml',
  'requirements.txt',
  'requirements-dev.in',
  'dev-requirements.txt',
  'requirements/base.txt',
  'test_requirements/more/all.in',
  'constraints.txt',
  'pyproject.toml',
  'Pipfile',
  'setup.cfg',
  'setup.py',
  'src/App.csproj',
  'Directory.Packages.props',
  'Directory.Build.props',
  'Packages.props',
  'eng/Versions.props',
  'packages.config',
  'App.nuspec',
  '.config/dotnet-tools.json',
  'global.json',
  'crates/a/Cargo.toml',
  'go.mod',
  'go.work',
];

const others = [
  'requirements_old/notes.txt',
  'package-lock.json',
  'tsconfig.json',
  'my-package.json',
  'README.md',
  'Pipfile.lock',
];

test('a commit hands over each kind of manifest, and nothing that the program refuses', () => {
  for (const path of manifests) {
    assert.match(path, handedOver);
    const format = formatOf(path);
    assert.ok(format && format.record === undefined, path);
  }
  for (const path of others) assert.doesNotMatch(path, handedOver);
});
