import type { ManifestFormat } from '../model/manifest.ts';
import { pathOf } from '../model/uri.ts';
import { bunLock } from './bun-lock.ts';
import { cargoLock } from './cargo-lock.ts';
import { cargoToml } from './cargo-toml.ts';
import { cyclonedxXml } from './cyclonedx-xml.ts';
import { denoJson } from './deno-json.ts';
import { denoLock } from './deno-lock.ts';
import { dotnetTools } from './dotnet-tools.ts';
import { fileBasedApp } from './file-based-app.ts';
import { globalJson } from './global-json.ts';
import { goMod } from './go-mod.ts';
import { goSum } from './go-sum.ts';
import { goWork } from './go-work.ts';
import { gradle } from './gradle.ts';
import { gradleLockfile } from './gradle-lockfile.ts';
import { gradleProperties } from './gradle-properties.ts';
import { gradleVerification } from './gradle-verification.ts';
import { mavenExtensions } from './maven-extensions.ts';
import { centralPackages, directoryBuild, msbuildImport, msbuildProject } from './msbuild.ts';
import { nuspec } from './nuspec.ts';
import { packageJson } from './package-json.ts';
import { packageLock } from './package-lock.ts';
import { packagesConfig } from './packages-config.ts';
import { packagesLockJson } from './packages-lock-json.ts';
import { pdmLock } from './pdm-lock.ts';
import { pipfile } from './pipfile.ts';
import { pipfileLock } from './pipfile-lock.ts';
import { pnpmLock } from './pnpm-lock.ts';
import { pnpmWorkspace } from './pnpm-workspace.ts';
import { poetryLock } from './poetry-lock.ts';
import { pom } from './pom.ts';
import { depsJson, projectAssets } from './project-assets.ts';
import { pylock } from './pylock.ts';
import { pyproject } from './pyproject.ts';
import { requirementsTxt } from './requirements.ts';
import { sbomJson } from './sbom-json.ts';
import { setupCfg } from './setup-cfg.ts';
import { setupPy } from './setup-py.ts';
import { spdx } from './spdx.ts';
import { uvLock } from './uv-lock.ts';
import { versionCatalog } from './version-catalog.ts';
import { yarnLock } from './yarn-lock.ts';
import { yarnrc } from './yarnrc.ts';

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
  fileBasedApp,
  requirementsTxt,
  pyproject,
  pipfile,
  setupCfg,
  setupPy,
  cargoToml,
  versionCatalog,
  gradle,
  gradleProperties,
  mavenExtensions,
  goMod,
  goWork,
  sbomJson,
  cyclonedxXml,
  spdx,
  packageLock,
  yarnLock,
  pnpmLock,
  bunLock,
  denoLock,
  gradleLockfile,
  gradleVerification,
  pipfileLock,
  packagesLockJson,
  projectAssets,
  depsJson,
  cargoLock,
  poetryLock,
  uvLock,
  pdmLock,
  pylock,
  goSum,
];

export function formatOf(path: string): ManifestFormat | undefined {
  return manifestFormats.find((it) => it.files.test(path));
}

/**
 * The format of a document that an editor has open. One that has no file yet is known by its language, where that says
 * enough. One that will have its file in a certain folder is none until then: what lies there, and may say that names
 * are private, is not read for it.
 * @param language as the editor calls it: `pip-requirements`
 */
export function formatOfDocument(uri: string, language: string | undefined): ManifestFormat | undefined {
  const path = pathOf(uri);
  if (!/^untitled:/i.test(uri)) return formatOf(path);
  if (path.includes('/')) return undefined;
  return formatOf(path) ?? manifestFormats.find((it) => it.languages?.some((id) => id === language));
}
