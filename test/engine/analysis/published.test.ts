import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type VersionKey, versionId } from '../../../server/src/engine/model/keys.ts';
import { type Pom, pom, project, said, setUp } from './published-lab.ts';

test('until a parent is known its versions are pending, and nothing else is asked about them', async () => {
  const { look, asked, wanted } = setUp(project('g:parent 1', ['g:a']), {});
  assert.equal(said(await look(), 'g:a'), 'pending');
  assert.deepEqual(asked(), ['g:parent 1']);
  assert.deepEqual(
    wanted().flatMap((it) => (it.kind === 'package' ? [it.key.name] : [])),
    [],
  );
});

test('answers are joined without a file being read again', async () => {
  const lab = setUp(project('g:parent 1', ['g:a']), { 'g:parent 1': pom('', ['g:a 1.0']) });
  await lab.look();
  const before = lab.reads();
  assert.deepEqual(await lab.settle(), [1]);
  const dependencies = await lab.look();
  assert.equal(said(dependencies, 'g:a'), '1.0 by g:parent');
  assert.equal(lab.reads(), before);
  // What nothing new is known of is not joined anew.
  assert.equal((await lab.look())[1]?.linked, dependencies[1]?.linked);
});

test('a chain of parents is asked for one by one, all BOMs of one POM at a time, and each once', async () => {
  const boms = Array.from({ length: 30 }, (_, at) => `g:bom-${at}`);
  const lab = setUp(project('g:starter 3', ['g:a', 'g:z', 'g:nowhere']), {
    'g:starter 3': pom('g:dependencies 3'),
    'g:dependencies 3': pom('', ['g:a 1.0', ...boms.map((it) => `import ${it} 1`)]),
    ...Object.fromEntries(boms.map((it) => [`${it} 1`, pom('g:shared-parent 1')])),
    'g:bom-29 1': pom('g:shared-parent 1', ['g:z 2.0']),
    'g:shared-parent 1': pom(''),
  });
  assert.deepEqual(await lab.settle(), [1, 1, 30, 1]);
  assert.equal(said(await lab.look(), 'g:z'), '2.0 by g:bom-29');
  assert.match(said(await lab.look(), 'g:nowhere'), /no definition found/);
});

test('BOMs are not asked for where nothing is left to be said', async () => {
  const lab = setUp(project('g:parent 1', ['g:a', 'g:own 1.0']), {
    'g:parent 1': pom('', ['g:a 1.0', 'import g:bom 1']),
  });
  assert.deepEqual(await lab.settle(), [1]);
  assert.deepEqual(lab.asked(), ['g:parent 1']);
});

const circles: Readonly<Record<string, Readonly<Record<string, Pom>>>> = {
  'its own parent': { 'g:parent 1': pom('g:parent 1') },
  'parents of each other': { 'g:parent 1': pom('g:other 1'), 'g:other 1': pom('g:parent 1') },
  'a BOM that imports itself': { 'g:parent 1': pom('', ['import g:bom 1']), 'g:bom 1': pom('', ['import g:bom 1']) },
  'BOMs that import each other': {
    'g:parent 1': pom('', ['import g:bom 1']),
    'g:bom 1': pom('', ['import g:other 1', 'g:b ${x}'], { x: '${x}' }),
    'g:other 1': pom('', ['import g:bom 1']),
  },
  'other versions without end': {
    'g:parent 1': pom('', ['import g:bom 1']),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`g:bom ${at}`, pom('', [`import h:bom ${at}`])])),
    ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`h:bom ${at}`, pom('', [`import g:bom ${at + 1}`])])),
  },
};

for (const [what, published] of Object.entries(circles)) {
  test(`it ends with ${what}`, async () => {
    const lab = setUp(project('g:parent 1', ['g:a', 'g:b']), published);
    const rounds = await lab.settle();
    assert.ok(rounds.reduce((a, b) => a + b, 0) <= 200, `${rounds}`);
    for (const name of ['g:a', 'g:b']) assert.match(said(await lab.look(), name), /no definition found/);
  });
}

test('parents without end are followed no further than real ones go', async () => {
  const published = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`g:p${at} 1`, pom(`g:p${at + 1} 1`, [`g:a${at} 1.0`])]),
  );
  const lab = setUp(project('g:p0 1', ['g:a15', 'g:a16']), published);
  assert.equal((await lab.settle()).length, 16);
  assert.equal(said(await lab.look(), 'g:a15'), '1.0 by g:p15');
  assert.match(said(await lab.look(), 'g:a16'), /no definition found/);
});

test('what stands in so many words counts before what is imported, and the first import before the second', async () => {
  const lab = setUp(project('g:parent 1', ['g:a', 'g:b', 'g:c'], ['g:first 1', 'g:second 1']), {
    'g:parent 1': pom('', ['g:a parent', 'import g:third 1']),
    'g:first 1': pom('', ['g:a first', 'g:b first']),
    'g:second 1': pom('', ['g:b second']),
    'g:third 1': pom('', ['g:b third', 'g:c third']),
  });
  await lab.settle();
  const dependencies = await lab.look();
  assert.deepEqual(
    ['g:a', 'g:b', 'g:c'].map((it) => said(dependencies, it)),
    ['parent by g:parent', 'first by g:first', 'third by g:third'],
  );
});

test('a parent may be imported as well, in another version, and what that imports counts before what the parent does', async () => {
  const lab = setUp(project('g:parent 1', ['g:a', 'g:b', 'g:c'], ['g:parent 2']), {
    'g:parent 1': pom('', ['g:a 1.0', 'import g:bom 1']),
    'g:parent 2': pom('', ['g:a 2.0', 'g:b 2.0', 'import g:bom 2']),
    'g:bom 1': pom('', ['g:c 1.0']),
    'g:bom 2': pom('', ['g:c 2.0']),
  });
  await lab.settle();
  const dependencies = await lab.look();
  assert.deepEqual(
    ['g:a', 'g:b', 'g:c'].map((it) => said(dependencies, it)),
    ['1.0 by g:parent', '2.0 by g:parent', '2.0 by g:bom'],
  );
});

