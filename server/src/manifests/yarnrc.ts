import type { Manifest, ManifestFormat } from '../model/manifest.ts';
import { parseYaml } from '../text/yaml.ts';
import { entryAt } from '../text/yaml-tree.ts';
import { nothingFound, readCatalog, readCatalogs } from './npm-yaml.ts';

/** yarn's settings, from its second version on: the catalogs of a workspace stand in them. */
export const yarnrc: ManifestFormat = {
  id: '.yarnrc.yml',
  system: 'NPM',
  files: /(^|\/)\.yarnrc\.yml$/,
  parse,
};

function parse(text: string): Manifest {
  const { root, problems } = parseYaml(text);
  const found = nothingFound(problems);
  readCatalog('default', entryAt(root, 'catalog'), found);
  readCatalogs(entryAt(root, 'catalogs'), found);
  const { dependencies, definitions } = found;
  return { dependencies, definitions, references: [], problems: found.problems };
}
