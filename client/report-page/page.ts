import type { PageData, PageTexts } from '../../server/src/engine/report/formats/page-texts.ts';
import type { Report } from '../../server/src/engine/report/report.ts';
import { createChart } from './charts.ts';
import { columnsOf } from './columns.ts';
import { details } from './details.ts';
import { element } from './dom.ts';
import { figuresOf, toggled } from './figures.ts';
import { createList } from './list.ts';
import {
  descendingKeys,
  type Filter,
  fill,
  isOpen,
  type Key,
  noFilter,
  type Order,
  type Row,
  rowsIn,
  rowsOf,
  select,
  type View,
  worstFirst,
} from './rows.ts';

/** The view state of the page. It survives the page where the host stores it. */
export interface PageState {
  readonly view: View;
  readonly filter: Filter;
  readonly order: Order;
  readonly scrollTop: number;
}

/** A dependency of a manifest. */
export type RowPlace = Pick<Row, 'path' | 'line' | 'column' | 'declared'>;

/** The functions that the host of the page provides. */
export interface Host {
  /** Absent where files cannot be opened. */
  readonly open?: (place: RowPlace) => void;
  /** Shows the page about a code; absent where there is none. */
  readonly explain?: (code: string) => void;
  /** Absent where files cannot be changed. */
  readonly update?: (place: RowPlace, version: string) => void;
  /** Plans an update in a calendar; absent where none is connected. */
  readonly schedule?: (place: RowPlace, version: string) => void;
  readonly refresh?: () => void;
  /** Asks for the permission that a browser waits for; absent where nothing asks. */
  readonly lookUp?: () => void;
  readonly keep: (state: PageState) => void;
}

/** A shown page. */
export interface Page {
  /** Marks a dependency that was updated. */
  markUpdated(place: RowPlace, version: string): void;
}

