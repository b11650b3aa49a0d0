import * as l10n from '@vscode/l10n';
import { pathText } from '../../../analysis/below/texts.ts';
import type { WayIn } from '../../../analysis/below/way-in.ts';
import { directoryOf, pathBetween } from '../../../base/uri.ts';
import type { Positions } from '../../../formats/text/positions.ts';
import { type Block, type Inline, paragraph, phrase } from '../markup.ts';

/**
 * Where a package of an opened lockfile is required, and so where it changes:
 *
 *     Required in package.json, line 3: express → body-parser → qs 6.11.0
 *
 * @param uri that of the lockfile
 */
export function describeWayIn(uri: string, way: WayIn, positions: (uri: string) => Positions): Block {
  const { file, line, text } = wordsOf(uri, way, positions);
  const link: Inline = { link: file, place: { uri: way.uri, line: line ?? 0 } };
  return paragraph(...phrase(sentence('{0}', line, text), link));
}

/** The same without a link. */
export function wayInText(uri: string, way: WayIn, positions: (uri: string) => Positions): string {
  const { file, line, text } = wordsOf(uri, way, positions);
  return sentence(file, line, text);
}

/** `package.json, line 3` */
export function placeWords(uri: string, way: WayIn, positions: (uri: string) => Positions): string {
  const { file, line } = wordsOf(uri, way, positions);
  return line === undefined ? file : l10n.t('{0}, line {1}', file, line + 1);
}

function sentence(file: string, line: number | undefined, way: string): string {
  return line === undefined
    ? l10n.t('Required in {0}: {1}', file, way)
    : l10n.t('Required in {0}, line {1}: {2}', file, line + 1, way);
}

function wordsOf(
  uri: string,
  { graph, path, name, uri: manifest, dependency }: WayIn,
  positions: (uri: string) => Positions,
): { readonly file: string; readonly line: number | undefined; readonly text: string } {
  const file = pathBetween(directoryOf(uri), manifest);
  const line = dependency && positions(manifest).range(dependency.nameSpan).start.line;
  return { file, line, text: pathText(graph, path, path.length > 1 ? name : '').replace(/^ → /, '') };
}
