import type { DefinitionUse } from '../../model/manifest.ts';
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
