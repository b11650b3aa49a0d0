import type { System } from '../../engine/model/system.ts';

/**
 * Program files of a package manager that name the registry which it asks where nothing is configured, and other
 * addresses that it takes for the same registry. An asterisk matches the entries of a directory.
 */
export interface ProgramFiles {
  /** On the PATH. Without an ending: that of Windows is supplied. */
  readonly programs: readonly string[];
  /** Relative to the directory of the program, links followed. */
  readonly paths: readonly string[];
  /** Relative to the home directory, for programs that the PATH does not lead to: a version manager is in between. */
  readonly inHome?: readonly string[];
  /** The file inside, where the others are archives. */
  readonly entry?: string;
  /** Default: `utf8`. */
  readonly encoding?: 'utf8' | 'latin1' | 'utf16le';
  /** Larger files are not read. Default: 16 MB. */
  readonly maxBytes?: number;
  /** The statements that name an address or, with escaped dots, a host. */
  readonly statement: RegExp;
}

/** Where npm lies, from the directory of `npm` or of `node`. */
const npmRoots = ['..', 'node_modules/npm', '../lib/node_modules/npm'];
const nodeVersions = [
  '.nvm/versions/node/*',
  '.volta/tools/image/node/*',
  '.asdf/installs/nodejs/*',
  '.local/share/mise/installs/node/*',
  '.local/share/fnm/node-versions/*/installation',
  '.nodenv/versions/*',
];

/** A package that npm consists of; Debian has it beside npm. */
function ofNpm(path: string): Pick<ProgramFiles, 'programs' | 'paths' | 'inHome'> {
  return {
    programs: ['npm', 'node'],
    paths: [...npmRoots.map((it) => `${it}/node_modules/${path}`), `../../${path}`],
    inHome: nodeVersions.map((it) => `${it}/lib/node_modules/npm/node_modules/${path}`),
  };
}

const pip = 'pip/_internal/models/index.py';
const pythonVersions = [
  '.pyenv/versions/*',
  '.asdf/installs/python/*',
  '.local/share/uv/python/*',
  '.local/share/pipx/shared',
];

const ofPip: Pick<ProgramFiles, 'programs' | 'paths' | 'inHome'> = {
  programs: ['python3', 'python', 'pip3', 'pip'],
  paths: [`../lib/python3*/site-packages/${pip}`, `../lib/python3/dist-packages/${pip}`, `Lib/site-packages/${pip}`],
  inHome: pythonVersions.map((it) => `${it}/lib/python3*/site-packages/${pip}`),
};

/** Each row was read in the named version of the program; those of .NET are from the sources of NuGet.Client. */
export const programFiles: Readonly<Record<System, readonly ProgramFiles[]>> = {
  NPM: [
    {
      // npm 11: registry: new Definition('registry', { default: 'https://…/',
      ...ofNpm('@npmcli/config/lib/definitions/definitions.js'),
      statement: /\bregistry: new Definition\('registry', \{\s*default: '(https?:[^']+)'/g,
    },
    {
      // npm 7 to 11: what it replaces in a yarn.lock: const yarnRegRe = /^https?:\/\/…\//
      ...ofNpm('@npmcli/arborist/lib/shrinkwrap.js'),
      statement: /^const \w+RegRe = \/\^https\?:\\\/\\\/([\w.\\-]+)\\\/\/$/gm,
    },
    {
      // yarn 1.22
      programs: ['yarn'],
      paths: ['../lib/cli.js'],
      inHome: nodeVersions.map((it) => `${it}/lib/node_modules/yarn/lib/cli.js`),
      statement: /\bYARN_REGISTRY = exports\.YARN_REGISTRY = '(https?:[^']+)'/g,
    },
  ],
  PYPI: [
    // pip 23 to 26. The index for tests has a line of its own.
    { ...ofPip, statement: /^PyPI = PackageIndex\(\s*"(https?:[^"]+)"/gm },
    // The host of its files
    { ...ofPip, statement: /^PyPI = PackageIndex\([^)]*\bfile_storage_domain="([\w.-]+)"/gm },
  ],
  MAVEN: [
    {
      // Maven 3.8: the POM that all others inherit from
      programs: ['mvn'],
      paths: ['../lib/maven-model-builder-*.jar', '../libexec/lib/maven-model-builder-*.jar'],
      inHome: [
        '.m2/wrapper/dists/*/*/lib/maven-model-builder-*.jar',
        '.m2/wrapper/dists/*/*/*/lib/maven-model-builder-*.jar',
      ],
      entry: 'org/apache/maven/model/pom-4.0.0.xml',
      statement: /<url>\s*(https?:[^<\s]+)\s*<\/url>/g,
    },
    {
      // Gradle 8.5: mavenCentral(), google(), gradlePluginPortal()
      programs: ['gradle'],
      paths: ['../lib', '../lib/plugins', '../libexec/lib', '../libexec/lib/plugins'].map(
        (it) => `${it}/gradle-dependency-management-*.jar`,
      ),
      inHome: ['lib', 'lib/plugins'].map(
        (it) => `.gradle/wrapper/dists/*/*/*/${it}/gradle-dependency-management-*.jar`,
      ),
      entry: 'org/gradle/api/internal/artifacts/repositories/DefaultBaseRepositoryFactory.class',
      encoding: 'latin1',
      statement: /(https?:\/\/[\w.-]+(?:\/[\w./-]*)?)/g,
    },
  ],
  NUGET: [
    {
      // Constants of both versions of its protocol
      programs: ['dotnet'],
      paths: ['sdk/*/NuGet.Configuration.dll'],
      inHome: ['.dotnet/sdk/*/NuGet.Configuration.dll'],
      encoding: 'utf16le',
      statement: /(https?:\/\/[\w.-]+\/(?:api\/v2|v3\/index\.json))/g,
    },
  ],
  GO: [
    {
      // Go 1.26. Its go.env is a configuration.
      programs: ['go'],
      paths: ['../src/cmd/go/alldocs.go'],
      statement: /^\/\/ By default, the go command may download modules from (https?:[^\s]+?)\.?$/gm,
    },
  ],
  // Lockfiles name its registry in one fixed way, by which it is known.
  CARGO: [],
};

/** Cargo itself, a binary of 40 MB: only for a program that asks its registry. Read in 1.95. */
export const cargoProgram: ProgramFiles = {
  programs: ['cargo'],
  paths: ['cargo'],
  inHome: ['.rustup/toolchains/*/bin/cargo'],
  encoding: 'latin1',
  maxBytes: 128 * 1024 * 1024,
  statement: /sparse\+(https?:\/\/[\w.-]+\/)/g,
};

/** The addresses that a program file names. */
export function addressesNamedIn(text: string, { statement }: Pick<ProgramFiles, 'statement'>): readonly URL[] {
  return [...text.matchAll(statement)].flatMap(([, named = '']) => {
    const address = named.includes('://') ? named : `https://${named.replaceAll('\\', '')}`;
    return URL.canParse(address) ? [new URL(address)] : [];
  });
}
