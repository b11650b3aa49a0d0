import type { DefinitionUse } from '../../model/manifest.ts';
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
