import type { PageTexts } from '../../server/src/report/formats/page-texts.ts';
import { element, svgElement } from './dom.ts';
import type { Figure } from './figures.ts';

const ROW_HEIGHT = 22;
const CHART_WIDTH = 320;
/** Width of the labels before the bars. */
const LABEL_WIDTH = 140;
/** In characters that fit the width of a label, even in capitals. */
const MAX_LABEL_LENGTH = 18;
/** Width of the number after the longest bar. */
const NUMBER_WIDTH = 40;

/**
 * Draws a chart of horizontal bars. Its accessible name contains all values, and it unfolds as a table.
 *
 *     MIT         ████████████ 12
 *     Apache-2.0  ████ 4
 */
export function chart({ title, bars }: Figure, texts: PageTexts): HTMLElement {
  const most = Math.max(1, ...bars.map((it) => it.count));
  const spoken = `${title}: ${bars.map((it) => `${it.label} ${it.count}`).join(', ')}`;
  const picture = svgElement(
    'svg',
    { role: 'img', 'aria-label': spoken, viewBox: `0 0 ${CHART_WIDTH} ${Math.max(1, bars.length) * ROW_HEIGHT}` },
    ...bars.flatMap(({ label, count, tone }, at) => {
      const length = ((CHART_WIDTH - LABEL_WIDTH - NUMBER_WIDTH) * count) / most;
      const middle = `${at * ROW_HEIGHT + ROW_HEIGHT / 2}`;
      return [
        svgElement('text', { x: `${LABEL_WIDTH - 8}`, y: middle, class: 'label' }, cut(label)),
        svgElement('rect', {
          x: `${LABEL_WIDTH}`,
          y: `${at * ROW_HEIGHT + 4}`,
          width: `${Math.max(count > 0 ? 2 : 0, length)}`,
          height: `${ROW_HEIGHT - 8}`,
          rx: '2',
          class: `bar ${tone}`,
        }),
        svgElement('text', { x: `${LABEL_WIDTH + length + 6}`, y: middle, class: 'number' }, `${count}`),
      ];
    }),
  );
  const rows = bars.map((it) =>
    element('tr', {}, element('th', { scope: 'row' }, it.label), element('td', {}, `${it.count}`)),
  );
  const table = element(
    'table',
    {},
    element('caption', { class: 'hidden' }, title),
    element(
      'thead',
      {},
      element('tr', {}, element('th', { scope: 'col' }, title), element('th', { scope: 'col' }, texts.count)),
    ),
    element('tbody', {}, ...rows),
  );
  return element(
    'figure',
    {},
    element('figcaption', {}, title),
    picture,
    element('details', {}, element('summary', {}, texts.asTable), table),
  );
}

/** Shortens a label to its width. */
function cut(text: string): string {
  return text.length > MAX_LABEL_LENGTH ? `${text.slice(0, MAX_LABEL_LENGTH - 1)}…` : text;
}
