import type { DefinitionLink, DefinitionParams, Location } from 'vscode-languageserver';
import { definitionAt } from '../../engine/analysis/navigation/definition-at.ts';
import { type NavigationFeature, toLocations } from './navigate.ts';

/** From a reference, the name of a file or of a member, to where it is defined. */
export const definition: NavigationFeature<DefinitionParams, Location[] | DefinitionLink[]> = {
  method: 'textDocument/definition',
  uri: (it) => it.textDocument.uri,
  emptyAnswer: [],
  async answer(document, { position }, context) {
    const { client, positions } = context;
    const found = await definitionAt(document, positions.offset(position));
    if (found === undefined) return [];
    const originSelectionRange = positions.range(found.origin);
    const locations = await toLocations(found.locations, context);
    if (!client.textDocument?.definition?.linkSupport) return locations;
    return locations.map(({ uri: targetUri, range }) => ({
      ...{ originSelectionRange, targetUri, targetRange: range, targetSelectionRange: range },
    }));
  },
};
