/* Generates manifests and lockfiles of any size, in the usual layout of each format. */

/** `package-0000`, `package-0001` and so on. */
export function manyPackages(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `package-${String(index).padStart(4, '0')}`);
}

/** Number of packages with many versions. */
export const MAX_LISTED = 800;

/** Packages with lists of versions as long as those of usual packages: `listed-0000` and so on. */
export function manyListed(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `listed-${String(index).padStart(4, '0')}`);
}

/** Number of packages in manifests with flagged ones. */
export const MAX_FLAGGED = 800;

/** Packages of which every fortieth is deprecated and every fiftieth has an advisory, at the version in the lockfile. */
export function someFlagged(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const flaws = `${index % 40 === 0 ? 'old-' : ''}${index % 50 === 0 ? 'flawed-' : ''}`;
    return `${flaws}part-${String(index).padStart(4, '0')}`;
  });
}

export function isDeprecated(name: string): boolean {
  return name.startsWith('old-');
}

/** Whether it has an advisory. */
export function isFlawed(name: string): boolean {
  return name.includes('flawed-');
}

export function isFlagged(name: string): boolean {
  return isDeprecated(name) || isFlawed(name);
}

/** The version in the lockfile. As in a real one, few are equal. */
export function versionOf(name: string): string {
  return `1.2.${Number(/\d+$/.exec(name)?.[0] ?? 0)}`;
}

/** Different requirements, each met by the version in the lockfile. */
export function variousRanges(index: number): string {
  return `${index % 5 === 0 ? '>=' : '^'}1.${index % 2}.${index}`;
}

/** A package.json that requires each package. */
export function packageJson(names: readonly string[], requirement: (index: number) => string): string {
  const dependencies = Object.fromEntries(names.map((it, index) => [it, requirement(index)]));
  return JSON.stringify({ name: 'bench', version: '1.0.0', description: '', dependencies }, null, 2);
}

/** npm's lockfile, each package in the root's own node_modules. */
export function packageLock(names: readonly string[]): string {
  const packages = Object.fromEntries(
    names.map((it) => [
      `node_modules/${it}`,
      {
        version: versionOf(it),
        resolved: `https://registry.example/${it}/-/${it}-${versionOf(it)}.tgz`,
        integrity: 'sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==',
        license: 'MIT',
      },
    ]),
  );
  return JSON.stringify(
    { name: 'bench', lockfileVersion: 3, packages: { '': { name: 'bench' }, ...packages } },
    null,
    2,
  );
}

/** Manifests by path, which determines the format. */
export const manifests: Readonly<Record<string, (names: readonly string[]) => string>> = {
  'package.json': (names) => packageJson(names, () => '^1.2.3'),
  'pnpm-workspace.yaml': (names) => `catalog:\n${lines(names, (it) => `  ${it}: ^1.2.3`)}`,
  'pom.xml': (names) =>
    `<project>\n<dependencies>\n${lines(names, (it) => `<dependency>\n<groupId>org.example</groupId>\n<artifactId>${it}</artifactId>\n<version>1.2.3</version>\n</dependency>`)}</dependencies>\n</project>\n`,
  'app.csproj': (names) =>
    `<Project Sdk="Microsoft.NET.Sdk">\n<ItemGroup>\n${lines(names, (it) => `<PackageReference Include="${it}" Version="1.2.3" />`)}</ItemGroup>\n</Project>\n`,
  'requirements.txt': (names) => lines(names, (it) => `${it}>=1.2.3,<2`),
  'pyproject.toml': (names) =>
    `[project]\nname = "bench"\ndependencies = [\n${lines(names, (it) => `  "${it}>=1.2.3,<2",`)}]\n`,
  'Cargo.toml': (names) =>
    `[package]\nname = "bench"\n\n[dependencies]\n${lines(names, (it) => `${it} = { version = "1.2.3", features = ["std"] }`)}`,
  'go.mod': (names) =>
    `module code.example/bench\n\ngo 1.24\n\nrequire (\n${lines(names, (it) => `\tcode.example/x/${it} v1.2.3 // indirect`)})\n`,
  'build.gradle': (names) =>
    `dependencies {\n${lines(names, (it) => `    implementation 'org.example:${it}:1.2.3'`)}}\n`,
  'gradle/libs.versions.toml': (names) =>
    `[libraries]\n${lines(names, (it) => `${it} = { module = "org.example:${it}", version = "1.2.3" }`)}`,
};

/** Lockfiles by name. */
export const lockfiles: Readonly<Record<string, (names: readonly string[]) => string>> = {
  'package-lock.json': packageLock,
  'pnpm-lock.yaml': (names) =>
    `lockfileVersion: '9.0'\n\nimporters:\n\n  .:\n    dependencies:\n${lines(names, (it) => `      ${it}:\n        specifier: ^1.2.3\n        version: 1.2.3`)}\npackages:\n\n${lines(names, (it) => `  ${it}@1.2.3:\n    resolution: {integrity: sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==}\n`)}`,
  'yarn.lock': (names) =>
    `# yarn lockfile v1\n\n\n${lines(names, (it) => `${it}@^1.2.3:\n  version "1.2.3"\n  resolved "https://registry.example/${it}.tgz"\n  integrity sha512-AAAAAAAAAAAAAAAA==\n`)}`,
  'Cargo.lock': (names) =>
    `version = 4\n\n${lines(names, (it) => `[[package]]\nname = "${it}"\nversion = "1.2.3"\nsource = "registry+https://registry.example/index"\nchecksum = "00000000000000000000000000000000"\n`)}`,
  'poetry.lock': (names) =>
    lines(
      names,
      (it) =>
        `[[package]]\nname = "${it}"\nversion = "1.2.3"\noptional = false\nfiles = [\n    {file = "a.whl", hash = "sha256:00"},\n]\n`,
    ),
};

function lines(names: readonly string[], line: (name: string) => string): string {
  return names.map((it) => `${line(it)}\n`).join('');
}
