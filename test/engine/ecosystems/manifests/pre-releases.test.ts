import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preReleasesOfSettings } from '../../../../server/src/engine/ecosystems/python/pre-releases.ts';
import { pyproject } from '../../../../server/src/engine/ecosystems/python/pyproject.ts';
import { requirementsTxt } from '../../../../server/src/engine/ecosystems/python/requirements.ts';

/* Sources: pip 26 `models/release_control.py` and `req/req_file.py`; uv 0.13, PDM 2.29 and Poetry 2.5, tried. */
type Taken = Readonly<Record<string, string>>;

const inRequirements: readonly (readonly [string, Taken])[] = [
  ['--pre', { '': 'any' }],
  ['--index-url https://registry.example/simple --pre', { '': 'any' }],
  ['--pre\n--only-final Acme_Core,b', { '': 'any', 'acme-core': 'none', b: 'none' }],
  ['--only-final=:all:\n--all-releases flask', { '': 'none', flask: 'any' }],
  ['--all-releases flask\n--only-final :all:', { '': 'none' }],
  ['--all-releases flask,jinja2\n--all-releases :none:', {}],
  ['flask --pre', {}],
  ['--prefer-binary', {}],
  ['--precise', {}],
];

for (const [text, taken] of inRequirements) {
  test(`requirements: ${text.replaceAll('\n', ' ⏎ ')}`, () => {
    assert.deepEqual(Object.fromEntries(requirementsTxt.parse(text).preReleases ?? []), taken);
  });
}

const inProjects: readonly (readonly [string, Taken])[] = [
  ['[project]\nname = "x"', {}],
  ['[tool.uv]\nprerelease = "allow"', { '': 'any' }],
  ['[tool.uv]\nprerelease = "explicit"', { '': 'named' }],
  ['[tool.uv]\nprerelease-package = { Acme_Core = "disallow" }', { 'acme-core': 'none' }],
  ['[tool.uv]\nprerelease = "of course"', {}],
  ['[tool.poetry.group.x.dependencies]\nA_B = { version = "*", allow-prereleases = true }', { 'a-b': 'any' }],
  ['[tool.pdm.resolution]\nallow-prereleases = false', { '': 'none' }],
];

for (const [text, taken] of inProjects) {
  test(`pyproject.toml: ${text.replaceAll('\n', ' ⏎ ')}`, () => {
    assert.deepEqual(Object.fromEntries(pyproject.parse(text).preReleases ?? []), taken);
  });
}

const inSettings: readonly (readonly [string, string, string, Taken])[] = [
  ['requirements.txt', 'pip.conf', '[global]\npre = true', { '': 'any' }],
  ['requirements.txt', 'pip.conf', '[global]\npre = no', {}],
  ['requirements.txt', 'pip.conf', '[download]\npre = true', {}],
  ['requirements.txt', 'pip.ini', '[install]\nonly_final = a_b', { 'a-b': 'none' }],
  ['requirements.txt', 'PIP_PRE', '1', { '': 'any' }],
  ['requirements.txt', 'PIP_ALL_RELEASES', 'a b', { a: 'any', b: 'any' }],
  ['requirements.txt', 'uv.toml', 'prerelease = "allow"', { '': 'any' }],
  ['requirements.txt', 'uv.toml', '[pip]\nprerelease = "allow"', { '': 'any' }],
  ['pyproject.toml', 'uv.toml', '[pip]\nprerelease = "allow"', {}],
  ['pyproject.toml', 'uv.toml', '[prerelease-package]\nA_B = "allow"', { 'a-b': 'any' }],
  ['pyproject.toml', 'UV_PRERELEASE', 'disallow', { '': 'none' }],
  ['Pipfile', 'uv.toml', 'prerelease = "allow"', {}],
];

const joined = (found: ReturnType<typeof preReleasesOfSettings>): Taken =>
  Object.fromEntries([...(found?.behind ?? []), ...(found?.before ?? [])]);

for (const [format, name, text, taken] of inSettings) {
  test(`${name} for ${format}: ${text.replaceAll('\n', ' ⏎ ')}`, () => {
    assert.deepEqual(joined(preReleasesOfSettings(format, [], [{ name, label: name, text }])), taken);
  });
}

test('the client of the project decides whose settings count, and what holds without any', () => {
  const pip = { name: 'PIP_PRE', label: 'PIP_PRE', text: '1' };
  const uv = { name: 'uv.toml', label: 'uv.toml', text: 'prerelease = "disallow"' };
  const found = (sources: readonly (typeof pip)[], ...lockfiles: readonly string[]): Taken =>
    joined(preReleasesOfSettings('pyproject.toml', lockfiles, sources));
  assert.deepEqual(found([pip, uv]), { '': 'any' }, 'variables come before files');
  assert.deepEqual(found([pip, uv], 'uv.lock'), { '': 'none' });
  assert.deepEqual(found([pip, uv], 'poetry.lock'), { '': 'last' });
  assert.deepEqual(found([pip, uv], 'pdm.lock'), {});
  const project = (text: string) => ({ name: 'pyproject.toml', label: 'pyproject.toml', text });
  assert.deepEqual(found([project('[project]\nname = "x"\n')]), {});
  for (const it of ['[tool.uv]', '[[tool.uv.index]]', '[tool.poetry]', 'build-backend = "poetry.core.masonry.api"'])
    assert.deepEqual(found([project(`[project]\nname = "x"\n${it}\n`)]), { '': 'last' });
});
