import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import '../harness/seed.ts';
import fc from 'fast-check';
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { formatOf } from '../../server/src/engine/ecosystems/manifest-formats.ts';
import { linkedIn } from '../engine/analysis/script-lab.ts';
import { navigating } from './navigation.ts';

/*
 * Projects that nobody would write: the same few names as properties, variables, aliases and catalogs, defined again in
 * other files, hidden by variables, in comments and in texts. What is renamed leaves the versions of all dependencies as
 * they are, and renaming it back leaves every file as it was.
 */

type Files = Readonly<Record<string, string>>;

/** A use of a name in one of the files, by their indexes, in one of several ways. */
interface Use {
  readonly file: number;
  readonly name: number;
  readonly form: number;
}

interface Spec {
  readonly names: readonly string[];
  readonly uses: readonly Use[];
  readonly to: string;
}

const pool = [
  'vs',
  'ver',
  'core',
  'springVersion',
  'a.version',
  'spring-core',
  'spring',
  'all',
  'x_y',
  'core-all',
] as const;
const name = fc.constantFrom(...pool);

const spec: fc.Arbitrary<Spec> = fc.record({
  names: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
  uses: fc.array(fc.record({ file: fc.nat({ max: 2 }), name: fc.nat({ max: 3 }), form: fc.nat({ max: 7 }) }), {
    minLength: 2,
    maxLength: 8,
  }),
  to: fc.oneof({ weight: 1, arbitrary: name }, { weight: 3, arbitrary: fc.constantFrom('fresh', 'fresher') }),
});

/** The lines of one of the files, each with a form of its own for a name. */
function lines(
  { names, uses }: Spec,
  file: number,
  spell: (name: string) => string,
  forms: readonly ((name: string, at: number) => string)[],
): string {
  return uses
    .flatMap((it, at) => {
      const own = names[it.name % names.length] ?? '';
      return it.file === file ? [forms[it.form % forms.length]?.(spell(own), at) ?? ''] : [];
    })
    .join('\n');
}

const coordinates = '<groupId>w</groupId><artifactId>parent</artifactId><version>1</version>';

function maven(it: Spec): Files {
  const dependency = (version: string, at: number): string =>
    `<dependencies><dependency><groupId>g</groupId><artifactId>a${at}</artifactId><version>${version}</version></dependency></dependencies>`;
  const forms = [
    (own: string, at: number) => dependency(`\${${own}}`, at),
    (own: string, at: number) => dependency(`1-\${${own}}`, at),
    (own: string, at: number) => dependency(`\${${own}}.\${${own}}`, at),
    (own: string) => `<build><x>-x \${${own}} ${own}</x></build>`,
    (own: string) => `<!-- \${${own}} -->`,
    (own: string) => `<properties><${own}>2.0</${own}></properties>`,
  ];
  const module = (at: number): string =>
    `<project><parent>${coordinates}</parent><artifactId>m${at}</artifactId>\n${lines(it, at, String, forms)}\n</project>`;
  const properties = it.names.map((own, at) => `<${at === 0 ? '¦' : ''}${own}>1.${at}</${own}>`).join('\n');
  return {
    'pom.xml': `<project>${coordinates}<properties>\n${properties}\n</properties>\n${lines(it, 0, String, forms)}</project>`,
    'm/pom.xml': module(1),
    'n/pom.xml': module(2),
  };
}

function msbuild(it: Spec): Files {
  const spell = (own: string): string => own.replace(/\./g, '_');
  const forms = [
    (own: string, at: number) => `<ItemGroup><PackageReference Include="A${at}" Version="$(${own})" /></ItemGroup>`,
    (own: string, at: number) => `<ItemGroup><PackageReference Include="A${at}" Version="1.$(${own})" /></ItemGroup>`,
    (own: string) => `<PropertyGroup><${own} Condition="'$(${own})' == ''">3.0</${own}></PropertyGroup>`,
    (own: string) => `<Target Condition="'$(${own})' != '${own}'" />`,
    (own: string) => `<!-- $(${own}) -->`,
    (own: string) => `<PropertyGroup><Other>$(${own})</Other></PropertyGroup>`,
  ];
  const properties = it.names
    .map((own, at) => `<${at === 0 ? '¦' : ''}${spell(own)}>1.${at}</${spell(own)}>`)
    .join('\n');
  return {
    'Directory.Build.props': `<Project><Import Project="eng/more.props" /><PropertyGroup>\n${properties}\n</PropertyGroup></Project>`,
    'eng/more.props': `<Project>\n${lines(it, 0, spell, forms.slice(2))}\n</Project>`,
    'a/a.csproj': `<Project>\n${lines(it, 1, spell, forms)}\n</Project>`,
    'b/b.csproj': `<Project>\n${lines(it, 2, spell, forms)}\n</Project>`,
  };
}

