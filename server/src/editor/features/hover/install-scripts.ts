import type { AroundLocked } from '../../../engine/analysis/brought.ts';
import { installScriptsOf } from '../../../engine/analysis/install-scripts.ts';
import { installScriptTexts } from '../../../engine/analysis/rules/install-script.ts';
import type { EvaluatedDependency } from '../../../engine/model/evaluated-dependency.ts';
import { type Block, paragraph } from '../markup.ts';

/** `Runs an install script.`: by its lockfile, also of what a dependency brings. */
export function describeInstallScripts(around: AroundLocked, evaluated: EvaluatedDependency): Block[] {
  const scripts = installScriptsOf(around, evaluated);
  return scripts ? [paragraph(installScriptTexts(scripts).join(' '))] : [];
}