/** Shows a report in the page and replaces the previous one. */
export function showPage(
  { report, texts, coverage, connections, lookUp }: PageData,
  host: Host,
  kept: PageState | undefined,
): Page {
  const rows = rowsOf(report, texts);
  const updates = new Map<string, string>();
  const updated = (row: RowPlace): string | undefined => updates.get(placeId(row));
  const update = host.update && ((row: Row, version: string) => host.update?.(row, version));
  const columns = columnsOf(texts, update, updated);
  let state: PageState = kept ?? {
    view: rows.findings.some(isOpen) ? 'findings' : 'dependencies',
    filter: noFilter,
    order: worstFirst,
    scrollTop: 0,
  };
  let selected: Row | undefined;

  const status = element('p', { role: 'status', class: 'status' });
  const about = element('aside', { 'aria-live': 'polite', class: 'details' });
  const list = createList(texts.heading, {
    sort(key) {
      change({ order: nextOrder(state.order, key) });
    },
    select(row) {
      selected = row;
      showDetails();
    },
    open: (row) => host.open?.(row),
    update(row) {
      const { update: target } = row;
      if (target && target.refused === undefined && updated(row) === undefined) host.update?.(row, target.version);
    },
  });
  list.element.addEventListener('scroll', () => host.keep({ ...state, scrollTop: list.scrollTop }), { passive: true });

  const charts = figuresOf(rows, texts).map((figure) =>
    createChart(figure, ({ value, view }) => {
      const filter = toggled(state.filter, figure.facet, value);
      change(filter[figure.facet].includes(value) ? { filter, view } : { filter });
    }),
  );
  const search = element('input', { type: 'search', placeholder: texts.search, 'aria-label': texts.search });
  search.addEventListener('input', () => filterBy({ search: search.value }));
  const names = ['system', 'path', 'license'] as const;
  const choices = {
    system: choice(texts.system, distinct(rows.dependencies, 'system')),
    path: choice(texts.project, distinct(rows.dependencies, 'path')),
    license: choice(texts.license, distinct(rows.dependencies, 'license')),
  };
  for (const name of names) {
    const { input } = choices[name];
    input.addEventListener('change', () => filterBy({ [name]: input.value }));
  }
  const clear = element('button', { type: 'button' }, texts.clear);
  clear.addEventListener('click', () => change({ filter: noFilter }));
  const clearAll = element('button', { type: 'button' }, texts.clear);
  clearAll.addEventListener('click', () => {
    change({ filter: noFilter });
    // The button is gone, and with it the focus.
    list.element.focus();
  });
  const empty = element('div', { class: 'empty' });
  const tabs = (['findings', 'dependencies'] as const).map((view) => {
    const tab = element(
      'button',
      { type: 'button' },
      fill(texts[view], rows[view].filter((it) => view === 'dependencies' || isOpen(it)).length),
    );
    tab.addEventListener('click', () => change({ view }));
    return { view, tab };
  });

  function filterBy(part: Partial<Filter>): void {
    change({ filter: { ...state.filter, ...part } });
  }

  function change(part: Partial<PageState>): void {
    state = { ...state, scrollTop: 0, ...part };
    host.keep(state);
    render();
  }

  function render(): void {
    const { view, filter, order, scrollTop } = state;
    const listed = rowsIn(view, rows, filter);
    const shown = select(listed, filter, order);
    list.show(columns[view], shown, order);
    list.scrollTop = scrollTop;
    status.textContent = fill(texts.shown, shown.length, listed.length);
    empty.hidden = shown.length > 0;
    empty.replaceChildren(...(shown.length > 0 ? [] : whyEmpty(listed.length > 0)));
    for (const it of charts) it.show(filter);
    for (const it of tabs) it.tab.setAttribute('aria-pressed', `${it.view === view}`);
    if (search.value !== filter.search) search.value = filter.search;
    for (const name of names) choices[name].input.value = filter[name];
    clear.disabled = isEqual(filter, noFilter);
  }

  /** Why the list is empty. What was not checked does not look clean. */
  function whyEmpty(isFiltered: boolean): HTMLElement[] {
    const said = (text: string): HTMLElement => element('p', {}, text);
    if (isFiltered) return [said(texts.noMatches), clearAll];
    if (report.manifests === 0) return [said(texts.noManifests)];
    if (rows.dependencies.length === 0) return [said(texts.noDependencies)];
    return [said(texts.noFindings), ...(coverage ? [said(coverage.text)] : [])];
  }

  function showDetails(): void {
    const row = selected;
    const actions = row && {
      open: host.open && (() => host.open?.(row)),
      explain: host.explain,
      update: update && ((version: string) => update(row, version)),
      schedule: host.schedule && ((version: string) => host.schedule?.(row, version)),
      updated: updated(row),
    };
    about.replaceChildren(...(row && actions ? [details(row, texts, actions)] : []));
  }

  document.title = texts.heading;
  document.body.replaceChildren(
    header(report, texts, coverage),
    ...(lookUp === undefined ? [] : [element('p', {}, ...button(lookUp, host.lookUp))]),
    element(
      'div',
      { class: 'filters', role: 'search' },
      element('div', { class: 'charts' }, ...charts.map((it) => it.element)),
      element(
        'div',
        { class: 'tools' },
        element(
          'div',
          {},
          element('div', { role: 'group', 'aria-label': texts.views, class: 'views' }, ...tabs.map((it) => it.tab)),
          search,
          status,
        ),
        element('div', {}, ...names.map((it) => choices[it].label), clear, ...button(texts.refresh, host.refresh)),
      ),
    ),
    element('main', {}, list.element, empty, about),
    ...(connections ? [connectionsOf(connections, texts)] : []),
  );
  render();

  document.onkeydown = (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
      return;
    event.preventDefault();
    search.focus();
  };

  return {
    markUpdated(place, version) {
      updates.set(placeId(place), version);
      list.refresh();
      showDetails();
      status.textContent = fill(texts.updatedSince, place.declared, version);
    },
  };

  function choice(title: string, options: readonly (readonly [string, string])[]) {
    const all = [['', texts.all] as const, ...options];
    const input = element('select', {}, ...all.map(([value, text]) => element('option', { value }, text)));
    return { input, label: element('label', {}, `${title} `, input) };
  }
}

