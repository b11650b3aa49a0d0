import type { LockfileFormat } from '../model/lockfile.ts';
import { cargoLock } from './cargo-lock.ts';
import { npmShrinkwrap, packageLock } from './package-lock.ts';

/** Every kind of lockfile, one row each. Of several beside one manifest the first counts. */
export const lockfileFormats: readonly LockfileFormat[] = [npmShrinkwrap, packageLock, cargoLock];
