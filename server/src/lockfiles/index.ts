import type { LockfileFormat } from '../model/lockfile.ts';
import { bunLock } from './bun-lock.ts';
import { cargoLock } from './cargo-lock.ts';
import { denoLock } from './deno-lock.ts';
import { buildscriptLockfile, gradleLockfile } from './gradle-lockfile.ts';
import { npmShrinkwrap, packageLock } from './package-lock.ts';
import { packagesLockJson } from './packages-lock-json.ts';
import { pdmLock } from './pdm-lock.ts';
import { pipfileLock } from './pipfile-lock.ts';
import { pnpmLock } from './pnpm-lock.ts';
import { poetryLock } from './poetry-lock.ts';
import { projectAssets } from './project-assets.ts';
import { pylock } from './pylock.ts';
import { uvLock } from './uv-lock.ts';
import { yarnLock } from './yarn-lock.ts';

/** Every kind of lockfile, one row each. Of several beside one manifest the first counts. */
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
