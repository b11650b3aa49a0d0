import type { LockfileFormat } from '../model/lockfile.ts';
import { cargoLock } from './cargo/cargo-lock.ts';
import { buildscriptLockfile, gradleLockfile } from './gradle/records/gradle-lockfile.ts';
import { bunLock } from './npm/lockfiles/bun-lock.ts';
import { denoLock } from './npm/lockfiles/deno-lock.ts';
import { npmShrinkwrap, packageLock } from './npm/lockfiles/package-lock.ts';
import { pnpmLock } from './npm/lockfiles/pnpm-lock.ts';
import { yarnLock } from './npm/lockfiles/yarn-lock.ts';
import { packagesLockJson } from './nuget/packages-lock-json.ts';
import { projectAssets } from './nuget/project-assets.ts';
import { pdmLock } from './python/lockfiles/pdm-lock.ts';
import { pipfileLock } from './python/lockfiles/pipfile-lock.ts';
import { poetryLock } from './python/lockfiles/poetry-lock.ts';
import { pylock } from './python/lockfiles/pylock.ts';
import { uvLock } from './python/lockfiles/uv-lock.ts';

/** Every kind of lockfile, one row each, which serves the opened lockfile too. Of several beside one manifest the first counts. */
export const lockfileFormats: readonly LockfileFormat[] = [
  npmShrinkwrap,
  packageLock,
  yarnLock,
  pnpmLock,
  bunLock,
  denoLock,
  cargoLock,
  gradleLockfile,
  buildscriptLockfile,
  packagesLockJson,
  projectAssets,
  uvLock,
  poetryLock,
  pdmLock,
  pylock,
  pipfileLock,
];
