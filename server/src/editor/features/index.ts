import { codeActions } from './code-actions.ts';
import { codeLens } from './code-lens.ts';
import { completion, completionResolve } from './completion.ts';
import { diagnostics } from './diagnostics.ts';
import { documentLinks } from './document-links.ts';
import type { Feature } from './feature.ts';
import { hover } from './hover.ts';
import { inlayHintResolve, inlayHints } from './inlay-hints.ts';
import type { NavigationMethod, OfferedMethod } from './offers.ts';

/** Everything that an editor may ask about facts, one row each: what offers.ts announces. */
export const features = {
  'textDocument/hover': hover,
  'textDocument/inlayHint': inlayHints,
  'inlayHint/resolve': inlayHintResolve,
  'textDocument/diagnostic': diagnostics,
  'textDocument/codeAction': codeActions,
  'textDocument/completion': completion,
  'completionItem/resolve': completionResolve,
  'textDocument/documentLink': documentLinks,
  'textDocument/codeLens': codeLens,
} as const satisfies Readonly<Record<Exclude<OfferedMethod, NavigationMethod>, Feature<never, unknown>>>;
