import * as l10n from '@vscode/l10n';
import { oneLine } from '../../engine/base/text.ts';
import type { RuleName } from './rule-name.ts';

/** Why a call is not sent. */
export interface Problem {
  /** A sentence without its full stop: `orderBy requires one of startTime, updated, not “date”`. */
  readonly message: string;
  /** The parameter that it is about. */
  readonly parameter?: string;
  /** The place in the body that it is about: `['attendees', 0, 'email']`; empty for the body as a whole. */
  readonly member?: MemberPath;
  /** The member that is missing there. */
  readonly missing?: string;
  /** The rule of the contract that the call breaks. */
  readonly rule?: RuleName;
  /** What may be meant, the likeliest first. */
  readonly similar?: readonly string[];
}

export type MemberPath = readonly (string | number)[];

/** In characters: a value in a message. */
const MAX_SHOWN = 60;

/** A value in quotes, for a message. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  return `“${oneLine(text, MAX_SHOWN)}”`;
}

/** `attendees[0].email` */
export function memberText(path: MemberPath): string {
  return oneLine(
    path
      .map((it) => (typeof it === 'number' ? `[${it}]` : `.${it}`))
      .join('')
      .replace(/^\./, ''),
  );
}

/** Adds what may be meant to a message. */
export function withSimilar(message: string, similar: readonly string[]): string {
  return similar.length === 0 ? message : l10n.t('{0}; did you mean {1}?', message, similar.join(', '));
}
