import { oneLine } from '../../server/src/base/text.ts';
import { element } from './dom.ts';
import type { Key, Order, Row } from './rows.ts';

export interface Column {
  readonly key: Key;
  readonly title: string;
  /** A track of a CSS grid: `minmax(8em, 2fr)`. */
  readonly width: string;
  readonly cell: (row: Row) => string;
}

export interface List {
  readonly element: HTMLElement;
  /** Puts other rows in the list; the selection goes. */
  show(columns: readonly Column[], rows: readonly Row[], order: Order | undefined): void;
  scrollTop: number;
}

export interface ListEvents {
  readonly sort: (key: Key) => void;
  readonly select: (row: Row | undefined) => void;
  /** Enter, or a click. */
  readonly open: (row: Row) => void;
}

/** Height of a row in CSS pixels, as in the style sheet. */
const ROW_HEIGHT = 26;
/** Rows rendered above and below the visible ones. */
const EXTRA_ROWS = 12;

/**
 * A list of any length that renders only the visible rows. Arrows, Page Up and Down, Home and End move through it,
 * Enter opens. For printing, all rows are rendered.
 */
export function createList(name: string, { sort, select, open }: ListEvents): List {
  const header = element('div', { role: 'row', class: 'header', 'aria-rowindex': '1' });
  const body = element('div', { role: 'rowgroup', class: 'body' });
  const grid = element(
    'div',
    { role: 'grid', class: 'list', tabindex: '0', 'aria-label': name },
    element('div', { role: 'rowgroup', class: 'head' }, header),
    body,
  );
  let columns: readonly Column[] = [];
  let rows: readonly Row[] = [];
  let selected = -1;
  let isPrinting = false;
  let isPlanned = false;
  /** The rows that exist, by their places. */
  const made = new Map<number, HTMLElement>();

  function render(): void {
    isPlanned = false;
    const first = isPrinting ? 0 : Math.max(0, Math.floor(grid.scrollTop / ROW_HEIGHT) - EXTRA_ROWS);
    const last = isPrinting
      ? rows.length
      : Math.min(rows.length, first + Math.ceil(grid.clientHeight / ROW_HEIGHT) + 2 * EXTRA_ROWS);
    for (const [at, it] of made) {
      if (at >= first && at < last) continue;
      it.remove();
      made.delete(at);
    }
    for (let at = first; at < last; at++) {
      const row = rows[at];
      if (row === undefined || made.has(at)) continue;
      const shown = rowElement(row, at);
      made.set(at, shown);
      body.append(shown);
    }
  }

  function rowElement(row: Row, at: number): HTMLElement {
    const cells = columns.map(({ key, cell }) => {
      const text = oneLine(cell(row));
      const tone = key === 'severity' ? { class: `severity ${row.severity}` } : {};
      return element('div', { role: 'gridcell', title: text, ...tone }, text);
    });
    const it = element(
      'div',
      { role: 'row', id: `row-${at}`, 'aria-rowindex': `${at + 2}`, 'aria-selected': `${at === selected}` },
      ...cells,
    );
    // Set through the DOM, since the page's policy forbids inline styles.
    it.style.top = `${at * ROW_HEIGHT}px`;
    it.addEventListener('click', () => {
      choose(at);
      open(row);
    });
    return it;
  }

  function choose(at: number): void {
    made.get(selected)?.setAttribute('aria-selected', 'false');
    selected = at;
    made.get(at)?.setAttribute('aria-selected', 'true');
    if (at < 0) grid.removeAttribute('aria-activedescendant');
    else grid.setAttribute('aria-activedescendant', `row-${at}`);
    select(rows[at]);
  }

  function reveal(at: number): void {
    const [top, room] = [at * ROW_HEIGHT, grid.clientHeight - ROW_HEIGHT];
    if (top < grid.scrollTop) grid.scrollTop = top;
    else if (top + ROW_HEIGHT > grid.scrollTop + room) grid.scrollTop = top + ROW_HEIGHT - room;
    render();
  }

  grid.addEventListener('scroll', () => {
    if (!isPlanned) requestAnimationFrame(render);
    isPlanned = true;
  });
  grid.addEventListener('keydown', (event) => {
    if (event.target !== grid) return;
    const page = Math.max(1, Math.floor(grid.clientHeight / ROW_HEIGHT) - 2);
    const to = {
      ArrowDown: selected + 1,
      ArrowUp: selected - 1,
      PageDown: selected + page,
      PageUp: selected - page,
      Home: 0,
      End: rows.length - 1,
    }[event.key];
    const row = rows[selected];
    if (to !== undefined && rows.length > 0) {
      event.preventDefault();
      const at = Math.min(rows.length - 1, Math.max(0, to));
      reveal(at);
      choose(at);
    } else if (event.key === 'Enter' && row) open(row);
  });
  window.addEventListener('resize', render);
  window.addEventListener('beforeprint', () => {
    isPrinting = true;
    body.style.height = 'auto';
    render();
  });
  window.addEventListener('afterprint', () => {
    isPrinting = false;
    body.style.height = `${rows.length * ROW_HEIGHT}px`;
    render();
  });

  return {
    element: grid,
    get scrollTop() {
      return grid.scrollTop;
    },
    set scrollTop(top: number) {
      grid.scrollTop = top;
      render();
    },
    show(nextColumns, nextRows, order) {
      [columns, rows] = [nextColumns, nextRows];
      choose(-1);
      made.clear();
      body.replaceChildren();
      body.style.height = `${rows.length * ROW_HEIGHT}px`;
      grid.style.setProperty('--columns', columns.map((it) => it.width).join(' '));
      grid.setAttribute('aria-rowcount', `${rows.length + 1}`);
      const { activeElement } = document;
      const held = [...header.children].findIndex((it) => it.contains(activeElement));
      header.replaceChildren(
        ...columns.map(({ key, title }) => {
          const button = element('button', { type: 'button' }, title);
          button.addEventListener('click', () => sort(key));
          const direction = order?.key !== key ? 'none' : order.descending ? 'descending' : 'ascending';
          return element('div', { role: 'columnheader', 'aria-sort': direction }, button);
        }),
      );
      // Sorting by keyboard keeps the focus.
      header.querySelectorAll('button')[held]?.focus();
      render();
    },
  };
}
