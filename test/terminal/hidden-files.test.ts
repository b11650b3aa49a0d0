import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* Ways in which settings of tools and unusual files hide an affected dependency from a check. */

const run = await startHiding();

const hidden: Readonly<Record<string, Files>> = {
  'a setup.py that runs another file': {
    'setup.py': 'exec(open("x.py").read())\n',
    'x.py': 'from setuptools import setup\nsetup(install_requires=["evil==1.0.0"])\n',
  },
  'a setup.py that runs another file by its path': {
    'setup.py': 'import runpy\nrunpy.run_path("x.txt")\n',
    'x.txt': 'from setuptools import setup\nsetup(install_requires=["evil==1.0.0"])\n',
  },
  'a setup.py that imports what it is made of': {
    'setup.py': 'from setuptools import setup\nfrom x import needs\nsetup(install_requires=needs)\n',
    'x.py': 'needs = ["evil==1.0.0"]\n',
  },
  'a hook of Hatch for the build': {
    'pyproject.toml': '[project]\nname = "a"\nversion = "1"\n[tool.hatch.build.hooks.custom]\n',
    'hatch_build.py': 'class H:\n  def initialize(self, v, d):\n    d["dependencies"] = ["evil==1.0.0"]\n',
  },
  'a hook of Hatch for one target': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\n[tool.hatch.build.targets.wheel.hooks.custom]\npath = "h.py"\n',
  },
  'a hook of Hatch in its own file': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\n[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n',
    'hatch.toml': '[build.hooks.custom]\n',
  },
  'a hook of Hatch for metadata': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\ndynamic = ["dependencies"]\n[tool.hatch.metadata.hooks.custom]\n',
  },
  'a backend of its own': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\ndynamic = ["dependencies"]\n[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n',
  },
  'a hook of PDM': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\n[build-system]\nrequires = ["pdm-backend"]\nbuild-backend = "pdm.backend"\n[tool.pdm.build]\ncustom-hook = "h.py"\n',
  },
  'a wheel by its address': { 'requirements.txt': 'https://host.example/w/evil-1.0.0-py3-none-any.whl\n' },
  'a wheel by its address with a name': {
    'requirements.txt': 'evil @ https://host.example/w/evil-1.0.0-py3-none-any.whl#sha256=00\n',
  },
  'an archive by its address': { 'requirements.txt': 'https://host.example/w/evil-1.0.0.tar.gz\n' },
  'a wheel by its address in a table': {
    'pyproject.toml':
      '[tool.poetry.dependencies]\nevil = { url = "https://host.example/evil-1.0.0-py3-none-any.whl" }\n',
  },
  'a tarball of a registry': {
    'package.json': '{ "dependencies": { "evil": "https://host.example/evil/-/evil-1.0.0.tgz" } }',
  },
  'a wheel by its address in a project': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\ndependencies = ["evil @ https://host.example/evil-1.0.0-py3-none-any.whl"]\n',
  },
  'a path of Poetry beside the dependencies of the project': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\ndependencies = ["evil==1.0.0"]\n[tool.poetry.dependencies]\nevil = { path = "x" }\n',
    'x/pyproject.toml': '[project]\nname = "evil"\nversion = "1.0.0"\n',
  },
  'another POM in the options': {
    'pom.xml': '<project><artifactId>a</artifactId></project>',
    '.mvn/maven.config': '-f other.xml\n',
    'other.xml':
      '<project><artifactId>b</artifactId><dependencies><dependency><groupId>com.example</groupId><artifactId>evil</artifactId><version>1.0.0</version></dependency></dependencies></project>',
  },
  'another POM in the options, on lines of its own': {
    'pom.xml': '<project><artifactId>a</artifactId></project>',
    '.mvn/maven.config': '--file\nsub/other.xml\n',
    'sub/other.xml':
      '<project><artifactId>b</artifactId><dependencies><dependency><groupId>com.example</groupId><artifactId>evil</artifactId><version>1.0.0</version></dependency></dependencies></project>',
  },
  'a POM in the options that is not there': {
    'pom.xml': '<project><artifactId>a</artifactId></project>',
    '.mvn/maven.config': '--file=other.xml\n',
  },
  'XML in UTF-7': {
    'pom.xml':
      '<?xml version="1.0" encoding="UTF-7"?><project><artifactId>a</artifactId>+ADw-dependencies+AD4-+ADw-/dependencies+AD4-</project>',
  },
  'a project in UTF-7': {
    'a.csproj': '<?xml version="1.0" encoding="utf-7"?><Project Sdk="Microsoft.NET.Sdk">+ADw-ItemGroup/+AD4-</Project>',
  },
  'XML in an unknown encoding': {
    'pom.xml': '<?xml version="1.0" encoding="x-own"?><project><artifactId>a</artifactId></project>',
  },
  'the file of a user beside a project': {
    'a.csproj': '<Project Sdk="Microsoft.NET.Sdk"></Project>',
    'a.csproj.user': '<Project><ItemGroup><PackageReference Include="evil" Version="1.0.0" /></ItemGroup></Project>',
  },
  'a project.json': {
    'project.json': '{ "dependencies": { "evil": "1.0.0" }, "frameworks": { "net46": {} } }',
    'a.csproj': '<Project ToolsVersion="14.0"></Project>',
  },
  'escapes in the name of a package': {
    'a.csproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="ev%69l" Version="1.0.0" /></ItemGroup></Project>',
  },
  'a function in the name of a package': {
    'a.csproj': `<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="$([System.String]::Concat('ev', 'il'))" Version="1.0.0" /></ItemGroup></Project>`,
  },
  'a name from the environment': { 'requirements.txt': '${PACKAGE}\n' },
  'a part of a name from the environment': { 'requirements.txt': '${PREFIX}evil==1.0.0\n' },
  'what settings of pnpm add to a package': {
    'package.json': '{ "dependencies": { "fine": "1.0.0" } }',
    'pnpm-workspace.yaml': 'packageExtensions:\n  fine@*:\n    dependencies:\n      evil: 1.0.0\n',
  },
  'what package.json adds to a package': {
    'package.json':
      '{ "dependencies": { "fine": "1.0.0" }, "pnpm": { "packageExtensions": { "fine": { "optionalDependencies": { "evil": "1.0.0" } } } } }',
  },
  'what settings of yarn add to a package': {
    'package.json': '{ "dependencies": { "fine": "1.0.0" } }',
    '.yarnrc.yml': 'packageExtensions:\n  "fine@*":\n    dependencies:\n      evil: 1.0.0\n',
  },
  'escapes in a version': {
    'a.csproj':
      '<Project Sdk="Microsoft.NET.Sdk"><ItemGroup><PackageReference Include="evil" Version="1%2E0.0" /></ItemGroup></Project>',
  },
  'escapes in an import': {
    'a.csproj': '<Project Sdk="Microsoft.NET.Sdk"><Import Project="z%2Einc" /></Project>',
    'z.inc': '<Project><ItemGroup><PackageReference Include="evil" Version="1.0.0" /></ItemGroup></Project>',
  },
};

