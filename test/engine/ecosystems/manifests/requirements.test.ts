import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requirementsTxt } from '../../../../server/src/engine/ecosystems/python/requirements.ts';

test('requirements files are known by their names', () => {
  for (const path of [
    '/w/requirements.txt',
    'requirements.txt',
    '/w/requirements-dev.txt',
    '/w/requirements_test.txt',
    '/w/dev-requirements.in',
    '/w/test.requirements.txt',
    '/w/Requirements.txt',
    '/w/requirements.in',
    '/w/requirements.pip',
    '/w/requirements/base.txt',
    '/w/requirements/dev.in',
    '/w/pip_requirements/prod.txt',
    '/w/requirements/extras/redis.txt',
    '/w/requirements/static/ci/py3.12/linux.in',
    '/w/requirements-dev.lock',
    '/w/requirements_all.txt',
    '/w/requirement.txt',
    '/w/constraints.txt',
    '/w/constraint.txt',
    '/w/upper-constraints.txt',
    '/w/constraints-3.12.txt',
  ]) {
    assert.ok(requirementsTxt.files.test(path), path);
  }
  for (const path of [
    '/w/readme.txt',
    '/w/requirements.md',
    '/w/requirements.yml',
    '/w/requirements/base.py',
    '/w/layoutconstraints.txt',
    '/w/dev.in',
    '/w/requirements/uv.lock',
    '/w/requirement.lock',
    '/w/implicit_requirement.txt',
    '/w/requirements.txt.bak',
    '/w/requirementsXtxt',
  ]) {
    assert.ok(!requirementsTxt.files.test(path), path);
  }
});

test('line ends are those of Python: a form feed ends a line too', () => {
  const names = requirementsTxt.parse('a==1\fb==2\rc==3\u2028d==4\x1ce==5').dependencies.map((it) => it.name);
  assert.deepEqual(names, ['a', 'b', 'c', 'd', 'e']);
});

test('null bytes spoil their own lines only', () => {
  const { dependencies, problems } = requirementsTxt.parse('a==1\0\n\0b==2\nc==3');
  assert.deepEqual(
    dependencies.map((it) => it.name),
    ['a', 'c'],
  );
  assert.equal(problems.length, 2);
});

test('an edit of a requirement is the text itself', () => {
  const requirement = requirementsTxt.parse('a == 1').dependencies[0]?.requirement;
  assert.ok(requirement?.kind === 'literal');
  assert.equal(requirement.at.encode('== 2'), '== 2');
});

// Each of these, once more long, is read in the time of the others: nothing goes back over what it read.
test('hostile text is read at once', () => {
  const units = [
    'a',
    '=',
    '==1,',
    ' ',
    '#',
    '\\\n',
    ';',
    '[',
    '(',
    ')',
    '@',
    '-',
    'a.',
    '-r ',
    '$\u007bA}',
    '"',
    '/',
    ' -',
    '; ',
    '.whl',
    '#egg=',
    'git+',
    ',',
    '\t\\\n',
  ];
  for (const unit of units) {
    const long = unit.repeat(Math.ceil(50_000 / unit.length));
    for (const before of ['', 'a', 'a==', 'a[', 'a (', 'a @ ', 'a;', '-e ', '-r', 'a==1 ', 'x/']) {
      const { dependencies } = requirementsTxt.parse(`${before}${long}!\nlast==1`);
      assert.equal(dependencies.at(-1)?.name, 'last', `${before}${unit}`);
    }
  }
});
