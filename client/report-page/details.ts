import { advisoryLink } from '../../server/src/engine/model/links.ts';
import type { PageTexts } from '../../server/src/engine/report/formats/page-texts.ts';
import type { ReportedFinding } from '../../server/src/engine/report/report.ts';
import { updateButton } from './columns.ts';
import { element, link, linkButton } from './dom.ts';
import { fill, type Row } from './rows.ts';

/** What the details of a row can do; absent where files can be neither opened nor changed. */
export interface RowActions {
  readonly open?: (() => void) | undefined;
  /** Shows the page about a code. */
  readonly explain?: ((code: string) => void) | undefined;
  readonly update?: ((version: string) => void) | undefined;
  readonly schedule?: ((version: string) => void) | undefined;
  /** The version that the row was updated to since the report. */
  readonly updated?: string | undefined;
}

/** Shows the details of one row. */
export function details(row: Row, texts: PageTexts, actions: RowActions): HTMLElement {
  const { name, version, system, path, line, license, licenseClass, published, days, findings } = row;
  const { open } = actions;
  const place = element('button', { type: 'button' }, fill(texts.open, path, line));
  if (open) place.addEventListener('click', open);
  const facts: readonly (readonly [string, string])[] = [
    [texts.system, system],
    [texts.requirement, row.requirement],
    [texts.license, licenseClass === 'unknown' ? license : `${license} (${texts.classNames[licenseClass]})`],
    [texts.published, days === undefined ? '' : fill(texts.daysAgo, published, days)],
    [texts.default, row.default],
    [texts.repository, row.repository],
  ];
  return element(
    'div',
    {},
    element('h2', {}, version === '' ? name : `${name} ${version}`),
    open ? place : element('p', {}, `${path}:${line}`),
    ...updates(row, texts, actions),
    element(
      'dl',
      {},
      ...facts
        .filter(([, value]) => value !== '')
        .flatMap(([title, value]) => [element('dt', {}, title), element('dd', {}, value)]),
    ),
    ...(row.severity === 'gap' ? [element('p', {}, row.message)] : []),
    ...findings.map((it) => findingDetails(it, texts, actions)),
  );
}

/** The versions that a row can move to, the recommended one first. */
function updates({ updates: all }: Row, texts: PageTexts, { update, schedule, updated }: RowActions): HTMLElement[] {
  if (updated !== undefined) return [element('p', { role: 'status' }, fill(texts.updated, updated))];
  if (all.length === 0) return [];
  const sorted = [...all].sort((a, b) => Number(b.recommended ?? false) - Number(a.recommended ?? false));
  return [
    element(
      'ul',
      { class: 'updates', 'aria-label': texts.update },
      ...sorted.map((it) => {
        const { version, notes, refused } = it;
        const button = update && updateButton(fill(texts.updateTo, version), refused, () => update(version));
        const reason = refused !== undefined ? [fill(texts.byHandOnly, refused)] : [];
        return element(
          'li',
          {},
          button ?? version,
          ...scheduleButton(it, texts, schedule),
          ` ${[...notes, ...reason].join(', ')}`,
        );
      }),
    ),
  ];
}

/** Beside the update, also where that is made by hand. */
function scheduleButton({ version }: { readonly version: string }, texts: PageTexts, schedule: RowActions['schedule']) {
  if (schedule === undefined) return [];
  const button = updateButton(texts.schedule, undefined, () => schedule(version));
  button.setAttribute('aria-label', fill(texts.scheduleTo, version));
  return [' ', button];
}

function findingDetails(finding: ReportedFinding, texts: PageTexts, { explain }: RowActions): HTMLElement {
  const { severity, code, message, advisories, ignored, known, required } = finding;
  const notes = [
    ...(ignored
      ? [fill(texts.ignoredFor, [ignored.reason, ...(ignored.until ? [ignored.until] : [])].join(', '))]
      : []),
    ...(known ? [texts.inBaseline] : []),
    ...(required ? [required.text] : []),
  ];
  return element(
    'section',
    {},
    element(
      'p',
      {},
      element('span', { class: `severity ${severity}` }, texts[severity]),
      ' ',
      explain ? linkButton(code, () => explain(code)) : code,
      ` ${message}`,
    ),
    element(
      'ul',
      {},
      ...advisories.map(({ id, aliases, title, url: given, rating, score, exploited }) => {
        const { text, url } = advisoryLink(id, given);
        const grade = [texts.problemNames[rating], ...(score === undefined ? [] : [score.toFixed(1)])].join(' ');
        const rated = ` ${exploited ? fill(texts.exploited, grade) : grade}`;
        const others = aliases.length > 0 ? ` (${aliases.join(', ')})` : '';
        return element('li', {}, link(text, url), `${others} ${title}${rated}`);
      }),
      ...notes.map((it) => element('li', {}, it)),
    ),
  );
}
