import * as l10n from '@vscode/l10n';
import type { InstallScripts } from '../../model/graph/install-scripts.ts';
import { findIgnore } from '../../policy/ignores.ts';
import type { Rule } from './rule.ts';

/** Packages listed below one message. */
const MAX_LISTED_PACKAGES = 10;

/**
 * A package of npm, or one that it brings, runs a script when it is installed. Off unless it is chosen: most projects
 * have some, and accept them.
 */
export const installScript: Rule = {
  code: 'install-script',
  find({ installScripts, project }) {
    if (!installScripts) return undefined;
    const below = installScripts.below.filter((it) => !findIgnore(project, it.key, ['install-script']));
    if (!installScripts.isOwn && below.length === 0) return undefined;
    return {
      severity: 'off',
      message: installScriptTexts({ ...installScripts, below }).join(' '),
      details: below.slice(0, MAX_LISTED_PACKAGES).map((it) => it.path),
    };
  },
};

/** `Runs a script when it is installed.`, `Brings 1 package that does: vite → esbuild 0.20.2.` */
export function installScriptTexts({ isOwn, below }: InstallScripts): string[] {
  const own = isOwn ? [l10n.t('Runs an install script.')] : [];
  const [first] = below;
  if (first === undefined) return own;
  const brought =
    below.length === 1
      ? l10n.t('Brings 1 package that runs an install script: {0}.', first.path)
      : l10n.t('Brings {0} packages that run install scripts, the nearest: {1}.', below.length, first.path);
  return [...own, brought];
}
