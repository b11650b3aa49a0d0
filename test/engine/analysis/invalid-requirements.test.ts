import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingsIn } from '../../../server/src/engine/analysis/findings.ts';
import { openLab } from '../../harness/lab.ts';

const known = { versions: ['1.0.0', '2.0.0'] };
const catalog = {
  ...{ 'NPM lib': known, 'PYPI lib': known, 'CARGO lib': known, 'NUGET lib': known, 'MAVEN org:lib': known },
  'GO example.com/lib': { versions: ['v1.0.0', 'v1.1.0'] },
};

/** What the client of each format refuses, between the two characters. */
const refused: Readonly<Record<string, string>> = {
  'package.json': '{ "dependencies": { "lib": "«^^1»" } }',
  'deno.json': '{ "imports": { "lib": "npm:lib@«^^1»" } }',
  'pnpm-workspace.yaml': 'catalog:\n  lib: «^^1»\n',
  '.yarnrc.yml': 'catalog:\n  lib: «=>1»\n',
  'requirements.txt': 'lib«=1.0»\n',
  'pyproject.toml': '[project]\nname = "x"\ndependencies = ["lib«=>1»"]\n',
  'poetry/pyproject.toml': '[tool.poetry.dependencies]\nlib = "«^^1»"\n',
  Pipfile: '[packages]\nlib = "«=1.0»"\n',
  'setup.cfg': '[options]\ninstall_requires =\n  lib«==abc»\n',
  'setup.py': 'from setuptools import setup\nsetup(install_requires=["lib«~=1»"])\n',
  'Cargo.toml': '[package]\nname = "x"\n[dependencies]\nlib = "«1.0.0.0»"\n',
  'pom.xml':
    '<project><dependencies><dependency><groupId>org</groupId><artifactId>lib</artifactId><version>«[1.0»</version></dependency></dependencies></project>',
  'build.gradle': "dependencies { implementation 'org:lib:«1.0)»' }\n",
  'gradle/libs.versions.toml': '[libraries]\nlib = { module = "org:lib", version = "«[1.0»" }\n',
  'app.csproj': '<Project><ItemGroup><PackageReference Include="Lib" Version="«[1.0»" /></ItemGroup></Project>',
  'Directory.Packages.props':
    '<Project><ItemGroup><PackageVersion Include="Lib" Version="«^1.0»" /></ItemGroup></Project>',
  'packages.config': '<packages><package id="Lib" version="«[1.0»" /></packages>',
  'app.nuspec':
    '<package><metadata><dependencies><dependency id="Lib" version="«(1.0)»"/></dependencies></metadata></package>',
  'go.mod': 'module x\nrequire example.com/lib «^1.0.0»\n',
};

for (const [name, marked] of Object.entries(refused))
  test(`what the client refuses is marked in ${name}`, async () => {
    const text = marked.replace(/[«»]/g, '');
    const lab = await openLab(new Map([[name, text]]), catalog);
    try {
      const snapshot = await lab.settled(name);
      const { settings } = await lab.context(snapshot);
      const found = findingsIn(snapshot.dependencies, settings).map(({ code, severity, span, message }) => {
        return [code, severity, text.slice(span.start, span.end), message];
      });
      const requirement = marked.slice(marked.indexOf('«') + 1, marked.indexOf('»'));
      assert.deepEqual(found, [['no-match', 'error', requirement, `Invalid requirement “${requirement}”.`]]);
    } finally {
      await lab.close();
    }
  });