testHidden(hidden, run);

testPlain(
  {
    'a setup.py that reads its version': {
      'setup.py':
        'from setuptools import setup\nwith open("README.md") as f:\n  text = f.read()\nsetup(long_description=text, install_requires=["fine==1.0.0"])\n',
    },
    'a project of Hatch without hooks': {
      'pyproject.toml':
        '[project]\nname = "a"\nversion = "1"\ndependencies = ["fine==1.0.0"]\n[tool.hatch.build.targets.wheel]\npackages = ["a"]\n',
    },
    'the options of Maven': {
      'pom.xml': '<project><artifactId>a</artifactId></project>',
      '.mvn/maven.config': '-T1C\n--fail-fast\n-Dfile=x\n',
    },
    'XML in an encoding that is read': {
      'pom.xml': '<?xml version="1.0" encoding="ISO-8859-1"?><project><artifactId>a</artifactId></project>',
      'a.csproj': '<?xml version="1.0" encoding="utf-8"?><Project Sdk="Microsoft.NET.Sdk"></Project>',
    },
    'the file of a user that sets nothing of packages': {
      'a.csproj': '<Project Sdk="Microsoft.NET.Sdk"></Project>',
      'a.csproj.user': '<Project><PropertyGroup><ActiveDebugProfile>a</ActiveDebugProfile></PropertyGroup></Project>',
    },
    'a project.json of another tool': {
      'package.json': '{}',
      'project.json': '{ "name": "a", "targets": { "build": {} } }',
    },
  },
  run,
);

for (const [name, files] of Object.entries({
  'a wheel': { 'requirements.txt': 'https://host.example/evil-1.0.0-py3-none-any.whl\n' },
  'a wheel with a name': {
    'pyproject.toml':
      '[project]\nname = "a"\nversion = "1"\ndependencies = ["evil @ https://host.example/evil-1.0.0-py3-none-any.whl"]\n',
  },
})) {
  test(`${name} at the address of a public registry is looked up, one of another stays`, async () => {
    const found = await run(files, '--public-registry', 'host.example');
    assert.equal(found.code, 1, found.error);
    assert.match(found.out, /GHSA-evil/);
    const { code, error } = await run(files);
    assert.equal(code, 2, error);
    assert.match(error, /names private: 1 dependency from the registry host\.example/);
  });
}
