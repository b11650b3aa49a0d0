import * as l10n from '@vscode/l10n';
import { type JsonMembers, setJsonMembers } from '../../../formats/json/insert.ts';
import { parseJson } from '../../../formats/json/parse.ts';
import { stringAt, valueAt } from '../../../formats/json/tree.ts';
import type { FileTexts, Forced, Override, OverrideTool } from '../../../model/graph/override.ts';
import { brokenFile, fixedOverride, missingFile, otherShape } from '../../shared/override.ts';
import { packageJson } from '../package-json.ts';
import { caretLine, raiseStanding, widthOf } from './standing.ts';

/**
 * npm's overrides, in the package.json at the root of the workspace. npm refuses one of a package that this file requires
 * itself, so that is written below the packages that bring the affected version:
 *
 *     "overrides": { "qs": "6.11.1" }    "overrides": { "qs@^6": "6.11.1" }    "overrides": { "express": { "qs": "6.11.1" } }
 */
export const npmOverrides: OverrideTool = { files: ['package.json'], write };

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get('package.json');
  if (text === undefined) return missingFile('package.json');
  const { root, problems } = parseJson(text);
  if (root?.kind !== 'object' || problems.length > 0) return brokenFile('package.json');
  const manifest = packageJson.parse(text);
  const standing = raiseStanding(manifest, ['overrides'], forced);
  if (standing.kind === 'fixed') return fixedOverride(standing.text);
  const section = 'overrides';
  if (standing.kind === 'raised') return { ok: true, file: 'package.json', edits: [standing.edit], section };
  const { name, wanted, version, requiredBy } = forced;
  const width = widthOf(manifest, forced);
  if (width === 'below' && requiredBy.length === 0) return unknownRequirers(name);
  const below = requiredBy.map((it): [string, JsonMembers] => {
    // What is overridden itself moves into the object.
    const own = stringAt(valueAt(root, section), it)?.text;
    return [it, own === undefined ? { [name]: wanted } : { '.': own, [name]: wanted }];
  });
  const overrides =
    width === 'all'
      ? { [name]: wanted }
      : width === 'line'
        ? { [`${name}@${caretLine(version)}`]: wanted }
        : Object.fromEntries(below);
  const edits = setJsonMembers(text, root, { overrides });
  return edits ? { ok: true, file: 'package.json', edits, section } : otherShape(section);
}

export function unknownRequirers(name: string): Override {
  return {
    ok: false,
    reason: l10n.t('other versions of {0} are required, and the lockfile does not record by what', name),
  };
}
