import { addTomlEntry } from '../../../formats/toml/insert.ts';
import { parseToml } from '../../../formats/toml/parse.ts';
import type { FileTexts, Forced, Override, OverrideTool } from '../../../model/graph/override.ts';
import { brokenFile, fixedOverride, missingFile, otherShape } from '../../shared/override.ts';
import { pyproject } from '../pyproject.ts';
import { raisePython } from './standing.ts';

/**
 * PDM's overrides.
 *
 *     [tool.pdm.resolution.overrides]
 *     urllib3 = "==2.2.3"
 */
export const pdmOverrides: OverrideTool = { files: ['pyproject.toml'], write };

const file = 'pyproject.toml';
const section = '[tool.pdm.resolution.overrides]';

function write(forced: Forced, texts: FileTexts): Override {
  const text = texts.get(file);
  if (text === undefined) return missingFile(file);
  const { root, problems } = parseToml(text);
  if (problems.length > 0) return brokenFile(file);
  const standing = raisePython(pyproject.parse(text), forced, 'override-dependencies');
  if (standing.kind === 'fixed') return fixedOverride(standing.text);
  const line = `${keyOf(forced.name)} = "==${forced.wanted}"`;
  const edits =
    standing.kind === 'raised'
      ? [standing.edit]
      : addTomlEntry(text, root, ['tool', 'pdm', 'resolution', 'overrides'], line);
  return edits ? { ok: true, file, edits, section } : otherShape(section);
}

function keyOf(name: string): string {
  return /^[\w-]+$/.test(name) ? name : JSON.stringify(name);
}
