import * as l10n from '@vscode/l10n';
import type { DefinitionUse, Manifest, Renaming } from '../../model/manifest.ts';

/** The id of a catalog's own name. */
export function catalogNameId(name: string): string {
  return `catalogs:${name}`;
}

const protocol = /^catalog:\s*/;

/**
 * The names of catalogs that requirements have.
 *
 *     "react": "catalog:legacy"
 *                       ^^^^^^
 */
export function catalogNamesIn(text: string, { dependencies }: Manifest): readonly DefinitionUse[] {
  return dependencies.flatMap(({ requirement }) => {
    if (requirement.kind !== 'reference' || !requirement.to.id.startsWith('catalog:')) return [];
    const { start, end } = requirement.span;
    const name = text.slice(start, end).replace(protocol, '');
    return name === '' ? [] : [{ id: catalogNameId(name), span: { start: end - name.length, end }, isPart: true }];
  });
}

/** The names of catalogs. What is in one has the name of its package. */
export const catalogRenaming: Renaming = {
  kinds: { catalogs: catalogNameId },
  refuse(name) {
    if (name === 'default') return l10n.t('the catalog without a name is called {0}', name);
    return /^[A-Za-z][\w.-]*$/.test(name)
      ? undefined
      : l10n.t('a catalog begins with a letter, and has letters, digits, dots, - and _');
  },
  namesOf: (_, { span }) => [span],
};
