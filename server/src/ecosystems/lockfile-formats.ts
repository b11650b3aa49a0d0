import type { LockfileFormat } from '../model/lockfile.ts';
import { cargoLockfile } from './cargo/cargo-lock.ts';
import { buildscriptLockfile, gradleLockfile } from './gradle/gradle-lockfile.ts';
import { bunLockfile } from './npm/bun-lock.ts';
import { denoLockfile } from './npm/deno-lock.ts';
import { npmShrinkwrap, packageLock } from './npm/package-lock.ts';
import { pnpmLockfile } from './npm/pnpm-lock.ts';
import { yarnLockfile } from './npm/yarn-lock.ts';
import { packagesLockfile } from './nuget/packages-lock-json.ts';
import { projectAssetsLockfile } from './nuget/project-assets.ts';
import { pdmLockfile } from './python/pdm-lock.ts';
import { pipfileLockfile } from './python/pipfile-lock.ts';
import { poetryLockfile } from './python/poetry-lock.ts';
import { pylockLockfile } from './python/pylock.ts';
import { uvLockfile } from './python/uv-lock.ts';

/** Every kind of lockfile, one row each, which serves the opened lockfile too. Of several beside one manifest the first counts. */
export const lockfileFormats: readonly LockfileFormat[] = [
  npmShrinkwrap,
  packageLock,
  yarnLockfile,
  pnpmLockfile,
  bunLockfile,
  denoLockfile,
  cargoLockfile,
  gradleLockfile,
  buildscriptLockfile,
  packagesLockfile,
  projectAssetsLockfile,
  uvLockfile,
  poetryLockfile,
  pdmLockfile,
  pylockLockfile,
  pipfileLockfile,
];