function gradle(it: Spec): Files {
  const spell = (own: string): string => own.replace(/[.-]/g, '_');
  const used = (own: string, at: number): string => `dependencies { implementation "g:a${at}:$${own}" }`;
  const forms = [
    used,
    (own: string, at: number) => `dependencies { api("g:a${at}:\${rootProject.ext.${own}}") }`,
    (own: string, at: number) => `dependencies { api group: "g", name: "a${at}", version: ${own} }`,
    (own: string, at: number) => `// ${own}\ndef own${at} = findProperty("${own}")\nprintln "\${${own}} and '${own}'"`,
    (own: string, at: number) => `def ${own} = "2.${at}"\n${used(own, at)}`,
    (own: string, at: number) => `tasks.register("x${at}") { ${own}.each { println it } }`,
    (own: string) => `subprojects { def ${own} = "3" }`,
    (own: string, at: number) => `def f${at} = { ${own} -> "x" }`,
  ];
  const all = it.names.map(spell);
  const isKey = it.uses.length % 2 === 0;
  const extra = all.map((own, at) => `ext.${at === 0 && !isKey ? '¦' : ''}${own} = "1.${at}"`);
  return {
    'settings.gradle': 'include ":a", ":b"\n',
    'gradle.properties': isKey
      ? `${all.map((own, at) => `${at === 0 ? '¦' : ''}${own}=1.${at}`).join('\n')}\n`
      : 'other=1\n',
    'build.gradle': `${isKey ? '' : extra.join('\n')}\n${lines(it, 0, spell, forms)}\n`,
    'a/build.gradle': `${lines(it, 1, spell, forms)}\n`,
    'b/build.gradle': `${lines(it, 2, spell, forms)}\n`,
  };
}

function kotlin(it: Spec): Files {
  const spell = (own: string): string => own.replace(/[.-]/g, '_');
  const forms = [
    (own: string, at: number) => `dependencies { implementation("g:a${at}:\${rootProject.extra["${own}"]}") }`,
    (own: string, at: number) => `dependencies { implementation("g:a${at}:\${project.property("${own}")}") }`,
    (own: string, at: number) => `val ${own}: String by project\ndependencies { api("g:a${at}:$${own}") }`,
    (own: string, at: number) => `fun f${at}(${own}: String) = "x"`,
    (own: string) => `println("${own} \${rootProject.extra["${own}"]}")`,
  ];
  const extra = it.names.map((own, at) => `val ${at === 0 ? '¦' : ''}${spell(own)} by extra("1.${at}")`);
  return {
    'settings.gradle.kts': 'include(":a", ":b")\n',
    'build.gradle.kts': `${extra.join('\n')}\ndependencies { api("g:root:$${spell(it.names[0] ?? '')}") }\n${lines(it, 0, spell, forms)}\n`,
    'a/build.gradle.kts': `${lines(it, 1, spell, forms)}\n`,
    'b/build.gradle.kts': `${lines(it, 2, spell, forms)}\n`,
  };
}

function catalog(it: Spec): Files {
  const dotted = (own: string): string => own.replace(/[_-]/g, '.');
  const script = [
    (own: string) => `dependencies { implementation libs.${dotted(own)} }`,
    (own: string, at: number) => `dependencies { api "g:b${at}:\${libs.versions.${dotted(own)}.get()}" }`,
    (own: string) => `dependencies { api libs.bundles.${dotted(own)} }`,
    (own: string) => `println libs.findLibrary("${own}").get()`,
    (own: string) => `println "${own}"\n// libs.${dotted(own)}`,
  ];
  const isFirst = it.uses.length % 3;
  const mark = (at: number, kind: number): string => (at === 0 && isFirst === kind ? '¦' : '');
  const table = (kind: number, value: (own: string, at: number) => string): string =>
    it.names
      .map((own, at) => `${mark(at, kind)}${own.replace(/\./g, '_')} = ${value(own.replace(/\./g, '_'), at)}\n`)
      .join('');
  const toml = `[versions]\n${table(0, (_, at) => `"1.${at}"`)}[libraries]\n${table(1, (own, at) => `{ module = "g:a${at}", version.ref = "${own}" }`)}[bundles]\n${table(2, (own) => `["${own}"]`)}`;
  const spell = (own: string): string => own.replace(/\./g, '_');
  return {
    'settings.gradle': 'include ":a", ":b"\n',
    'gradle/libs.versions.toml': toml,
    'build.gradle': `${lines(it, 0, spell, script)}\n`,
    'a/build.gradle': `${lines(it, 1, spell, script)}\n`,
    'b/build.gradle': `${lines(it, 2, spell, script)}\n`,
  };
}

