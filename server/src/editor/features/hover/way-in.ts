import * as l10n from '@vscode/l10n';
import type { WayIn } from '../../../engine/analysis/below/way-in.ts';
import { type WayInWords, wayInSentence, wordsOfWayIn } from '../../../engine/analysis/below/way-texts.ts';
import { directoryOf, pathBetween } from '../../../engine/base/uri.ts';
import type { Positions } from '../../../engine/formats/text/positions.ts';
import { type Block, type Inline, paragraph, phrase } from '../markup.ts';

/**
 * Where a package of an opened lockfile is required, and so where it changes:
 *
 *     Required in package.json, line 3: express → body-parser → qs 6.11.0
 *
 * @param uri that of the lockfile
 */
export function describeWayIn(uri: string, way: WayIn, positions: (uri: string) => Positions): Block {
  const words = wordsBeside(uri, way, positions);
  const link: Inline = { link: words.file, place: { uri: way.uri, line: words.line ?? 0 } };
  return paragraph(...phrase(wayInSentence({ ...words, file: '{0}' }), link));
}

/** The same without a link. */
export function wayInText(uri: string, way: WayIn, positions: (uri: string) => Positions): string {
  return wayInSentence(wordsBeside(uri, way, positions));
}

/** `package.json, line 3` */
export function placeWords(uri: string, way: WayIn, positions: (uri: string) => Positions): string {
  const { file, line } = wordsBeside(uri, way, positions);
  return line === undefined ? file : l10n.t('{0}, line {1}', file, line + 1);
}

/** The manifest by its path from the lockfile. */
function wordsBeside(uri: string, way: WayIn, positions: (uri: string) => Positions): WayInWords {
  return wordsOfWayIn(
    way,
    (it) => pathBetween(directoryOf(uri), it),
    (it, span) => positions(it).range(span).start.line,
  );
}
