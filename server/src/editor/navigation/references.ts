import type { Location, ReferenceParams } from 'vscode-languageserver';
import { referencesAt } from '../../engine/analysis/navigation/references-at.ts';
import { type NavigationFeature, toLocations } from './navigate.ts';

/** From a definition, or from what refers to one, to all of its users. */
export const references: NavigationFeature<ReferenceParams, Location[]> = {
  method: 'textDocument/references',
  uri: (it) => it.textDocument.uri,
  emptyAnswer: [],
  async answer(document, { position, context: { includeDeclaration } }, context) {
    return toLocations(await referencesAt(document, context.positions.offset(position), includeDeclaration), context);
  },
};
