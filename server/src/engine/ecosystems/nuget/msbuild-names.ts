import * as l10n from '@vscode/l10n';
import { tagNames } from '../../formats/xml/tag-names.ts';
import type { DefinitionUse, Renaming } from '../../model/manifest.ts';
import { propertyId } from './msbuild-values.ts';

/** Functions of a property may follow: `$(Version.Split('.')[0])`. */
const commentOrProperty = /<!--[\s\S]*?(?:-->|$)|\$\(\s{0,20}([A-Za-z_][\w-]{0,200})\s{0,20}(?=[).[])/g;

/**
 * Every property that a project names, in its targets and conditions, too.
 *
 *     <Target Condition="'$(JsonVersion)' != ''">
 *                          ^^^^^^^^^^^
 */
export function usesInProject(text: string): readonly DefinitionUse[] {
  return [...text.matchAll(commentOrProperty)].flatMap(({ 0: whole, 1: name, index }) => {
    if (name === undefined) return [];
    const start = index + whole.indexOf(name);
    return { id: propertyId(name), span: { start, end: start + name.length } };
  });
}

/** Properties. What no dependency uses may be one that an SDK reads by its name: `TargetFramework`. */
export const msbuildRenaming: Renaming = {
  kinds: { property: propertyId },
  isOnlyOfDependencies: true,
  refuse(name) {
    if (/^MSBuild/i.test(name)) return l10n.t('MSBuild reserves names that begin with {0}', 'MSBuild');
    return /^[A-Za-z_][\w-]*$/.test(name) ? undefined : l10n.t('a property has letters, digits, - and _');
  },
  namesOf: (text, { span }) => tagNames(text, span),
};
