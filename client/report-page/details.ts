import { advisoryLink, findingPage } from '../../server/src/model/links.ts';
import type { PageTexts } from '../../server/src/report/formats/page-texts.ts';
import type { ReportedFinding } from '../../server/src/report/report.ts';
import { element, link } from './dom.ts';
import { fill, type Row } from './rows.ts';

/** Shows the details of one row. */
export function details(row: Row, homepage: string, texts: PageTexts, open: (() => void) | undefined): HTMLElement {
  const { name, version, system, path, line, license, published, days, findings } = row;
  const place = element('button', { type: 'button' }, fill(texts.open, path, line));
  if (open) place.addEventListener('click', open);
  const facts: readonly (readonly [string, string])[] = [
    [texts.system, system],
    [texts.requirement, row.requirement],
    [texts.license, license],
    [texts.published, days === undefined ? '' : fill(texts.daysAgo, published, days)],
    [texts.default, row.default],
  ];
  return element(
    'div',
    {},
    element('h2', {}, version === '' ? name : `${name} ${version}`),
    open ? place : element('p', {}, `${path}:${line}`),
    element(
      'dl',
      {},
      ...facts
        .filter(([, value]) => value !== '')
        .flatMap(([title, value]) => [element('dt', {}, title), element('dd', {}, value)]),
    ),
    ...(row.severity === 'gap' ? [element('p', {}, row.message)] : []),
    ...findings.map((it) => findingDetails(it, homepage, texts)),
  );
}

function findingDetails(finding: ReportedFinding, homepage: string, texts: PageTexts): HTMLElement {
  const { severity, code, message, advisories, ignored, known } = finding;
  const notes = [
    ...(ignored
      ? [fill(texts.ignoredFor, [ignored.reason, ...(ignored.until ? [ignored.until] : [])].join(', '))]
      : []),
    ...(known ? [texts.inBaseline] : []),
  ];
  return element(
    'section',
    {},
    element(
      'p',
      {},
      element('span', { class: `severity ${severity}` }, texts[severity]),
      ' ',
      link(code, findingPage(homepage, code)),
      ` ${message}`,
    ),
    element(
      'ul',
      {},
      ...advisories.map(({ id, aliases, title, url: given, rating, score }) => {
        const { text, url } = advisoryLink(id, given);
        const rated = score === undefined ? '' : ` ${rating} ${score.toFixed(1)}`;
        const others = aliases.length > 0 ? ` (${aliases.join(', ')})` : '';
        return element('li', {}, link(text, url), `${others} ${title}${rated}`);
      }),
      ...notes.map((it) => element('li', {}, it)),
    ),
  );
}