/** The connected services, closed at first. */
function connectionsOf(connections: readonly string[], texts: PageTexts): HTMLElement {
  return element(
    'details',
    { class: 'connections' },
    element('summary', {}, `${texts.connections} (${connections.length})`),
    element('ul', {}, ...connections.map((it) => element('li', {}, it))),
  );
}

function placeId({ path, line, column, declared }: RowPlace): string {
  return `${path}:${line}:${column}:${declared}`;
}

function button(text: string | undefined, act: (() => void) | undefined): HTMLElement[] {
  if (text === undefined || act === undefined) return [];
  const made = element('button', { type: 'button' }, text);
  made.addEventListener('click', act);
  return [made];
}

/** The head of the page: time, size and coverage of the report. */
function header(
  { manifests, dependencies, at, failures, withheld, unclear, unread }: Report,
  texts: PageTexts,
  coverage: PageData['coverage'],
): HTMLElement {
  const failed = failures.reduce((sum, it) => sum + it.count, 0);
  const reasons = failures.map((it) => it.reason).join('; ');
  const origins = withheld
    .filter((it) => !it.isUndecided)
    .map((it) => fill(texts.withheldFrom, it.count, it.origin))
    .join('; ');
  const incomplete = (text: string, files: readonly string[]): readonly HTMLElement[] => {
    const others = files.length > MAX_FILES ? [fill(texts.andMore, files.length - MAX_FILES)] : [];
    const named = [...files.slice(0, MAX_FILES), ...others].join(', ');
    return named === '' ? [] : [element('p', { class: 'incomplete' }, fill(text, named))];
  };
  return element(
    'header',
    {},
    element('h1', {}, texts.heading),
    element(
      'p',
      {},
      [
        fill(manifests === 1 ? texts.oneManifest : texts.manyManifests, manifests),
        fill(dependencies === 1 ? texts.oneDependency : texts.manyDependencies, dependencies),
        new Date(at).toLocaleString(locale()),
      ].join(', '),
    ),
    ...(coverage ? [element('p', { class: coverage.isComplete ? 'withheld' : 'incomplete' }, coverage.text)] : []),
    ...(failed > 0 ? [element('p', { class: 'incomplete' }, fill(texts.incomplete, failed, reasons))] : []),
    ...incomplete(texts.unread, unread),
    ...incomplete(
      texts.unclear,
      unclear.map((it) => `${it.path}:${it.line}`),
    ),
    ...(origins === '' ? [] : [element('p', { class: 'withheld' }, fill(texts.withheld, origins))]),
    ...(coverage?.notes ?? []).map((it) => element('p', { class: 'withheld' }, it)),
  );
}

/** Files that are listed by name, since the room above the charts is small. */
const MAX_FILES = 5;

/** The more interesting end first, then reversed by each click. */
function nextOrder(order: Order, key: Key): Order {
  return { key, descending: order.key === key ? !order.descending : descendingKeys.includes(key) };
}

function isEqual(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function distinct(rows: readonly Row[], key: 'system' | 'path' | 'license'): (readonly [string, string])[] {
  return [...new Set(rows.map((it) => it[key]))].sort().map((it) => [it, it]);
}

/** The locale of dates: the browser's if it has the language of the page, else that language. */
function locale(): string | undefined {
  const { lang } = document.documentElement;
  // Undefined selects the browser's default. Its name is not always a valid tag: `en-US@posix`.
  return lang === '' || navigator.language.startsWith(lang.slice(0, 2)) ? undefined : lang;
}
