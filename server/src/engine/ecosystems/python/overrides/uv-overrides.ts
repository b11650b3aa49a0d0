import { addTomlItem } from '../../../formats/toml/insert.ts';
import { parseToml } from '../../../formats/toml/parse.ts';
import type { FileTexts, Forced, Override, OverrideTool } from '../../../model/graph/override.ts';
import { brokenFile, fixedOverride, missingFile, otherShape } from '../../shared/override.ts';
import { pyproject } from '../pyproject.ts';
import { raisePython } from './standing.ts';

/**
 * uv's overrides, in the pyproject.toml at the root of the workspace. They replace what packages require, where a
 * constraint could only narrow it.
 *
 *     [tool.uv]
 *     override-dependencies = ["urllib3==2.2.3"]
 */
export const uvOverrides: OverrideTool = { files: ['pyproject.toml'], write };

const file = 'pyproject.toml';
const section = 'override-dependencies';

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get(file);
  if (text === undefined) return missingFile(file);
  const { root, problems } = parseToml(text);
  if (problems.length > 0) return brokenFile(file);
  const standing = raisePython(pyproject.parse(text), forced, section);
  if (standing.kind === 'fixed') return fixedOverride(standing.text);
  const item = `${forced.name}==${forced.wanted}`;
  const edits = standing.kind === 'raised' ? [standing.edit] : addTomlItem(text, root, ['tool', 'uv'], section, item);
  return edits ? { ok: true, file, edits, section } : otherShape('[tool.uv]');
}
