import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from 'vscode-languageserver';
import '../../harness/seed.ts';
import type { Report } from '../../../server/src/engine/report/report.ts';
import { systemClock } from '../../../server/src/platform/clock.ts';
import { findingsInEditor } from '../../harness/editor-findings.ts';
import { catalogDirectory, startService } from '../../harness/service.ts';
import { folderWith } from '../../terminal/program.ts';
import { runHere } from '../../terminal/terminal.ts';

/** Manifests of six systems, each with some of the catalog's packages in it, and some that nobody knows. */
const formats = {
  npm: {
    file: 'package.json',
    ranges: ['1.0.0', '^1.0.0', '~4.17.15', '*', '>=2 <3', '999.0.0', 'latest', ''],
    text: (rows: readonly Row[]) =>
      JSON.stringify({ dependencies: Object.fromEntries(rows.map((it) => [it.name, it.range])) }, undefined, 2),
  },
  pypi: {
    file: 'requirements.txt',
    ranges: ['==1.0', '>=2,<3', '~=2.1', '', '==999', '<2'],
    text: (rows: readonly Row[]) => rows.map((it) => `${it.name}${it.range}\n`).join(''),
  },
  maven: {
    file: 'pom.xml',
    ranges: ['1.0', '2.14.1', '[1,2)', '999'],
    text: (rows: readonly Row[]) =>
      `<project><dependencies>\n${rows
        .map(({ name, range }) => {
          const [group, artifact] = name.split(':');
          return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${range}</version></dependency>\n`;
        })
        .join('')}</dependencies></project>`,
  },
  nuget: {
    file: 'app.csproj',
    ranges: ['1.0.0', '12.0.3', '[1.0,2.0)', '8.*', '999.0.0'],
    text: (rows: readonly Row[]) =>
      `<Project>\n<ItemGroup>\n${rows.map((it) => `<PackageReference Include="${it.name}" Version="${it.range}" />\n`).join('')}</ItemGroup></Project>`,
  },
  go: {
    file: 'go.mod',
    ranges: ['v1.0.0', 'v0.3.7', 'v999.0.0'],
    text: (rows: readonly Row[]) =>
      `module example.com/m\n\nrequire (\n${rows.map((it) => `\t${it.name} ${it.range}\n`).join('')})\n`,
  },
  cargo: {
    file: 'Cargo.toml',
    ranges: ['1', '=1.0.0', '~0.2', '0.1.0', '999'],
    text: (rows: readonly Row[]) => `[dependencies]\n${rows.map((it) => `${it.name} = "${it.range}"\n`).join('')}`,
  },
} as const;

interface Row {
  readonly name: string;
  readonly range: string;
}

const folders = Object.keys(formats) as (keyof typeof formats)[];

const project = fc.constantFrom(...folders).chain((folder) => {
  const { file, ranges, text } = formats[folder];
  const unknown = folder === 'maven' ? 'nobody:knows' : 'nobody-knows-it';
  const names = readdirSync(join(catalogDirectory, folder)).map((it) => decodeURIComponent(it.replace(/\.json$/, '')));
  const row = fc.record({ name: fc.constantFrom(...names, unknown), range: fc.constantFrom<string>(...ranges) });
  return fc
    .uniqueArray(row, { minLength: 1, maxLength: 6, selector: (it) => it.name })
    .map((rows) => ({ file, text: text(rows) }));
});

test('the terminal finds in 300 manifests what the editor finds', async () => {
  const { seed } = fc.readConfigureGlobal();
  const projects = fc.sample(project, { numRuns: 300, ...(seed !== undefined && { seed }) });
  const files = Object.fromEntries(projects.map(({ file, text }, at) => [`p${at}/${file}`, text]));
  const service = await startService();
  const folder = folderWith(files);
  try {
    const { out } = await runHere(['check', '--format', 'json'], folder.path, {
      baseUrl: service.url,
      clock: systemClock,
    });
    const report: Report = JSON.parse(out);
    assert.equal(report.manifests, 300);
    const editor = await findingsInEditor(folder.path, Object.keys(files), service.url);
    let count = 0;
    for (const path of Object.keys(files)) {
      const here = report.findings.filter((it) => it.path === path).map(asDiagnostic);
      count += here.length;
      assert.deepEqual(sorted(editor.get(path) ?? []), sorted(here), `${path}:\n${files[path]}`);
    }
    assert.ok(count > 300, `${count} findings are too few to tell anything`);
  } finally {
    folder.remove();
    await service.close();
  }
});

const severities = { error: 1, warning: 2, information: 3, hint: 4 } as const;

type Comparable = Pick<Diagnostic, 'range' | 'severity' | 'code' | 'message'>;

/** An editor shows the package behind the answer. */
function asDiagnostic({ region, severity, code, subject, summary }: Report['findings'][number]): Comparable {
  return {
    range: {
      start: { line: region.startLine - 1, character: region.startColumn - 1 },
      end: { line: region.endLine - 1, character: region.endColumn - 1 },
    },
    severity: severities[severity],
    code,
    message: code === 'not-found' ? summary : `${subject}: ${summary}`,
  };
}

function sorted(all: readonly Comparable[]): string[] {
  return all.map(({ range, severity, code, message }) => JSON.stringify({ range, severity, code, message })).sort();
}
