import type { PageTexts } from '../../server/src/report/formats/page-texts.ts';
import type { Column } from './list.ts';
import { findingOf, type View } from './rows.ts';

/** The columns of each view. */
export function columnsOf(texts: PageTexts): Readonly<Record<View, readonly Column[]>> {
  const severity: Column = {
    key: 'severity',
    title: texts.severity,
    width: '8.5em',
    cell: (it) => (it.severity === 'none' ? '' : texts[it.severity]),
  };
  const name: Column = { key: 'name', title: texts.package, width: 'minmax(9em, 2fr)', cell: (it) => it.name };
  const version: Column = { key: 'version', title: texts.version, width: 'minmax(5em, 1fr)', cell: (it) => it.version };
  const path: Column = {
    key: 'path',
    title: texts.project,
    width: 'minmax(9em, 2fr)',
    cell: (it) => `${it.path}:${it.line}`,
  };
  const license: Column = { key: 'license', title: texts.license, width: 'minmax(6em, 1fr)', cell: (it) => it.license };
  return {
    findings: [
      severity,
      name,
      version,
      { key: 'message', title: texts.finding, width: 'minmax(14em, 5fr)', cell: findingOf },
      { key: 'target', title: texts.updateTo, width: 'minmax(6em, 1fr)', cell: (it) => it.target },
      path,
    ],
    dependencies: [
      severity,
      name,
      { key: 'requirement', title: texts.requirement, width: 'minmax(7.5em, 1fr)', cell: (it) => it.requirement },
      version,
      { key: 'default', title: texts.default, width: 'minmax(5em, 1fr)', cell: (it) => it.default },
      license,
      { key: 'days', title: texts.published, width: '8em', cell: (it) => it.published },
      path,
    ],
  };
}
