import { element } from './dom.ts';
import type { Bar, Figure } from './figures.ts';
import type { Filter } from './rows.ts';

export interface Chart {
  readonly element: HTMLElement;
  /** Marks the bars that the filter contains. */
  show(filter: Filter): void;
}

/** Time in ms in which further letters continue a word, as in lists of the system. */
const TYPING_TIME_MS = 700;

/**
 * Draws a chart of horizontal bars. Each is a button that filters the list. Tab reaches the chart; arrows, Home, End and
 * letters move through its bars.
 *
 *     Permissive     ████████████ 12
 *     Weak copyleft  ████ 4
 */
export function createChart({ facet, title, bars, empty }: Figure, toggle: (bar: Bar) => void): Chart {
  const most = Math.max(1, ...bars.map((it) => it.count));
  const buttons = bars.map((bar, at) => {
    const button = barElement(bar, most);
    button.tabIndex = at === 0 ? 0 : -1;
    button.addEventListener('click', () => toggle(bar));
    button.addEventListener('focus', () => {
      for (const it of buttons) it.tabIndex = it === button ? 0 : -1;
    });
    return button;
  });
  const id = `chart-${facet}`;
  const toolbar = element(
    'div',
    { role: 'toolbar', 'aria-orientation': 'vertical', 'aria-labelledby': id },
    ...(bars.length > 0 ? buttons : [element('p', {}, empty)]),
  );
  moveByKeys(toolbar, buttons);
  return {
    element: element('figure', {}, element('figcaption', { id }, title), toolbar),
    show(filter) {
      for (const [at, { value }] of bars.entries()) {
        buttons[at]?.setAttribute('aria-pressed', `${filter[facet].includes(value)}`);
      }
    },
  };
}

function barElement({ label, count, tone }: Bar, most: number): HTMLButtonElement {
  const bar = element('span', { class: `bar ${tone}` });
  // Set through the DOM, since the page's policy forbids inline styles.
  bar.style.width = `${(100 * count) / most}%`;
  return element(
    'button',
    { type: 'button', class: 'bar-button', 'aria-label': `${label}: ${count}`, title: `${label}: ${count}` },
    element('span', { class: 'label' }, label),
    element('span', { class: 'track' }, ...(count > 0 ? [bar] : []), element('span', { class: 'number' }, `${count}`)),
  );
}

function moveByKeys(toolbar: HTMLElement, buttons: readonly HTMLButtonElement[]): void {
  let typed = '';
  let typedAt = 0;
  toolbar.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const at = buttons.findIndex((it) => it.matches(':focus'));
    const to = {
      ArrowDown: at + 1,
      ArrowRight: at + 1,
      ArrowUp: at - 1,
      ArrowLeft: at - 1,
      Home: 0,
      End: buttons.length - 1,
    }[event.key];
    let next = to === undefined ? undefined : buttons[to];
    // Slash goes to the search, Space presses.
    if (event.key.length === 1 && event.key !== ' ' && event.key !== '/') {
      typed = event.timeStamp - typedAt < TYPING_TIME_MS ? typed + event.key.toLowerCase() : event.key.toLowerCase();
      typedAt = event.timeStamp;
      next = buttons.find((it) => it.textContent?.toLowerCase().startsWith(typed));
    }
    if (to !== undefined || next) event.preventDefault();
    next?.focus();
  });
}
