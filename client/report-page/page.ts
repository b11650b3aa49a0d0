import type { PageData, PageTexts } from '../../server/src/report/formats/page-texts.ts';
import type { Report } from '../../server/src/report/report.ts';
import { chart } from './charts.ts';
import { columnsOf } from './columns.ts';
import { details } from './details.ts';
import { element } from './dom.ts';
import { figuresOf } from './figures.ts';
import { createList } from './list.ts';
import {
  type Filter,
  fill,
  type Key,
  noFilter,
  type Order,
  type Row,
  rowStatuses,
  rowsOf,
  select,
  type View,
} from './rows.ts';

/** The view state of the page. It survives the page where the host stores it. */
export interface PageState {
  readonly view: View;
  readonly filter: Filter;
  readonly order?: Order;
  readonly scrollTop: number;
}

/** The functions that the host of the page provides. */
export interface Host {
  /** Absent where files cannot be opened. */
  readonly open?: (row: Pick<Row, 'path' | 'line' | 'column'>) => void;
  readonly refresh?: () => void;
  readonly keep: (state: PageState) => void;
}

/** Shows a report in the page and replaces the previous one. */
export function showPage({ report, tool, texts, coverage }: PageData, host: Host, kept: PageState | undefined): void {
  const rows = rowsOf(report, texts);
  const columns = columnsOf(texts);
  let state: PageState = kept ?? {
    view: report.findings.length > 0 ? 'findings' : 'dependencies',
    filter: noFilter,
    // The worst rows come first.
    order: { key: 'severity', descending: false },
    scrollTop: 0,
  };

  const status = element('p', { role: 'status', class: 'status' });
  const about = element('aside', { 'aria-live': 'polite', class: 'details' });
  const list = createList(texts.heading, {
    sort(key) {
      change({ order: nextOrder(state.order, key) });
    },
    select(row) {
      about.replaceChildren(
        ...(row ? [details(row, tool.homepage, texts, host.open && (() => host.open?.(row)))] : []),
      );
    },
    open: (row) => host.open?.(row),
  });
  list.element.addEventListener('scroll', () => host.keep({ ...state, scrollTop: list.scrollTop }), { passive: true });

  const search = element('input', { type: 'search', placeholder: texts.search, 'aria-label': texts.search });
  search.addEventListener('input', () => filterBy({ search: search.value }));
  const choices = {
    severity: choice(
      texts.severity,
      rowStatuses.map((it) => [it, texts[it]]),
    ),
    system: choice(texts.system, distinct(rows.dependencies, 'system')),
    path: choice(texts.project, distinct(rows.dependencies, 'path')),
    license: choice(texts.license, distinct(rows.dependencies, 'license')),
  };
  const names = ['severity', 'system', 'path', 'license'] as const;
  for (const name of names) {
    const { input } = choices[name];
    input.addEventListener('change', () => filterBy({ [name]: input.value }));
  }
  const clear = element('button', { type: 'button' }, texts.clear);
  clear.addEventListener('click', () => filterBy(noFilter));
  const tabs = (['findings', 'dependencies'] as const).map((view) => {
    const tab = element('button', { type: 'button' }, fill(texts[view], rows[view].length));
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
    const shown = select(rows[view], filter, order);
    list.show(columns[view], shown, order);
    list.scrollTop = scrollTop;
    status.textContent = shown.length === 0 ? texts.nothing : fill(texts.shown, shown.length, rows[view].length);
    for (const it of tabs) it.tab.setAttribute('aria-pressed', `${it.view === view}`);
    if (search.value !== filter.search) search.value = filter.search;
    for (const name of names) choices[name].input.value = filter[name];
  }

  document.title = texts.heading;
  document.body.replaceChildren(
    header(report, texts, coverage, host.refresh),
    element('div', { class: 'charts' }, ...figuresOf(report, texts).map((it) => chart(it, texts))),
    element(
      'div',
      { class: 'tools', role: 'search' },
      element('div', { role: 'group', 'aria-label': texts.views, class: 'views' }, ...tabs.map((it) => it.tab)),
      search,
      ...names.map((it) => choices[it].label),
      clear,
      status,
    ),
    element('main', {}, list.element, about),
  );
  render();

  document.onkeydown = (event) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement)
      return;
    event.preventDefault();
    search.focus();
  };

  function choice(title: string, options: readonly (readonly [string, string])[]) {
    const all = [['', texts.all] as const, ...options];
    const input = element('select', {}, ...all.map(([value, text]) => element('option', { value }, text)));
    return { input, label: element('label', {}, `${title} `, input) };
  }
}

/** The head of the page: time, size and coverage of the report. */
function header(
  { manifests, dependencies, at, failures, withheld, unclear, unread }: Report,
  texts: PageTexts,
  coverage: PageData['coverage'],
  again: Host['refresh'],
): HTMLElement {
  const refresh = element('button', { type: 'button' }, texts.refresh);
  if (again) refresh.addEventListener('click', again);
  const failed = failures.reduce((sum, it) => sum + it.count, 0);
  const reasons = failures.map((it) => it.reason).join('; ');
  const origins = withheld.map((it) => fill(texts.withheldFrom, it.count, it.origin)).join('; ');
  const incomplete = (text: string, files: readonly string[]): readonly HTMLElement[] => {
    const others = files.length > MAX_FILES ? [fill(texts.andMore, files.length - MAX_FILES)] : [];
    const named = [...files.slice(0, MAX_FILES), ...others].join(', ');
    return named === '' ? [] : [element('p', { class: 'incomplete' }, fill(text, named))];
  };
  return element(
    'header',
    {},
    element('h1', {}, texts.heading),
    element('p', {}, fill(texts.made, manifests, dependencies, new Date(at).toLocaleString(locale()))),
    ...(again ? [refresh] : []),
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

/** Ascending at first, then reversed by each click. */
function nextOrder(order: Order | undefined, key: Key): Order {
  return { key, descending: order?.key === key && !order.descending };
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