function catalogs(it: Spec): Files {
  const forms = [
    (own: string, at: number) => `"p${at}": "catalog:${own}"`,
    (own: string, at: number) => `"${own}${at}": "catalog:${own}"`,
    (own: string, at: number) => `"q${at}": "catalog:${own}-x"`,
  ];
  const packages = it.uses.map((_, at) => `    p${at}: 1.${at}.0\n    ${it.names[0]}${at}: 2.${at}.0\n`).join('');
  const all = it.names.map((own, at) => `  ${at === 0 ? '¦' : ''}${own}:\n${packages}`).join('');
  const manifest = (file: number): string =>
    `{ "name": "${it.names[0]}",\n"dependencies": {\n${lines(it, file, String, forms).replaceAll('\n', ',\n')}\n} }`;
  const isYarn = it.uses.length % 2 === 0;
  return {
    [isYarn ? '.yarnrc.yml' : 'pnpm-workspace.yaml']:
      `${isYarn ? '' : 'packages: [a, b]\n'}catalogs:\n${all}# ${it.names[0]}:\n`,
    'package.json': manifest(0),
    'a/package.json': manifest(1),
    'b/package.json': manifest(2),
  };
}

const kinds: Readonly<Record<string, (it: Spec) => Files>> = { maven, msbuild, gradle, kotlin, catalog, catalogs };
/** Of each kind. `PROJECTS=200` tries more. */
const numRuns = Number(process.env['PROJECTS'] ?? 15);

for (const [kind, build] of Object.entries(kinds)) {
  test(`a name in random projects (${kind}) leaves all versions, and comes back as it was`, async (t) => {
    const seen = { renamed: 0, refused: new Map<string, number>() };
    await fc.assert(
      fc.asyncProperty(spec, async (it) => {
        const refused = await renamedAndBack(build(it), it.to);
        if (refused === undefined) seen.renamed++;
        else {
          const said = refused.replaceAll(
            /\S*\d\S*|fresh(?:er)?|a\.version|\b(?:vs|ver|core|all|spring\S*|x_y)\b/g,
            '…',
          );
          seen.refused.set(said, (seen.refused.get(said) ?? 0) + 1);
        }
      }),
      { numRuns },
    );
    for (const [why, count] of seen.refused) t.diagnostic(`${count} × ${why}`);
    t.diagnostic(`${seen.renamed} of ${numRuns} renamed`);
    assert.ok(seen.renamed >= numRuns / 5, `${seen.renamed} of ${numRuns}`);
  });
}

/** @returns why it was refused */
async function renamedAndBack(marked: Files, to: string): Promise<string | undefined> {
  const [file = '', text = ''] = Object.entries(marked).find(([, it]) => it.includes('¦')) ?? [];
  const start = text.indexOf('¦');
  const before = withoutMark(marked);
  const old = /^[\w.-]+/.exec(text.slice(start + 1))?.[0] ?? '';
  const first = await rename(marked, to);
  if (typeof first === 'string') return first;
  const after = applied(before, first);
  assert.deepEqual(await versionsIn(after), await versionsIn(before));
  const moved = (first.get(file) ?? [])
    .filter((it) => it.to <= start)
    .reduce((sum, it) => sum + it.text.length - (it.to - it.from), 0);
  const again = { ...after, [file]: `${after[file]?.slice(0, start + moved)}¦${after[file]?.slice(start + moved)}` };
  const second = await rename(again, old);
  if (old === to) return undefined;
  assert.ok(typeof second !== 'string', `${to} → ${old}: ${second}`);
  assert.deepEqual(applied(after, second), before);
  return undefined;
}

interface Change {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function withoutMark(files: Files): Files {
  return Object.fromEntries(Object.entries(files).map(([at, it]) => [at, it.replace('¦', '')]));
}

/** The changes of each file, or the reason against them. */
async function rename(files: Files, newName: string): Promise<ReadonlyMap<string, readonly Change[]> | string> {
  const cleanups: (() => unknown)[] = [];
  const context = { after: (it: () => unknown) => cleanups.push(it) } as unknown as TestContext;
  const { client, uri, position } = await navigating(context, files);
  try {
    const edit = await client.ask<WorkspaceEdit>('textDocument/rename', uri, { position, newName });
    const plain = withoutMark(files);
    return new Map(
      (edit.documentChanges ?? []).map((it) => {
        assert.ok('edits' in it);
        const own = it.textDocument.uri.slice('file:///w/'.length);
        const document = TextDocument.create('', '', 0, plain[own] ?? '');
        const changes = (it.edits as TextEdit[]).map(({ range, newText: text }) => ({
          from: document.offsetAt(range.start),
          to: document.offsetAt(range.end),
          text,
        }));
        return [own, changes] as const;
      }),
    );
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    for (const it of cleanups) await it();
  }
}

function applied(files: Files, changes: ReadonlyMap<string, readonly Change[]>): Files {
  return Object.fromEntries(
    Object.entries(files).map(([at, text]) => {
      const own = [...(changes.get(at) ?? [])].sort((a, b) => b.from - a.from);
      return [at, own.reduce((it, { from, to, text: by }) => it.slice(0, from) + by + it.slice(to), text)];
    }),
  );
}

/** What each dependency of each file comes to. Conditions are texts with the names in them. */
async function versionsIn(files: Files): Promise<readonly string[]> {
  const found: string[] = [];
  for (const at of Object.keys(files))
    if (formatOf(at)) found.push(...(await linkedIn(files, at)).map((it) => `${at}: ${it.replace(/ when .*/s, '')}`));
  return found;
}
