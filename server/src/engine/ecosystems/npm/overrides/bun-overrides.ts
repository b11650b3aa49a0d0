import { setJsonMembers } from '../../../formats/json/insert.ts';
import { parseJson } from '../../../formats/json/parse.ts';
import { valueAt } from '../../../formats/json/tree.ts';
import type { FileTexts, Forced, Override, OverrideTool } from '../../../model/graph/override.ts';
import { brokenFile, fixedOverride, missingFile, otherShape } from '../../shared/override.ts';
import { packageJson } from '../package-json.ts';
import { unknownRequirers } from './npm-overrides.ts';
import { raiseStanding, widthOf } from './standing.ts';

/**
 * Bun's overrides, or `resolutions` where those are there already. It reads ranges in names as a part of the name, so one
 * for some versions is written below the packages that require them.
 */
export const bunOverrides: OverrideTool = { files: ['package.json'], write };

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get('package.json');
  if (text === undefined) return missingFile('package.json');
  const { root, problems } = parseJson(text);
  if (root?.kind !== 'object' || problems.length > 0) return brokenFile('package.json');
  const manifest = packageJson.parse(text);
  const isResolved = valueAt(root, 'resolutions') !== undefined && valueAt(root, 'overrides') === undefined;
  const section = isResolved ? 'resolutions' : 'overrides';
  const standing = raiseStanding(manifest, ['overrides', 'resolutions'], forced);
  if (standing.kind === 'fixed') return fixedOverride(standing.text);
  if (standing.kind === 'raised') return { ok: true, file: 'package.json', edits: [standing.edit], section };
  const { name, wanted, requiredBy } = forced;
  const isForAll = widthOf(manifest, forced) === 'all';
  if (!isForAll && (isResolved || requiredBy.length === 0)) return unknownRequirers(name);
  const below = requiredBy.map((it) => [it, { [name]: wanted }] as const);
  const members = isForAll ? { [name]: wanted } : Object.fromEntries(below);
  const edits = setJsonMembers(text, root, { [section]: members });
  return edits ? { ok: true, file: 'package.json', edits, section } : otherShape(section);
}
