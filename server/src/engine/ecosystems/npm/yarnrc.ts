import { parseYaml } from '../../formats/yaml/parse.ts';
import { entryAt, resolved } from '../../formats/yaml/tree.ts';
import type { Manifest, ManifestFormat } from '../../model/manifest.ts';
import { catalogNamesIn, catalogRenaming } from './catalog-names.ts';
import { nothingFound, readYamlCatalog, readYamlCatalogs, readYamlExtensions } from './catalogs.ts';

/** yarn's settings, from its second version on, which hold the catalogs of a workspace. */
export const yarnrc: ManifestFormat = {
  id: '.yarnrc.yml',
  system: 'NPM',
  files: /(^|\/)\.yarnrc\.yml$/,
  parse,
  uses: catalogNamesIn,
  renaming: catalogRenaming,
};

function parse(text: string): Manifest {
  const { root, problems } = parseYaml(text);
  const found = nothingFound(problems);
  readYamlCatalog('default', entryAt(root, 'catalog'), found);
  readYamlCatalogs(entryAt(root, 'catalogs'), found);
  readYamlExtensions(entryAt(root, 'packageExtensions'), found);
  const { dependencies, definitions } = found;
  const transparent = resolved(entryAt(root, 'enableTransparentWorkspaces'));
  const isByProtocol = transparent?.kind === 'scalar' && /^(?:false|0)$/.test(transparent.text);
  return {
    dependencies,
    definitions,
    references: [],
    problems: found.problems,
    ...(isByProtocol && { takesMembers: 'by protocol' }),
  };
}
