/** The files that the server supports. A test compares them with its table of formats. */
export const manifestPatterns: readonly string[] = [
  // npm and its relatives
  '**/package.json',
  '**/{pnpm-workspace.yaml,.yarnrc.yml}',
  '**/{deno.json,deno.jsonc,import_map.json,importmap.json}',
  // Maven
  '**/{pom.xml,*.pom}',
  '**/*mvn/{extensions.xml,maven.config}',
  // Go
  '**/go.{mod,*.mod,work}',
  // Python
  '**/*requirement*.{txt,in,pip,lock}',
  '**/*requirements/**/*.{txt,in,pip}',
  '**/*constraint*.{txt,in}',
  '**/{pyproject.toml,Pipfile,setup.cfg,setup.py,hatch.toml}',
  '**/{hatch,pdm}_build.py',
  // NuGet
  '**/*{proj,proj.user}',
  '**/*project.json',
  '**/*.{props,targets,projitems,nuspec}',
  '**/packages*.config',
  '**/{dotnet-tools.json,global.json}',
  '**/*.cs',
  // Cargo
  '**/Cargo.toml',
  // Gradle
  '**/*.versions.toml',
  '**/*.{gradle,gradle.kts}',
  '**/{gradle,versions}.properties',
  // Lockfiles
  '**/{package-lock,npm-shrinkwrap}.json',
  '**/{yarn.lock,pnpm-lock.yaml,bun.lock,deno.lock}',
  '**/{packages*.lock,project.assets,*.deps}.json',
  '**/{Cargo,poetry,uv,pdm,pdm.*,Pipfile}.lock',
  '**/*gradle.lockfile',
  '**/gradle/verification-metadata.xml',
  '**/pylock*.toml',
  '**/go*.sum',
  // Bills of materials
  '**/{bom,sbom,cdx,cyclonedx,spdx,spdx3}.json',
  '**/*[._-]{bom,sbom,cdx,cyclonedx,spdx,spdx3}.json',
  '**/{bom,sbom,cdx,cyclonedx}.xml',
  '**/*[._-]{bom,sbom,cdx,cyclonedx}.xml',
  '**/*.spdx',
];

/**
 * The usual manifests, by which a workspace activates the extension when it is opened. Others do so by their languages,
 * when they are opened themselves.
 */
export const usualManifests: readonly string[] = [
  // Those that no language of their own activates come first: VS Code itself opens JSON in every window.
  'package.json',
  'deno.json',
  'deno.jsonc',
  'import_map.json',
  'importmap.json',
  'project.json',
  'dotnet-tools.json',
  'global.json',
  'packages.lock.json',
  'bom.json',
  'sbom.json',
  '*.bom.json',
  '*.sbom.json',
  '*.cdx.json',
  '*.spdx.json',
  '*.spdx',
  'requirements*.txt',
  'requirements*.in',
  'constraints*.txt',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'pyproject.toml',
  'Pipfile',
  'setup.py',
  'Cargo.toml',
  'go.mod',
  'go.work',
  'Directory.Packages.props',
  '*.csproj',
  '*.fsproj',
  '*.vbproj',
];

/** The project file. It is not a manifest, but its problems are shown, and unsaved changes apply. */
const projectFilePattern = '**/.package-insights.json';

/** The languages that identify a manifest without a file. A test compares them with those of the server. */
export const manifestLanguages: readonly string[] = [
  'pip-requirements',
  'package-insights-requirements',
  'go.mod',
  'go.work',
  'package-insights-go-mod',
];

type Filter =
  | { readonly scheme: string; readonly pattern: string }
  | { readonly scheme: string; readonly language: string };

/**
 * Documents in files and unsaved ones.
 * @param schemes of the file systems whose files are read beside a manifest
 * @param own names of manifests that the person has chosen: `reqs*.txt=requirements.txt`
 */
export function manifestSelector(schemes: readonly string[], own: readonly string[] = []): Filter[] {
  const patterns = [...manifestPatterns, ...own.map((it) => `**/${it.replace(/=.*$/, '')}`)];
  return [
    ...schemes.flatMap((scheme) => patterns.map((pattern) => ({ scheme, pattern }))),
    ...manifestLanguages.map((language) => ({ scheme: 'untitled', language })),
  ];
}

/** The language of requests to connected services. A person who opens one asks for the server. */
export const requestLanguage = 'package-insights-request';

/** Documents of services in languages that others use, too, by the key of the connection: sent while it is connected. */
const connectedLanguages: Readonly<Record<string, readonly string[]>> = { deployments: ['yaml'] };

/**
 * @param connected the keys of the connected services
 * @param own names of manifests that the person has chosen: `reqs*.txt=requirements.txt`
 */
export function servedSelector(
  schemes: readonly string[],
  connected: readonly string[],
  own: readonly string[] = [],
): Filter[] {
  const languages = connected.flatMap((it) => connectedLanguages[it] ?? []);
  return [
    ...manifestSelector(schemes, own),
    ...schemes.map((scheme) => ({ scheme, pattern: projectFilePattern })),
    ...[...schemes, 'untitled'].flatMap((scheme) =>
      [requestLanguage, ...languages].map((language) => ({ scheme, language })),
    ),
  ];
}
