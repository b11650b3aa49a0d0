import * as l10n from '@vscode/l10n';
import type { FileTexts, Forced, Override, OverrideTool } from '../model/graph/override.ts';
import { bunOverrides } from './npm/overrides/bun-overrides.ts';
import { npmOverrides } from './npm/overrides/npm-overrides.ts';
import { pnpmOverrides } from './npm/overrides/pnpm-overrides.ts';
import { yarnResolutions } from './npm/overrides/yarn-resolutions.ts';
import { nugetOverrides } from './nuget/nuget-overrides.ts';
import { pdmOverrides } from './python/overrides/pdm-overrides.ts';
import { uvOverrides } from './python/overrides/uv-overrides.ts';

const tools: ReadonlyMap<string, OverrideTool> = new Map(
  Object.entries({
    'package-lock.json': npmOverrides,
    'npm-shrinkwrap.json': npmOverrides,
    'yarn.lock': yarnResolutions,
    'pnpm-lock.yaml': pnpmOverrides,
    'bun.lock': bunOverrides,
    'uv.lock': uvOverrides,
    'pdm.lock': pdmOverrides,
    'packages.lock.json': nugetOverrides,
    'project.assets.json': nugetOverrides,
  }),
);

/** Tools without overrides, by their lockfile. */
const without: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'Cargo.lock': 'Cargo',
    'poetry.lock': 'Poetry',
  }),
);

/** Whether the tool of a lockfile has overrides that are written. */
export function hasOverrides(lockfile: string): boolean {
  return tools.has(lockfile);
}

/** The files beside a lockfile that an override needs. */
export function overrideFiles(lockfile: string): readonly string[] {
  return tools.get(lockfile)?.files ?? [];
}

/** Every character that names and versions of packages have. Nothing else is written into a manifest. */
const plain = /^[\p{L}\p{N}@./:+~!_-]+$/u;

/**
 * Makes the tool of a lockfile lock another version of a transitive package.
 * @param lockfile id of its format
 */
export function overrideIn(lockfile: string, forced: Forced, texts: FileTexts): Override {
  const tool = tools.get(lockfile);
  if (tool === undefined) {
    const name = without.get(lockfile);
    return {
      ok: false,
      reason: name ? l10n.t('{0} has no overrides', name) : l10n.t('overrides are not written for {0}', lockfile),
    };
  }
  const written = [forced.name, forced.version, forced.wanted, ...forced.requiredBy];
  if (!written.every((it) => plain.test(it))) {
    return { ok: false, reason: l10n.t('its name or version contains unsupported characters') };
  }
  return tool.write(forced, texts);
}