test('of a BOM that is imported twice the one counts that Maven takes', async () => {
  const twice = ['g:bom 1', 'g:bom 2'];
  const published: Readonly<Record<string, Pom>> = {
    'g:bom 1': pom('', ['g:a 1.0', 'g:old 1.0']),
    'g:bom 2': pom('', ['g:a 2.0', 'g:new 2.0']),
    'g:plain 1': pom(''),
    'g:managing 1': pom('', ['g:b 1.0']),
    'g:importing 1': pom(
      '',
      twice.map((it) => `import ${it}`),
    ),
    'g:old-bom 1': pom('', ['import g:bom 1']),
  };
  const versions = async (parent: string, imports: readonly string[]) => {
    const lab = setUp(project(parent, ['g:a', 'g:old', 'g:new'], imports), published);
    await lab.settle();
    const dependencies = await lab.look();
    return ['g:a', 'g:old', 'g:new'].map((it) => /^\d\S*/.exec(said(dependencies, it))?.[0]);
  };
  // Nothing is put together.
  assert.deepEqual(await versions('', twice), ['1.0', '1.0', '2.0']);
  assert.deepEqual(await versions('g:plain 1', twice), ['1.0', '1.0', '2.0']);
  // The last of one's own, the first of a parent's, and one's own before a parent's.
  assert.deepEqual(await versions('g:managing 1', twice), ['2.0', undefined, '2.0']);
  assert.deepEqual(await versions('g:importing 1', []), ['1.0', '1.0', undefined]);
  assert.deepEqual(await versions('g:old-bom 1', ['g:bom 2']), ['2.0', undefined, '2.0']);
});

test('a BOM that cannot be had leaves open what may stand in it', async () => {
  const lab = setUp(project('', ['g:a', 'g:b'], ['g:first 1', 'g:second 1', 'g:third 1']), {
    'g:first 1': pom('', ['g:a 1.0']),
    'g:third 1': pom('', ['g:b 1.0']),
  });
  await lab.settle();
  const dependencies = await lab.look();
  assert.equal(said(dependencies, 'g:a'), '1.0 by g:first');
  assert.match(said(dependencies, 'g:b'), /g:second 1 is unknown to the service$/);
});

test('what failed says why, and is had once the service is back', async () => {
  const lab = setUp(project('g:parent 1', ['g:a']), {});
  const key: VersionKey = { system: 'MAVEN', name: 'g:parent', version: '1' };
  lab.answers.set(versionId(key), { state: 'failed', reason: 'working offline', at: 0 });
  assert.match(said(await lab.look(), 'g:a'), /g:parent 1 was not looked up: working offline$/);
  lab.answers.set(versionId(key), { state: 'ready', value: pom('', ['g:a 1.0']), at: 0 });
  assert.equal(said(await lab.look(), 'g:a'), '1.0 by g:parent');
});

test('a version that a BOM does not define is not taken from the project', async () => {
  const text = project('', ['g:a'], ['g:bom 1']).replace(
    '<dependencyManagement>',
    '<properties><v>9</v></properties>$&',
  );
  const lab = setUp(text, { 'g:bom 1': pom('', ['g:a ${v}']) });
  await lab.settle();
  assert.match(said(await lab.look(), 'g:a'), /g:bom 1 was not looked up: it does not define \$\{v\}$/);
});

test('which version of a parent is meant has to be said', async () => {
  for (const version of ['[1,2)', '${nowhere}', '']) {
    const lab = setUp(project(`g:parent ${version}`, ['g:a']), {});
    await lab.settle();
    assert.deepEqual(lab.asked(), [], version);
    assert.match(said(await lab.look(), 'g:a'), /no definition found/);
  }
});

test("the parent's version is that of the project until the parent is known to be published", async () => {
  const lab = setUp(project('g:parent 1', ['g:a ${project.parent.version}', 'g:b ${parent.version}']), {
    'g:parent 1': pom(''),
  });
  assert.equal(said(await lab.look(), 'g:a'), 'source');
  await lab.settle();
  assert.equal(said(await lab.look(), 'g:a'), '1');
  assert.equal(said(await lab.look(), 'g:b'), '1');
  const secret = setUp(project('g:parent 1', ['g:a ${project.parent.version}']), {});
  await secret.settle();
  assert.equal(said(await secret.look(), 'g:a'), 'source');
});

test('a name in a published parent or BOM is understood by the one who inherits it, and its scope with it', async () => {
  const lab = setUp(
    project('g:parent 1', ['own:a', 'own:b', 'h:c', 'h:d']).replace('<artifactId>app', '<groupId>own</groupId>$&'),
    {
      'g:parent 1': pom('', ['${project.groupId}:a ${project.version}', 'import ${project.groupId}:bom 2']),
      'own:bom 2': pom('', ['${project.groupId}:b ${project.version}', 'h:c 3 provided', 'h:d 4 ${its.scope}'], {
        'its.scope': 'test',
      }),
    },
  );
  await lab.settle();
  const dependencies = await lab.look();
  assert.equal(said(dependencies, 'own:b'), '2 by own:bom');
  assert.deepEqual(
    dependencies.flatMap(({ linked: { key, dependency } }) =>
      /[a-d]$/.test(key.name) ? [`${key.name} ${dependency.scope}`] : [],
    ),
    ['own:a runtime', 'own:b runtime', 'h:c build', 'h:d dev'],
  );
});
