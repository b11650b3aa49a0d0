import assert from 'node:assert/strict';
import { test } from 'node:test';
import { affectedOf } from '../../server/src/analysis/below/ways-search.ts';
import type { Snapshot } from '../../server/src/analysis/snapshot.ts';
import { planUpdates, updateScopes } from '../../server/src/analysis/update-plan.ts';
import { codeActions } from '../../server/src/language-server/features/code-actions.ts';
import { factsOfTargets } from '../../server/src/language-server/features/commands.ts';
import { completion } from '../../server/src/language-server/features/completion.ts';
import { type Lab, openLab } from '../harness/lab.ts';
import type { InlineCatalog } from '../harness/service.ts';

/*
 * No edit of ours names a malicious version, whatever a project and the service say: every quick fix, an update of
 * everything in each scope, ways out, and completion without a second key. The patch number of a malicious version begins
 * with 9, of a vulnerable one with 7, so that an edit tells by itself what it names. `MALWARE_PROJECTS` sets how many projects.
 */

const count = Number(process.env['MALWARE_PROJECTS'] ?? 500);
/** Projects that share a service: what is slow is to start one. */
const TOGETHER = 25;

/** A generator that gives the same numbers each time. Source: Numerical Recipes, “quick and dirty” generators. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof numbers>;

interface Format {
  readonly system: string;
  readonly file: string;
  readonly name: (index: string) => string;
  readonly ranges: readonly ((version: string) => string)[];
  readonly write: (dependencies: readonly (readonly [string, string])[]) => string;
}

const formats: readonly Format[] = [
  {
    system: 'NPM',
    file: 'package.json',
    name: (it) => `p${it}`,
    ranges: [(it) => it, (it) => `^${it}`, (it) => `~${it}`, (it) => `>=${it} <3`],
    write: (all) => JSON.stringify({ dependencies: Object.fromEntries(all) }, null, 2),
  },
  {
    system: 'PYPI',
    file: 'requirements.txt',
    name: (it) => `p${it}`,
    ranges: [(it) => `==${it}`, (it) => `>=${it}`, (it) => `~=${it}`, (it) => `>=${it},<3`],
    write: (all) => all.map(([name, range]) => `${name}${range}\n`).join(''),
  },
  {
    system: 'CARGO',
    file: 'Cargo.toml',
    name: (it) => `p${it}`,
    ranges: [(it) => it, (it) => `=${it}`, (it) => `~${it}`],
    write: (all) => `[dependencies]\n${all.map(([name, range]) => `${name} = "${range}"\n`).join('')}`,
  },
  {
    system: 'MAVEN',
    file: 'pom.xml',
    name: (it) => `g:p${it}`,
    ranges: [(it) => it, (it) => `[${it},3)`],
    write: (all) =>
      `<project>\n<dependencies>\n${all
        .map(([name, range]) => {
          const [group, artifact] = name.split(':');
          return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${range}</version></dependency>\n`;
        })
        .join('')}</dependencies>\n</project>\n`,
  },
  {
    system: 'NUGET',
    file: 'app.csproj',
    name: (it) => `p${it}`,
    ranges: [(it) => it, (it) => `[${it}]`, (it) => `[${it},3.0.0)`],
    write: (all) =>
      `<Project>\n<ItemGroup>\n${all
        .map(([name, range]) => `<PackageReference Include="${name}" Version="${range}" />\n`)
        .join('')}</ItemGroup>\n</Project>\n`,
  },
  {
    system: 'GO',
    file: 'go.mod',
    name: (it) => `example.com/p${it}`,
    ranges: [(it) => `v${it}`],
    write: (all) =>
      `module example.com/m\n\ngo 1.22\n\n${all.map(([name, range]) => `require ${name} ${range}\n`).join('')}`,
  },
];

interface Project {
  readonly folder: string;
  readonly file: string;
  readonly text: string;
  readonly catalog: InlineCatalog;
}

function project(index: number): Project {
  const random = numbers(index * 7919 + 1);
  const format = formats[random(formats.length)] ?? assert.fail();
  const entries: [string, object][] = [];
  const dependencies = Array.from({ length: 1 + random(3) }, (_, at): readonly [string, string] => {
    const name = format.name(`${index}x${at}`);
    const versions = versionsOf(random);
    const prefix = format.system === 'GO' ? 'v' : '';
    const preferred = versions[random(4) === 0 ? random(versions.length) : versions.length - 1] ?? '1.0.0';
    const rows = versions.map((it) => [
      prefix + it,
      { ...(it === preferred && { isDefault: true }), ...(random(12) === 0 && { deprecated: 'withdrawn' }) },
    ]);
    entries.push([`${format.system} ${name}`, { versions: Object.fromEntries(rows) }]);
    const marked = (mark: string) =>
      versions.filter((it) => it.split('.')[2]?.startsWith(mark)).map((it) => prefix + it);
    const affected = (mark: string) => [{ system: format.system, name, versions: marked(mark), ranges: [] }];
    if (marked('9').length > 0) {
      const isAlias = random(2) === 0;
      const id = isAlias ? `GHSA-mmmm-${index}-${at}` : `MAL-2026-${index}${at}`;
      const aliases = isAlias ? [`MAL-2026-${index}${at}`] : [];
      entries.push([`advisory ${id}`, { title: 'Malicious code', aliases, affected: affected('9') }]);
    }
    if (marked('7').length > 0)
      entries.push([`advisory GHSA-ffff-${index}-${at}`, { title: 'Slow', cvss3Score: 7.5, affected: affected('7') }]);
    const used = versions[random(versions.length)] ?? '1.0.0';
    const range = format.ranges[random(format.ranges.length)] ?? String;
    return [name, random(15) === 0 ? range('8.0.0') : range(used)];
  });
  const folder = `f${index}`;
  return {
    folder,
    file: format.file,
    text: format.write(dependencies),
    catalog: Object.fromEntries(entries) as InlineCatalog,
  };
}

/** In ascending order. */
function versionsOf(random: Random): string[] {
  return Array.from({ length: 2 + random(6) }, (_, at) => {
    const kind = ['', '', '', '70', '90', '90'][random(6)] ?? '';
    return `${1 + Math.floor(at / 3)}.${at}.${kind}${kind === '' ? random(5) : at}`;
  });
}

