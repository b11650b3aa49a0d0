import type { FileRef, ManifestFormat } from '../../model/manifest.ts';
import { pom } from './pom.ts';

/** `-f other.xml`, `--file=other.xml`, `--file` and the path on a line of its own, `"-fsub/other.xml"` */
const file = /(?<![^\s"'])(?:-f(?![\w-]+(?:\s|$))|--file)(?:=|\s+)?["']?([^\s"']+)/;

/**
 * The options that Maven is always started with, where they name another POM than that of the folder.
 *
 *     -f build/other.xml
 *        ^^^^^^^^^^^^^^^
 */
export const mavenConfig: ManifestFormat = {
  id: 'maven.config',
  system: 'MAVEN',
  files: /(^|\/)\.mvn\/maven\.config$/,
  begins: file,
  parse(text) {
    const found = file.exec(text);
    const [option = '', path = ''] = found ?? [];
    const end = (found?.index ?? 0) + option.length;
    const span = { start: end - path.length, end };
    // Maven takes the pom.xml of a folder, which is found by its name.
    const isFile = /\.\w+$/.test(path);
    // Paths are relative to where Maven is started, which is mostly the project.
    const reference: FileRef = { kind: 'include', path: `../${path}`, format: pom.id, span, required: true };
    return { dependencies: [], definitions: [], problems: [], references: isFile ? [reference] : [] };
  },
};
