import * as l10n from '@vscode/l10n';
import { tagNames } from '../../formats/xml/tag-names.ts';
import type { DefinitionUse, Renaming } from '../../model/manifest.ts';
import { interpolationOf } from './pom-values.ts';

const commentOrReference = /<!--[\s\S]*?(?:-->|$)|\$\{([^${}<>\r\n]{1,200})\}/g;

/**
 * Every property that a POM names, in its plugins' settings, too.
 *
 *     <argLine>-javaagent:${agent.path}</argLine>
 *                           ^^^^^^^^^^
 */
export function usesInPom(text: string): readonly DefinitionUse[] {
  const { propertyId } = interpolationOf(new Map(), new Map());
  return [...text.matchAll(commentOrReference)].flatMap(({ 1: name, index }) => {
    if (name === undefined) return [];
    const start = index + '${'.length;
    return { id: propertyId(name), span: { start, end: start + name.length } };
  });
}

/** Names whose values Maven knows. Source: its “Introduction to the POM”, on interpolation. */
const builtIn = /^(?:(?:project|pom|env|settings|parent)\.|(?:basedir|version|groupId|artifactId)$)/;

/** Properties. What no dependency uses may be one that a plugin reads by its name: `maven.compiler.release`. */
export const pomRenaming: Renaming = {
  kinds: { property: (name) => `property:${name}` },
  isOnlyOfDependencies: true,
  refuse(name) {
    if (builtIn.test(name)) return l10n.t('Maven itself defines {0}', name);
    return /^[A-Za-z_][\w.-]*$/.test(name) ? undefined : l10n.t('a property has letters, digits, dots, - and _');
  },
  namesOf: (text, { span }) => tagNames(text, span),
};
