import { codeActions } from './code-actions.ts';
import { codeLens } from './code-lens.ts';
import { completion, completionResolve } from './completion.ts';
import { diagnostics } from './diagnostics.ts';
import { documentLinks } from './document-links.ts';
import type { Feature } from './feature.ts';
import { hover } from './hover.ts';
import { inlayHintResolve, inlayHints } from './inlay-hints.ts';

/** Everything that an editor may ask, one row each. */
export const features: readonly Feature<never, unknown>[] = [
  hover,
  inlayHints,
  inlayHintResolve,
  diagnostics,
  codeActions,
  completion,
  completionResolve,
  documentLinks,
  codeLens,
];
