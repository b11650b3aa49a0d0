import * as l10n from '@vscode/l10n';
import type { Override } from '../../model/graph/override.ts';

/** Why an override is not written. */

export function missingFile(file: string): Override {
  return { ok: false, reason: l10n.t('{0} is missing', file) };
}

export function brokenFile(file: string): Override {
  return { ok: false, reason: l10n.t('{0} has syntax errors', file) };
}

/** @param section as the tool calls it: `overrides` */
export function otherShape(section: string): Override {
  return { ok: false, reason: l10n.t('{0} has a form that cannot be added to', section) };
}
