import type { Files } from './hidden.ts';

/* Lockfiles of npm's ecosystem in which an attacker exchanges the entry of `fine`, required by the manifest or by `outer`. */

const json = JSON.stringify;

type Record = Readonly<{ [name: string]: unknown }>;

export const fine = { fine: '1.0.0' };
export const outer = { outer: '1.0.0' };
export const git = 'git+ssh://git@host.example/x.git#00';
export const evilArchive = 'https://registry.example/evil/-/evil-1.0.0.tgz';
export const strange = 'https://host.example/x.tgz';

export function manifest(dependencies: Record = fine): Files {
  return { 'package.json': json({ name: 'a', dependencies }) };
}

/** Version 1: the packages that are installed, without those of the root. */
export function npm1(installed: Record, dependencies: Record = fine): Files {
  return {
    ...manifest(dependencies),
    'package-lock.json': json({ lockfileVersion: 1, requires: true, dependencies: installed }),
  };
}

export function npm1Below(entry: object): Files {
  return npm1({ outer: { version: '1.0.0', requires: fine }, fine: entry }, outer);
}

export function npm(packages: Record, dependencies: Record = fine, more: object = {}): Files {
  return {
    ...manifest(dependencies),
    'package-lock.json': json({ lockfileVersion: 3, packages: { '': { dependencies }, ...packages }, ...more }),
  };
}

export function npmBelow(entry: object, more: Record = {}): Files {
  const packages = { 'node_modules/outer': { version: '1.0.0', dependencies: fine }, 'node_modules/fine': entry };
  return npm({ ...packages, ...more }, outer);
}

export function yarn1(entries: string, dependencies: Record = fine): Files {
  return { ...manifest(dependencies), 'yarn.lock': `# yarn lockfile v1\n\n${entries}` };
}

export function yarn1Below(resolved: string): Files {
  return yarn1(
    `fine@1.0.0:\n  version "1.0.0"\n  resolved "${resolved}"\n\nouter@1.0.0:\n  version "1.0.0"\n  dependencies:\n    fine "1.0.0"\n`,
    outer,
  );
}

export function yarn(entries: string, dependencies: Record = fine): Files {
  const lines = Object.keys(dependencies).map((it) => `    ${it}: "npm:1.0.0"\n`);
  return {
    ...manifest(dependencies),
    'yarn.lock': `__metadata:\n  version: 8\n\n"a@workspace:.":\n  version: 0.0.0-use.local\n  resolution: "a@workspace:."\n  dependencies:\n${lines.join('')}  languageName: unknown\n  linkType: soft\n\n${entries}`,
  };
}

export function yarnBelow(resolution: string, key = 'fine@npm:1.0.0'): Files {
  return yarn(
    `"${key}":\n  version: 1.0.0\n  resolution: "${resolution}"\n  languageName: node\n  linkType: hard\n\n"outer@npm:1.0.0":\n  version: 1.0.0\n  resolution: "outer@npm:1.0.0"\n  dependencies:\n    fine: "npm:1.0.0"\n  languageName: node\n  linkType: hard\n`,
    outer,
  );
}

export function bun(packages: Record, dependencies: Record = fine): Files {
  return {
    ...manifest(dependencies),
    'bun.lock': json({ lockfileVersion: 1, workspaces: { '': { name: 'a', dependencies } }, packages }),
  };
}

export function bunBelow(...entry: readonly unknown[]): Files {
  return bun({ outer: ['outer@1.0.0', '', { dependencies: fine }, 'sha512-a'], fine: entry }, outer);
}

/** @param lock without the workspace */
export function deno(lock: Record, name = 'fine'): Files {
  return { 'deno.json': json({ imports: { [name]: `npm:${name}@1.0.0` } }), 'deno.lock': json(lock) };
}

export function pnpmBelow(key: string, resolution: string): Files {
  return {
    ...manifest(outer),
    'pnpm-lock.yaml': `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n      outer:\n        specifier: 1.0.0\n        version: 1.0.0\n\npackages:\n\n  '${key}':\n    resolution: ${resolution}\n    version: 1.0.0\n\n  outer@1.0.0:\n    resolution: {integrity: sha512-a}\n\nsnapshots:\n\n  '${key}': {}\n\n  outer@1.0.0:\n    dependencies:\n      fine: ${key.slice('fine@'.length)}\n`,
  };
}

/** Of the versions before 9. */
export function pnpmBefore(lockfileVersion: string, version: string, key: string, lines: readonly string[]): Files {
  const own = lockfileVersion === '6.0' ? `\n    specifier: 1.0.0\n    version: ${version}` : ` ${version}`;
  return {
    ...manifest(),
    'pnpm-lock.yaml': `lockfileVersion: '${lockfileVersion}'\n\nspecifiers:\n  fine: 1.0.0\n\ndependencies:\n  fine:${own}\n\npackages:\n\n  ${key}:\n${lines.map((it) => `    ${it}\n`).join('')}    dev: false\n`,
  };
}

export function uvBelow(source: string): Files {
  const entry = (name: string, lines: string): string =>
    `[[package]]\nname = "${name}"\nversion = "1.0.0"\n${lines}\n\n`;
  const requires = (name: string): string => `dependencies = [\n    { name = "${name}" },\n]`;
  return {
    'pyproject.toml': '[project]\nname = "a"\nversion = "1.0.0"\ndependencies = ["outer==1.0.0"]\n',
    'uv.lock': `version = 1\n\n${entry('a', `source = { virtual = "." }\n${requires('outer')}`)}${entry('outer', requires('fine'))}${entry('fine', `source = ${source}`)}`,
  };
}

export const direct = { type: 'Direct', resolved: '1.0.0', requested: '[1.0.0, )' };

export function nuget(packages: Record, name = 'fine'): Files {
  return {
    'a.csproj': `<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><TargetFramework>net8.0</TargetFramework></PropertyGroup><ItemGroup><PackageReference Include="${name}" Version="1.0.0" /></ItemGroup></Project>`,
    'packages.lock.json': json({ version: 1, dependencies: { 'net8.0': packages } }),
  };
}
