import * as l10n from '@vscode/l10n';
import type { VersionKey } from '../model/keys.ts';
import type { System } from '../model/system.ts';

/** A new dependency as a manifest would have it, or why it cannot have it. */
export type DependencyLine =
  | { readonly ok: true; readonly text: string }
  /** A sentence. */
  | { readonly ok: false; readonly reason: string };

interface LineFormat {
  readonly system: System;
  readonly write: (name: string, version: string) => string;
}

const json: LineFormat = { system: 'NPM', write: (name, version) => `"${name}": "${version}"` };
const packageReference: LineFormat = {
  system: 'NUGET',
  write: (name, version) => `<PackageReference Include="${name}" Version="${version}" />`,
};
const pinned = (write: (requirement: string) => string): LineFormat => ({
  system: 'PYPI',
  write: (name, version) => write(`${name}==${version}`),
});
const coordinates = (element: string): LineFormat => ({
  system: 'MAVEN',
  write: (name, version) => {
    const [group = '', artifact = ''] = name.split(':');
    return [
      `<${element}>`,
      `  <groupId>${group}</groupId>`,
      `  <artifactId>${artifact}</artifactId>`,
      `  <version>${version}</version>`,
      `</${element}>`,
    ].join('\n');
  },
});

/**
 * How a manifest names a dependency, by the id of its format. Missing are those that tools write, and those that need
 * more than a version: a tool of .NET has commands.
 */
const lines: ReadonlyMap<string, LineFormat> = new Map(
  Object.entries({
    'package.json': json,
    'pnpm-workspace.yaml': json,
    '.yarnrc.yml': json,
    'deno.json': { system: 'NPM', write: (name, version) => `"${name}": "npm:${name}@${version}"` },
    'pom.xml': coordinates('dependency'),
    'extensions.xml': coordinates('extension'),
    'libs.versions.toml': {
      system: 'MAVEN',
      write: (name, version) => `${aliasOf(name)} = { module = "${name}", version = "${version}" }`,
    },
    'build.gradle': { system: 'MAVEN', write: (name, version) => `implementation("${name}:${version}")` },
    csproj: packageReference,
    msbuild: packageReference,
    'Directory.Build.props': packageReference,
    'Directory.Packages.props': {
      system: 'NUGET',
      write: (name, version) => `<PackageVersion Include="${name}" Version="${version}" />`,
    },
    'packages.config': { system: 'NUGET', write: (name, version) => `<package id="${name}" version="${version}" />` },
    nuspec: { system: 'NUGET', write: (name, version) => `<dependency id="${name}" version="${version}" />` },
    'global.json': { system: 'NUGET', write: (name, version) => `"${name}": "${version}"` },
    'file-based-app': { system: 'NUGET', write: (name, version) => `#:package ${name}@${version}` },
    'requirements.txt': pinned((it) => it),
    'setup.cfg': pinned((it) => it),
    'pyproject.toml': pinned((it) => `"${it}"`),
    'setup.py': pinned((it) => `"${it}"`),
    Pipfile: { system: 'PYPI', write: (name, version) => `${name} = "==${version}"` },
    'Cargo.toml': { system: 'CARGO', write: (name, version) => `${name} = "${version}"` },
    'go.mod': { system: 'GO', write: (name, version) => `require ${name} ${version}` },
  } satisfies Record<string, LineFormat>),
);

/** Every character that a name or version may hold without being quoted. Nothing else is written into a manifest. */
const plain = /^[\p{L}\p{N}@./:+~!_-]+$/u;

/** @param format id of the manifest's format */
export function dependencyLine(format: string, { system, name, version }: VersionKey): DependencyLine {
  const line = lines.get(format);
  if (line === undefined)
    return { ok: false, reason: l10n.t('A tool writes {0}: add dependencies to its manifest instead.', format) };
  if (line.system !== system)
    return { ok: false, reason: l10n.t('{0} cannot contain {1} dependencies.', format, system) };
  if (!plain.test(name) || !plain.test(version)) {
    return { ok: false, reason: l10n.t('The name or version contains unsupported characters.') };
  }
  return { ok: true, text: line.write(name, version) };
}

/** `org.yaml:snakeyaml` → `snakeyaml`; Gradle takes letters, digits, `-`, `_` and `.`, a letter first. */
function aliasOf(name: string): string {
  const artifact = name.slice(name.indexOf(':') + 1).replace(/[^A-Za-z0-9_-]+/g, '-');
  return /^[a-z]/.test(artifact) ? artifact : `lib-${artifact.toLowerCase()}`;
}
