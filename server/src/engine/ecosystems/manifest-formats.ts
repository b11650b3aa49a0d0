import { nameOf, pathOf } from '../base/uri.ts';
import { compileWildcard } from '../formats/text/wildcard.ts';
import type { ManifestFormat } from '../model/manifest.ts';
import { cargoToml } from './cargo/cargo-toml.ts';
import { goMod } from './go/go-mod.ts';
import { goSum } from './go/go-sum.ts';
import { goWork } from './go/go-work.ts';
import { gradle, gradleCode } from './gradle/build-gradle.ts';
import { gradleProperties } from './gradle/files/gradle-properties.ts';
import { gradleVerification } from './gradle/records/verification-metadata.ts';
import { versionCatalog } from './gradle/version-catalog.ts';
import { lockfileFormats } from './lockfile-formats.ts';
import { mavenExtensions } from './maven/extensions-xml.ts';
import { mavenConfig } from './maven/maven-config.ts';
import { pom } from './maven/pom.ts';
import { denoJson } from './npm/deno-json.ts';
import { packageJson } from './npm/package-json.ts';
import { pnpmWorkspace } from './npm/pnpm-workspace.ts';
import { yarnrc } from './npm/yarnrc.ts';
import { dotnetTools } from './nuget/dotnet-tools.ts';
import { fileBasedApp } from './nuget/file-based-app.ts';
import { globalJson } from './nuget/global-json.ts';
import { centralPackages, directoryBuild, msbuildImport, msbuildProject } from './nuget/msbuild.ts';
import { besideResults } from './nuget/msbuild-imports.ts';
import { nuspec } from './nuget/nuspec.ts';
import { packagesConfig } from './nuget/packages-config.ts';
import { depsJson } from './nuget/project-assets.ts';
import { projectJson } from './nuget/project-json.ts';
import { buildHook } from './python/code/build-hook.ts';
import { setupPy } from './python/code/setup-py.ts';
import { hatchToml } from './python/hatch-toml.ts';
import { pipfile } from './python/pipfile.ts';
import { pyproject } from './python/pyproject.ts';
import { requirementsTxt } from './python/requirements.ts';
import { setupCfg } from './python/setup-cfg.ts';
import { cyclonedxXml } from './sbom/cyclonedx-xml.ts';
import { sbomJson } from './sbom/sbom-json.ts';
import { spdx } from './sbom/spdx-tag-value.ts';

/** Every kind of manifest, one row each. A file is read by the first row that matches its path. */
export const manifestFormats: readonly ManifestFormat[] = [
  packageJson,
  pnpmWorkspace,
  yarnrc,
  denoJson,
  pom,
  centralPackages,
  directoryBuild,
  msbuildProject,
  msbuildImport,
  packagesConfig,
  nuspec,
  dotnetTools,
  globalJson,
  projectJson,
  fileBasedApp,
  requirementsTxt,
  pyproject,
  pipfile,
  setupCfg,
  setupPy,
  hatchToml,
  buildHook,
  cargoToml,
  versionCatalog,
  gradle,
  gradleCode,
  gradleProperties,
  mavenExtensions,
  mavenConfig,
  goMod,
  goWork,
  sbomJson,
  cyclonedxXml,
  spdx,
  gradleVerification,
  depsJson,
  goSum,
  // A shrinkwrap is opened as the lockfile is.
  ...new Set(lockfileFormats.map((it) => it.opened)),
];

/** Whether a file in the folder of a build's results is part of the build: `obj/a.csproj.nuget.g.props`. */
export function isReadFromResults(name: string): boolean {
  return besideResults.test(name);
}

/** @param own names that a person has chosen: `reqs*.txt=requirements.txt` */
export function formatOf(path: string, own: OwnNames = noOwnNames): ManifestFormat | undefined {
  return manifestFormats.find((it) => it.files.test(path)) ?? namedAs(nameOf(path), own);
}

/** Names of manifests that a person has chosen, each with its format: `reqs*.txt=requirements.txt`. */
export type OwnNames = readonly string[];

const noOwnNames: OwnNames = [];

/** Settings stay the same object until they change. */
const compiled = new WeakMap<OwnNames, readonly ((name: string) => ManifestFormat | undefined)[]>();

function namedAs(name: string, own: OwnNames): ManifestFormat | undefined {
  if (own.length === 0) return undefined;
  const known =
    compiled.get(own) ??
    own.flatMap((it) => {
      const [pattern = '', id] = it.split('=');
      const format = manifestFormats.find((one) => one.id === id);
      const matches = compileWildcard(pattern);
      return format && pattern !== '' ? [(given: string) => (matches(given) ? format : undefined)] : [];
    });
  compiled.set(own, known);
  for (const it of known) {
    const format = it(name);
    if (format) return format;
  }
  return undefined;
}

/** What matches the paths of all such files. */
export function patternOf(own: OwnNames): string {
  return own
    .map(
      (it) =>
        `(?:(?:^|/)${it
          .replace(/=.*$/, '')
          .replace(/[.+^${}()|[\]\\?]/g, '\\$&')
          .replaceAll('*', '[^/]*')}$)`,
    )
    .join('|');
}

/**
 * The format of a document that an editor has open. Without a file yet, its language decides, where that is specific
 * enough. A document that will be saved in a certain folder has no format until then: the configuration there, which may
 * make names private, is not read for it.
 * @param language as the editor calls it: `pip-requirements`
 */
export function formatOfDocument(
  uri: string,
  language: string | undefined,
  own: OwnNames = noOwnNames,
): ManifestFormat | undefined {
  const path = pathOf(uri);
  if (!/^untitled:/i.test(uri)) return formatOf(path, own);
  if (path.includes('/')) return undefined;
  return formatOf(path, own) ?? manifestFormats.find((it) => it.languages?.some((id) => id === language));
}
