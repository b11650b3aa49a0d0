import { type JsonValue, propertiesOf } from '../../formats/json/tree.ts';

/*
 * patch-package changes the files of installed packages from a script of the project. Each patch is for one version:
 *
 *     patches/@acme+ui+1.2.0.patch             @acme/ui 1.2.0
 *     patches/ms+1.0.0+001+first.dev.patch     one of several
 *     patches/express++qs+6.0.0.patch          for what express brings along
 */

/** The files of patches. */
export const patchFile = /\.patch$/;

/** The folder of the patches that a script applies; undefined where none does. */
export function patchFolderIn(scripts: JsonValue | undefined): string | undefined {
  for (const { value } of propertiesOf(scripts)) {
    const text = value?.kind === 'string' ? value.text : '';
    const [, options] = /(?:^|[\s&;|/"'])patch-package(?![\w/-])([^&;|]*)/.exec(text) ?? [];
    if (options === undefined) continue;
    const [, folder = 'patches'] = /--patch-dir[= ]["']?([^\s"']+)/.exec(options) ?? [];
    return folder.replace(/^\.\//, '').replace(/\/+$/, '');
  }
  return undefined;
}

/** The package and the version that a patch is for, from its path in the folder; undefined where others bring it along. */
export function readPatchName(path: string): { readonly name: string; readonly version: string } | undefined {
  if (path.includes('++')) return undefined;
  const [, scope = '', name, version] =
    /^(?:(@[^+/]+)[+/])?([^+/@][^+/]*)\+(\d+\.\d+\.\d+[^+/]*?)(?:\+[^/]*?)?(?:\.dev)?\.patch$/.exec(path) ?? [];
  if (name === undefined || version === undefined) return undefined;
  return { name: scope === '' ? name : `${scope}/${name}`, version };
}
