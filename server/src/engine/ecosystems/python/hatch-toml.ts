import { parseToml } from '../../formats/toml/parse.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import { hatchHooks } from './code/build-hook.ts';
import type { ParsedDependencies } from './pep508.ts';
import { addList, specifierLists, valuesAtLocation } from './pyproject.ts';

/** The settings of Hatch in a file of their own, in the place of `[tool.hatch]`. */
export const hatchToml: ManifestFormat = {
  id: 'hatch.toml',
  system: 'PYPI',
  files: /(^|\/)hatch\.toml$/,
  parse,
};

function parse(text: string): Manifest {
  const { root, problems } = parseToml(text);
  const found: ParsedDependencies = { dependencies: [], problems: [...problems] };
  for (const { path, scope, group: as } of specifierLists) {
    const [tool, name, ...own] = path;
    if (tool !== 'tool' || name !== 'hatch') continue;
    for (const { value, group } of valuesAtLocation(root, { path: own, scope, group: as }))
      addList(value, { scope, group }, found);
  }
  found.dependencies.sort((a, b) => a.nameSpan.start - b.nameSpan.start);
  const { dependencies, problems: all } = found;
  return { dependencies, definitions: [], references: hatchHooks(root), problems: all };
}
