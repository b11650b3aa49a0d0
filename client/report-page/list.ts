import { oneLine } from '../../server/src/engine/base/text.ts';
import { element } from './dom.ts';
import type { Key, Order, Row } from './rows.ts';

export interface Column {
  readonly key: Key;
  readonly title: string;
  /** A track of a CSS grid: `minmax(8em, 2fr)`. */
  readonly width: string;
  /** Width of the list in em from which the column is shown; absent for one that is always shown. */
  readonly from?: number;
  /** The whole text, also the tooltip where the room is too small. */
  readonly cell: (row: Row) => string;
  /** Shown in place of the text. */
  readonly content?: (row: Row) => HTMLElement | undefined;
  readonly class?: (row: Row) => string;
}

export interface List {
  readonly element: HTMLElement;
  /** Puts other rows in the list; the selection goes. */
  show(columns: readonly Column[], rows: readonly Row[], order: Order | undefined): void;
  /** Renders the rows again; the selection stays. */
  refresh(): void;
  scrollTop: number;
}

export interface ListEvents {
  readonly sort: (key: Key) => void;
  readonly select: (row: Row | undefined) => void;
  /** Enter, or a click. */
  readonly open: (row: Row) => void;
  /** The letter U. */
  readonly update: (row: Row) => void;
}

/** Height of a row in CSS pixels, as in the style sheet. */
const ROW_HEIGHT = 26;
/** Rows rendered above and below the visible ones. */
const EXTRA_ROWS = 12;

/**
 * A list of any length that renders only the visible rows. Arrows, Page Up and Down, Home and End move through it,
 * Enter opens, U updates. For printing, all rows are rendered.
 */
export function createList(name: string, { sort, select, open, update }: ListEvents): List {
  const header = element('div', { role: 'row', class: 'header', 'aria-rowindex': '1' });
  const body = element('div', { role: 'rowgroup', class: 'body' });
  const grid = element(
    'div',
    { role: 'grid', class: 'list', tabindex: '0', 'aria-label': name, 'aria-keyshortcuts': 'Enter U' },
    element('div', { role: 'rowgroup', class: 'head' }, header),
    body,
  );
  let columns: readonly Column[] = [];
  /** Those of them that the width has room for. */
  let shown: readonly Column[] = [];
  let order: Order | undefined;
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
      const it = rowElement(row, at);
      made.set(at, it);
      body.append(it);
    }
  }

  function rowElement(row: Row, at: number): HTMLElement {
    const cells = shown.map(({ cell, content, class: tone }) => {
      const text = oneLine(cell(row));
      const inner = content?.(row);
      // The button of a cell has a tooltip of its own; a name that is cut in two would be read as two words.
      const whole = inner?.title ? {} : { title: text, ...(inner && { 'aria-label': text }) };
      return element('div', { role: 'gridcell', ...whole, ...(tone && { class: tone(row) }) }, inner ?? text);
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

  function hasRoom({ from = 0 }: Column): boolean {
    return grid.clientWidth >= from * Number.parseFloat(getComputedStyle(grid).fontSize);
  }

  /** Renders the columns that there is room for, and all rows again. */
  function layOut(): void {
    shown = columns.filter(hasRoom);
    made.clear();
    body.replaceChildren();
    grid.style.setProperty('--columns', shown.map((it) => it.width).join(' '));
    const { activeElement } = document;
    const held = [...header.children].findIndex((it) => it.contains(activeElement));
    header.replaceChildren(...shown.map(headerCell));
    // Sorting by keyboard keeps the focus.
    header.querySelectorAll('button')[held]?.focus();
    render();
  }

  function headerCell({ key, title }: Column): HTMLElement {
    const button = element('button', { type: 'button' }, title);
    button.addEventListener('click', () => sort(key));
    const direction = order?.key !== key ? 'none' : order.descending ? 'descending' : 'ascending';
    return element('div', { role: 'columnheader', 'aria-sort': direction }, button);
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
    } else if (row && event.key === 'Enter') open(row);
    else if (row && event.key.toLowerCase() === 'u' && !event.ctrlKey && !event.metaKey && !event.altKey) update(row);
  });
  new ResizeObserver(() => {
    const fitting = columns.filter(hasRoom);
    if (fitting.length !== shown.length) layOut();
    // The details of the chosen row take room from the list.
    else if (selected >= 0) reveal(selected);
    else render();
  }).observe(grid);
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
    show(nextColumns, nextRows, nextOrder) {
      [columns, rows, order] = [nextColumns, nextRows, nextOrder];
      choose(-1);
      body.style.height = `${rows.length * ROW_HEIGHT}px`;
      grid.setAttribute('aria-rowcount', `${rows.length + 1}`);
      layOut();
    },
    refresh: layOut,
  };
}
