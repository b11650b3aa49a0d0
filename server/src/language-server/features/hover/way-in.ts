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
export function describeWayIn(
  uri: string,
  { graph, path, name, uri: manifest, dependency }: WayIn,
  positions: (uri: string) => Positions,
): Block {
  const file = pathBetween(directoryOf(uri), manifest);
  const line = dependency ? positions(manifest).range(dependency.nameSpan).start.line : 0;
  const link: Inline = { link: file, place: { uri: manifest, line } };
  const way = pathText(graph, path, path.length > 1 ? name : '').replace(/^ → /, '');
  return paragraph(
    ...(dependency
      ? phrase(l10n.t('Required in {0}, line {1}: {2}', '{0}', line + 1, way), link)
      : phrase(l10n.t('Required in {0}: {1}', '{0}', way), link)),
  );
}
