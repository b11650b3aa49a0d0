import { verbatim } from '../../../formats/text/literal.ts';
import type { Definition, Manifest } from '../../../model/manifest.ts';
import type { ParsedManifest } from '../../../model/manifest-chain.ts';
import type { RegistryReader } from '../../../model/registries/registry-reader.ts';
import { msbuildImport } from '../msbuild.ts';
import { propertyId, requirementOf } from '../msbuild-values.ts';

/** The options that MSBuild is always started with: those in the directory of a project, or in the nearest one above. */
export const responseFile = 'Directory.Build.rsp';

const property = /^(?:--?|\/)(?:p|property):/i;

/**
 * The properties that options give prevail over those of all files. Source: Microsoft, “Use MSBuild response files”.
 *
 *     # comment
 *     -p:JsonVersion=13.0.1;Strict=true   /property:Name="a value"
 *        ^^^^^^^^^^^ ^^^^^^
 */
export function readResponseFile(uri: string, text: string): readonly ParsedManifest[] {
  const definitions: Definition[] = [];
  for (const line of text.matchAll(/^[ \t]*(?!#)(\S.*)$/gm)) {
    const from = line.index + line[0].length - (line[1] ?? '').length;
    for (const option of (line[1] ?? '').matchAll(/(?:"[^"]*"|[^\s"])+/g)) {
      const [start = ''] = property.exec(option[0]) ?? [];
      if (start === '') continue;
      const at = from + option.index + start.length;
      for (const it of option[0].slice(start.length).matchAll(/"?([\w.-]+)=("?)([^;"]*)/g)) {
        const [whole, name = '', , value = ''] = it;
        const end = at + it.index + whole.length;
        const span = { start: end - value.length, end };
        const literal = verbatim(text, span.start, span.end);
        definitions.push({ id: propertyId(name), span, value: requirementOf({ text: value, span, literal }) });
      }
    }
  }
  const manifest: Manifest = { definitions, dependencies: [], references: [], problems: [] };
  return definitions.length > 0 ? [{ uri, format: msbuildImport, manifest }] : [];
}

/** The files that one includes: `@more.rsp`, `"@%MSBuildThisFileDirectory%more.rsp"`. */
export const includedOptions: NonNullable<RegistryReader['filesNamedBy']> = ({ text, label }) => {
  const folder = label.slice(0, label.lastIndexOf('/') + 1);
  return Array.from(
    text.matchAll(/^[ \t]*"?@"?(?:%MSBuildThisFileDirectory%[\\/]?)?([^"\r\n]+)/gim),
    ([, path = '']) => {
      const plain = path.trim().replaceAll('\\', '/');
      return { name: plain.slice(plain.lastIndexOf('/') + 1), label: folder + plain };
    },
  );
};
