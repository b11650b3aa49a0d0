import type { AroundLocked } from '../../../analysis/brought.ts';
import { installScriptsOf } from '../../../analysis/install-scripts.ts';
import { installScriptTexts } from '../../../analysis/rules/install-script.ts';
import type { EvaluatedDependency } from '../../../model/evaluated-dependency.ts';
import { type Block, paragraph } from '../markup.ts';

/** `Runs an install script.`: by its lockfile, also of what a dependency brings. */
export function describeInstallScripts(around: AroundLocked, evaluated: EvaluatedDependency): Block[] {
  const scripts = installScriptsOf(around, evaluated);
  return scripts ? [paragraph(installScriptTexts(scripts).join(' '))] : [];
}