/** What the edits of a snapshot write. */
async function written(lab: Lab, snapshot: Snapshot): Promise<string[]> {
  const context = await lab.context(snapshot);
  const { uri } = snapshot;
  const text = snapshot.texts.get(uri) ?? '';
  const positions = context.positions(uri);
  const range = { start: positions.at(0), end: positions.at(text.length) };
  const params = { textDocument: { uri }, range, context: { diagnostics: [] } };
  const actions = codeActions.answer(snapshot, params, context).filter((it) => 'kind' in it);
  const byActions = actions.flatMap((it) =>
    ('edit' in it ? (it.edit?.documentChanges ?? []) : []).flatMap((change) =>
      'edits' in change
        ? change.edits.flatMap((edit) => ('newText' in edit ? [`${it.title}: ${edit.newText}`] : []))
        : [],
    ),
  );
  const titles = actions.filter((it) => /^(?:Update|Go back)/.test(it.title));
  const plans = updateScopes.flatMap((scope) =>
    planUpdates(snapshot.dependencies, scope, context.facts).changes.map(
      ({ edit }) => `update all (${scope}): ${edit.newText}`,
    ),
  );
  const completed = await completions(lab, snapshot);
  return [...byActions, ...titles.map((it) => `title ${it.title}`), ...plans, ...completed];
}

async function completions(lab: Lab, snapshot: Snapshot): Promise<string[]> {
  const context = await lab.context(snapshot);
  const positions = context.positions(snapshot.uri);
  const found: string[] = [];
  for (const { linked } of snapshot.dependencies) {
    const params = { textDocument: { uri: snapshot.uri }, position: positions.at(linked.span.end) };
    for (let round = 0; round < 3; round++) await lab.obtain(completion.neededFacts?.(snapshot, params, context) ?? []);
    for (const it of completion.answer(snapshot, params, context).items) {
      const isAsked = it.command !== undefined;
      if (!isAsked) found.push(`completion: ${it.textEdit?.newText ?? it.insertText ?? it.label}`);
    }
  }
  return found;
}

async function settled(lab: Lab, name: string): Promise<Snapshot> {
  const { dependencies } = await lab.settled(name);
  await lab.obtain(dependencies.flatMap(factsOfTargets));
  const snapshot = await lab.settled(name);
  for (const it of snapshot.dependencies) for (const at of affectedOf(it)) snapshot.findWaysOut(it, at);
  return snapshot;
}

/** Whether an edit names a malicious version, otherwise than as the begin of a range that had it before. */
function namesMalware(edit: string, before: string): boolean {
  const [found, operator, version = ''] = /(\[|\(|>=\s*)?\b(\d+\.\d+\.9\d\d?)\b/.exec(edit) ?? [];
  return found !== undefined && !(operator !== undefined && before.includes(`${operator}${version}`));
}

/** The edits of some projects, and how many of these have malware. */
async function tryAll(projects: readonly Project[]): Promise<{ readonly edits: number; readonly threatened: number }> {
  const files = new Map(projects.map((it) => [`${it.folder}/${it.file}`, it.text]));
  const lab = await openLab(files, Object.assign({}, ...projects.map((it) => it.catalog)));
  let edits = 0;
  try {
    for (const { folder, file, text, catalog } of projects) {
      const snapshot = await settled(lab, `${folder}/${file}`);
      const all = await written(lab, snapshot);
      edits += all.length;
      const bad = all.filter((it) => namesMalware(it, text));
      assert.deepEqual(bad, [], `${file}\n${text}\n${JSON.stringify(catalog, null, 1)}`);
    }
  } finally {
    await lab.close();
  }
  return { edits, threatened: projects.filter((it) => JSON.stringify(it.catalog).includes('MAL-')).length };
}

test(`no edit of ours names a malicious version, in ${count} projects`, async () => {
  const groups = Array.from({ length: Math.ceil(count / TOGETHER) }, (_, group) =>
    Array.from({ length: Math.min(TOGETHER, count - group * TOGETHER) }, (_, at) => project(group * TOGETHER + at)),
  );
  const results = await Promise.all(groups.map(tryAll));
  const edits = results.reduce((sum, it) => sum + it.edits, 0);
  const threatened = results.reduce((sum, it) => sum + it.threatened, 0);
  // Otherwise nothing was tried.
  assert.ok(threatened > count / 3 && edits > 3 * count, `${threatened} with malware, ${edits} edits`);
});
