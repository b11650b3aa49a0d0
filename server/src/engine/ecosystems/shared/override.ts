import * as l10n from '@vscode/l10n';
import type { Forced, Override, TextEdit } from '../../model/graph/override.ts';
import type { Versioning } from '../../model/versioning.ts';

/** Why an override is not written. */

export function missingFile(file: string): Override {
  return { ok: false, reason: l10n.t('{0} is missing', file) };
}

export function brokenFile(file: string): Override {
  return { ok: false, reason: l10n.t('{0} has syntax errors', file) };
}

/** @param text the version that it sets, or where that is from */
export function fixedOverride(text: string): Override {
  return { ok: false, reason: l10n.t('an override sets it to {0}', text) };
}

/** An override of the package that decided about the locked version. */
export type Standing =
  | { readonly kind: 'none' }
  | { readonly kind: 'raised'; readonly edit: TextEdit }
  /** It refers to a direct dependency, names another source, or is raised already: `$react`. */
  | { readonly kind: 'fixed'; readonly text: string };

/**
 * The range of an override that stands already, raised: it allows the wanted version, and no longer the affected one, for
 * which a range of several versions may have room.
 * @param exact how the system requires exactly the wanted version
 */
export function raisedRange(
  { keeps, rewrite }: Versioning,
  text: string,
  { version, wanted }: Forced,
  exact: string,
): string {
  const rewritten = rewrite(text, wanted);
  const ranges = rewritten.ok ? [text, rewritten.text] : [text];
  return ranges.find((it) => it === wanted || (keeps(wanted, it) && !keeps(version, it))) ?? exact;
}

/** @param section as the tool calls it: `overrides` */
export function otherShape(section: string): Override {
  return { ok: false, reason: l10n.t('{0} has a form that cannot be added to', section) };
}
