import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf } from '../../../server/src/engine/ecosystems/manifest-formats.ts';
import { removalOf } from '../../../server/src/engine/ecosystems/removal.ts';

/*
 * The entry of the dependency `bad` is removed. Lines that go begin with `-`; what goes within a line is in `⟦ ⟧`. A text
 * without a mark stays: the entry cannot be removed alone.
 */
const removals: readonly (readonly [string, string, string?])[] = [
  ['package.json', '{\n  "dependencies": {\n    "a": "1",\n-    "bad": "1", \n    "c": "1"\n  }\n}\n'],
  ['package.json', '{\n  "dependencies": {\n    "a": "1"⟦,⟧\n-    "bad": "1"\n  }\n}\n'],
  ['package.json', '{\n  "dependencies": {\n-    "bad": "1"\n  }\n}\n'],
  ['package.json', '{ "dependencies": { "a": "1", ⟦"bad": "1", ⟧"c": "1" } }'],
  ['package.json', '{ "dependencies": { "a": "1"⟦, "bad": "1"⟧ } }'],
  ['package.json', '{ "dependencies": { ⟦"bad": "1" ⟧} }'],
  ['package.json', '{"dependencies":{⟦"bad":"1",⟧"a":"1"}}'],
  ['package.json', '{"dependencies":{"a":"1"⟦,"bad":"1"⟧}}'],
  ['package.json', '{ "dependencies": { ⟦"other": "npm:bad@1", ⟧"a": "1" } }', 'other'],
  ['package.json', '{ "dependencies": { "bad": "1" }, "overrides": { "bad": "$bad" } }'],
  [
    'deno.json',
    '{\n  // kept\n  "imports": {\n    "a": "npm:a@1", // kept\n-    "bad": "npm:bad@1", // goes\n    "c": "npm:c@1"\n  }\n}\n',
  ],
  [
    '.config/dotnet-tools.json',
    '{\n  "tools": {\n    "a": {\n      "version": "1.0.0"\n    }⟦,⟧\n-    "bad": {\n-      "version": "1.0.0"\n-    }\n  }\n}\n',
  ],
  ['Cargo.toml', '[dependencies]\na = "1"\n-bad = { version = "1", features = ["x"] } # goes\n# kept\nc = "1"\n'],
  [
    'Cargo.toml',
    '[dependencies]\na = "1"\n\n-[dependencies.bad]\n-version = "1"\n\n# kept\n[dev-dependencies]\nc = "1"\n',
  ],
  ['Cargo.toml', '[dependencies]\n-other = { package = "bad", version = "1" }\na = "1"\n', 'bad'],
  ['Cargo.toml', '[dependencies]\nbad = { version = "1", optional = true }\n[features]\nx = ["dep:bad"]\n'],
  ['Cargo.toml', '[dependencies]\nbad.version = "1"\nbad.features = ["x"]\n'],
  ['Cargo.toml', '[workspace.dependencies]\nbad = "1"\n'],
  ['Cargo.toml', 'dependencies = { a = "1", ⟦bad = "1", ⟧c = "1" }\n'],
  ['pyproject.toml', '[project]\nname = "x"\ndependencies = [\n  "a>=1",\n-  "bad==1", # goes\n  "c", # kept\n]\n'],
  ['pyproject.toml', '[project]\nname = "x"\ndependencies = ["a>=1"⟦, "bad==1"⟧]\n'],
  ['pyproject.toml', '[project]\nname = "x"\ndependencies = [⟦"bad==1", ⟧"c"]\n'],
  ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3"\n-bad = "^1"\nc = "^1"\n'],
  ['Pipfile', '[packages]\n-bad = "==1"\nc = "*"\n'],
  [
    'pom.xml',
    '<project>\n  <dependencies>\n-    <dependency>\n-      <groupId>g</groupId>\n-      <artifactId>bad</artifactId>\n-      <version>1</version>\n-    </dependency> <!-- goes -->\n    <!-- kept -->\n    <dependency>\n      <groupId>g</groupId>\n      <artifactId>c</artifactId>\n      <version>1</version>\n    </dependency>\n  </dependencies>\n</project>\n',
    'g:bad',
  ],
  [
    'pom.xml',
    '<project><dependencies>⟦<dependency><groupId>g</groupId><artifactId>bad</artifactId><version>1</version></dependency>⟧</dependencies></project>',
    'g:bad',
  ],
  [
    'pom.xml',
    '<project><dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>bad</artifactId><version>1</version></dependency></dependencies></dependencyManagement></project>',
    'g:bad',
  ],
  [
    'app.csproj',
    '<Project>\n  <ItemGroup>\n-    <PackageReference Include="bad" Version="1.0.0" />\n    <PackageReference Include="c" Version="1.0.0" />\n  </ItemGroup>\n</Project>\n',
  ],
  [
    'app.csproj',
    '<Project>\n  <ItemGroup>\n-    <PackageReference Include="bad">\n-      <Version>1.0.0</Version>\n-    </PackageReference>\n  </ItemGroup>\n</Project>\n',
  ],
  [
    'Directory.Packages.props',
    '<Project><ItemGroup><PackageVersion Include="bad" Version="1.0.0" /></ItemGroup></Project>',
  ],
  [
    'packages.config',
    '<packages>\n-  <package id="bad" version="1.0.0" />\n  <package id="c" version="1.0.0" />\n</packages>\n',
  ],
  ['requirements.txt', 'a==1\n-bad==1 \\\n-    --hash=sha256:00 # goes\n# kept\nc\n'],
  ['requirements.txt', 'a==1\n-bad==1'],
  ['setup.cfg', '[options]\ninstall_requires =\n    a\n-    bad==1\n    c\n'],
  ['setup.py', 'from setuptools import setup\nsetup(install_requires=[\n    "a",\n-    "bad==1",\n    "c",\n])\n'],
  ['setup.py', "from setuptools import setup\nsetup(install_requires=['a', ⟦'bad==1'⟧])\n"],
  [
    'go.mod',
    'module x\n\nrequire (\n\texample.com/a v1.0.0\n-\texample.com/bad v1.0.0 // indirect\n)\n',
    'example.com/bad',
  ],
  ['go.mod', 'module x\n\n-require example.com/bad v1.0.0\n', 'example.com/bad'],
  ['build.gradle', "dependencies {\n    implementation 'g:a:1'\n-    implementation 'g:bad:1' // goes\n}\n", 'g:bad'],
  ['build.gradle.kts', 'dependencies {\n-    implementation("g:bad:1")\n    implementation("g:c:1")\n}\n', 'g:bad'],
  ['build.gradle', "dependencies {\n    implementation('g:bad:1') {\n        transitive = false\n    }\n}\n", 'g:bad'],
  ['build.gradle', "dependencies {\n    implementation 'g:a:1',\n        'g:bad:1'\n}\n", 'g:bad'],
  ['gradle/libs.versions.toml', '[libraries]\nbad = "g:bad:1"\n', 'g:bad'],
  ['pnpm-workspace.yaml', 'catalog:\n  bad: 1.0.0\n'],
];

for (const [path, marked, name = 'bad'] of removals) {
  for (const end of ['\n', '\r\n']) {
    const lines = marked.replaceAll('\n', end);
    test(`${path}: ${JSON.stringify(lines)}`, () => {
      const text = lines.replace(/^-/gm, '').replace(/[⟦⟧]/g, '');
      const format = formatOf(`/w/${path}`);
      assert.ok(format);
      const dependency = format.parse(text).dependencies.find((it) => it.name === name || it.key.name === name);
      assert.ok(dependency, 'it is declared');
      const edits = removalOf(format, text, dependency);
      const isMarked = /^-|⟦/m.test(marked);
      if (!isMarked) return assert.equal(edits, undefined);
      assert.ok(edits, 'it can be removed');
      const after = [...edits]
        .sort((a, b) => b.span.start - a.span.start)
        .reduce((it, { span, newText }) => it.slice(0, span.start) + newText + it.slice(span.end), text);
      assert.equal(after, lines.replace(/^-[^\n]*(?:\n|$)/gm, '').replace(/⟦[^⟧]*⟧/g, ''));
    });
  }
}
