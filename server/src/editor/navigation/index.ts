import type { NavigationMethod } from '../features/offers.ts';
import { definition } from './definition.ts';
import type { NavigationFeature } from './navigate.ts';
import { documentHighlight, documentSymbol } from './outline.ts';
import { references } from './references.ts';
import { prepareRename, rename } from './rename.ts';

/** Everything that an editor may ask about the places of a project, one row each: what offers.ts announces. */
export const navigation = {
  'textDocument/definition': definition,
  'textDocument/references': references,
  'textDocument/prepareRename': prepareRename,
  'textDocument/rename': rename,
  'textDocument/documentSymbol': documentSymbol,
  'textDocument/documentHighlight': documentHighlight,
} as const satisfies Readonly<Record<NavigationMethod, NavigationFeature<never, unknown>>>;
