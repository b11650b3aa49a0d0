import * as l10n from '@vscode/l10n';
import { parseYaml } from '../../formats/yaml/parse.ts';
import { type YamlScalar, yamlSpan } from '../../formats/yaml/scalar.ts';
import { entriesOf, entryAt, resolved, type YamlValue } from '../../formats/yaml/tree.ts';
import type { Dependency, FileRef, Manifest, ManifestFormat } from '../../model/manifest.ts';
import { overrideDefinitions, patchedId } from '../shared/project-rules.ts';
import { catalogNamesIn, catalogRenaming } from './catalog-names.ts';
import {
  type FoundInYaml,
  nothingFound,
  readYamlCatalog,
  readYamlCatalogs,
  readYamlExtensions,
  throughAlias,
  versionsIn,
} from './catalogs.ts';
import { localPackages } from './local-sources.ts';
import { isRemoval, removal } from './overrides/removal.ts';
import { pnpmSelector, readSpecifier, type SpecifierText } from './specifier.ts';

/** pnpm's settings of a workspace: catalogs, overrides and configuration packages. */
export const pnpmWorkspace: ManifestFormat = {
  id: 'pnpm-workspace.yaml',
  system: 'NPM',
  files: /(^|\/)pnpm-workspace\.yaml$/,
  parse,
  uses: catalogNamesIn,
  renaming: catalogRenaming,
};

function parse(text: string): Manifest {
  const { root, problems } = parseYaml(text);
  const found = nothingFound(problems);
  for (const { key, value } of entriesOf(root)) {
    if (key.text === 'catalog') readYamlCatalog('default', value, found);
    else if (key.text === 'catalogs') readYamlCatalogs(value, found);
    else if (key.text === 'overrides') readOverrides(value, found);
    else if (key.text === 'configDependencies') readConfigDependencies(value, found);
    else if (key.text === 'patchedDependencies') readPatches(value, found);
    else if (key.text === 'packageExtensions') readYamlExtensions(value, found);
  }
  const { dependencies } = found;
  const rules = overrideDefinitions(dependencies, (it) => (it === 'overrides' ? 'pnpm.overrides' : undefined));
  const definitions = [...found.definitions, ...rules];
  const listed = scalarsIn(entryAt(root, 'packages'));
  const packages = listed.map((it) => it.text);
  const members = listed.map(({ text: pattern, span }) => ({ span, pattern }));
  const { makes, fields, links, modules = [] } = localPackages(dependencies, text, () => 'pnpm.overrides', members);
  const linked = resolved(entryAt(root, 'linkWorkspacePackages'));
  const isLinked = linked?.kind === 'scalar' && /^(?:true|deep)$/.test(linked.text);
  // The package at the root is always a member.
  const projects = packages.length > 0 || makes ? [ownPackage.path, ...modules] : modules;
  return {
    dependencies,
    definitions,
    references: [ownPackage],
    problems: found.problems,
    ...(packages.length > 0 && { packages }),
    ...(links && { links }),
    ...(projects.length > 0 && { modules: projects }),
    takesMembers: isLinked ? 'by name' : 'by protocol',
    ...(makes && { makes }),
    ...(fields && { fields }),
  };
}

function scalarsIn(list: YamlValue | undefined): readonly YamlScalar[] {
  const all = resolved(list);
  return all?.kind === 'sequence' ? all.items.map(resolved).filter((it) => it?.kind === 'scalar') : [];
}

/** The package at the root of the workspace, which may have overrides, too, and whose dependencies these may refer to. */
const ownPackage: FileRef = { kind: 'workspace', path: 'package.json', format: 'package.json' };

/**
 *     overrides:
 *       webpack@5>acorn: ^8.0.0     `acorn`, where webpack 5 brings it along
 */
function readOverrides(section: YamlValue | undefined, found: FoundInYaml): void {
  for (const { name, value, alias, merged } of versionsIn(section, 'overrides', found)) {
    if (merged) continue;
    const selector = pnpmSelector(name.text);
    if (selector.name === '') {
      found.problems.push({ span: name.span, message: 'no package is named here' });
      continue;
    }
    if (isRemoval(value.text)) {
      found.definitions.push(removal('pnpm.overrides', selector, name.span, value.span(0, value.text.length)));
      continue;
    }
    const read = overriding(selector.name, value);
    const { condition } = selector;
    const dependency: Dependency = {
      key: { system: 'NPM', name: read.name },
      name: selector.name,
      nameSpan: yamlSpan(name, selector.from, selector.to),
      requirement: read.requirement,
      scope: 'runtime',
      group: 'overrides',
      ...(condition !== undefined && { condition }),
      ...(read.frozen !== undefined && { frozen: read.frozen }),
    };
    found.dependencies.push(throughAlias(dependency, alias, found));
  }
}

/** `left-pad@1.3.0: patches/left-pad.patch` */
function readPatches(section: YamlValue | undefined, found: FoundInYaml): void {
  for (const { key } of entriesOf(section))
    found.definitions.push({ id: patchedId(key.text), span: key.span, value: { kind: 'none' } });
}

/** `$react` refers to the version that the workspace's own package.json requires. */
function overriding(name: string, value: SpecifierText): ReturnType<typeof readSpecifier> {
  const direct = /^\$(\S+)$/.exec(value.text)?.[1];
  if (direct === undefined) return readSpecifier(name, value);
  const span = value.span(0, value.text.length);
  return { name, requirement: { kind: 'reference', to: { id: `direct:${direct}`, label: value.text }, span } };
}

/** `my-config: 1.0.0+sha512-…`: a version, and the hash of its files. */
function readConfigDependencies(section: YamlValue | undefined, found: FoundInYaml): void {
  for (const { name, value } of versionsIn(section, 'configDependencies', found)) {
    const at = value.text.search(/\+sha\d+-/);
    const end = at < 0 ? value.text.length : at;
    found.dependencies.push({
      key: { system: 'NPM', name: name.text },
      name: name.text,
      nameSpan: name.span,
      requirement: { kind: 'literal', at: value.literal(0, end) },
      scope: 'dev',
      group: 'configDependencies',
      ...(at >= 0 && { frozen: l10n.t('pinned by hash') }),
    });
  }
}
