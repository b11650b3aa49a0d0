import { setJsonMembers } from '../../../formats/json/insert.ts';
import { parseJson } from '../../../formats/json/parse.ts';
import type { FileTexts, Forced, Override, OverrideTool } from '../../../model/graph/override.ts';
import { brokenFile, fixedOverride, missingFile, otherShape } from '../../shared/override.ts';
import { packageJson } from '../package-json.ts';
import { unknownRequirers } from './npm-overrides.ts';
import { raiseStanding, widthOf } from './standing.ts';

/**
 * Yarn's resolutions, in the package.json at the root of the workspace. For one requirer, the first yarn matches the whole
 * path of a package, which two stars and a slash shorten; later ones match the last two packages of it.
 *
 *     "resolutions": { "qs": "6.11.1" }    "resolutions": { "body-parser/qs": "6.11.1" }
 */
export const yarnResolutions: OverrideTool = { files: ['package.json', 'yarn.lock'], write };

const section = 'resolutions';

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get('package.json');
  if (text === undefined) return missingFile('package.json');
  const { root, problems } = parseJson(text);
  if (root?.kind !== 'object' || problems.length > 0) return brokenFile('package.json');
  const manifest = packageJson.parse(text);
  const standing = raiseStanding(manifest, [section], forced);
  if (standing.kind === 'fixed') return fixedOverride(standing.text);
  if (standing.kind === 'raised') return { ok: true, file: 'package.json', edits: [standing.edit], section };
  const { name, wanted, requiredBy } = forced;
  const isForAll = widthOf(manifest, forced) === 'all';
  if (!isForAll && requiredBy.length === 0) return unknownRequirers(name);
  const anywhere = isFirstYarn(texts.get('yarn.lock') ?? '') ? '**/' : '';
  const names = isForAll ? [name] : requiredBy.map((it) => `${anywhere}${it}/${name}`);
  const resolutions = Object.fromEntries(names.map((it) => [it, wanted]));
  const edits = setJsonMembers(text, root, { resolutions });
  return edits ? { ok: true, file: 'package.json', edits, section } : otherShape(section);
}

/** The later ones write a version of the file into it. */
function isFirstYarn(lockfile: string): boolean {
  return !/^__metadata:/m.test(lockfile);
}
