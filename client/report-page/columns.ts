import type { PageTexts } from '../../server/src/engine/report/formats/page-texts.ts';
import { cutInTheMiddle, element } from './dom.ts';
import type { Column } from './list.ts';
import { fill, findingOf, type Row, severityText, updateText, type View } from './rows.ts';

/** Runs the update of a row; absent where files cannot be changed. */
export type UpdateRow = ((row: Row, version: string) => void) | undefined;

/**
 * The columns of each view.
 * @param updated the version that a row was updated to since the report, if any
 */
export function columnsOf(
  texts: PageTexts,
  update: UpdateRow,
  updated: (row: Row) => string | undefined,
): Readonly<Record<View, readonly Column[]>> {
  const severity: Column = {
    key: 'severity',
    title: texts.severity,
    // Where there is little room it gives way.
    width: 'min(7.4em, 26%)',
    cell: (it) => severityText(it, texts),
    class: ({ severity }) => `severity ${severity}`,
  };
  const score: Column = {
    key: 'score',
    title: texts.score,
    width: '4.2em',
    from: 31,
    cell: (it) => it.score?.toFixed(1) ?? '',
    class: () => 'number',
  };
  const name: Column = {
    key: 'name',
    title: texts.package,
    width: 'minmax(6em, 2fr)',
    cell: (it) => it.name,
    content: (it) => cutInTheMiddle(it.name),
  };
  const version: Column = {
    key: 'version',
    title: texts.version,
    width: 'minmax(5em, 1fr)',
    from: 54,
    cell: (it) => it.version,
  };
  const path: Column = {
    key: 'path',
    title: texts.project,
    width: 'minmax(6em, 2fr)',
    // Of more use than what the details of the row show as well.
    from: 36,
    cell: (it) => `${it.path}:${it.line}`,
    content: (it) => cutInTheMiddle(`${it.path}:${it.line}`),
  };
  const license: Column = {
    key: 'license',
    title: texts.license,
    width: 'minmax(7em, 1.2fr)',
    from: 47,
    cell: (it) => it.license,
  };
  const target: Column = {
    key: 'update',
    title: texts.update,
    // Where there is little room it gives way as well.
    width: 'minmax(min(8.5em, 31%), 1.2fr)',
    cell: (it) => updateCell(it, texts, updated(it)),
    content: (it) => updateContent(it, texts, update, updated(it)),
  };
  return {
    findings: [
      severity,
      score,
      name,
      version,
      { key: 'message', title: texts.finding, width: 'minmax(9em, 3fr)', from: 47, cell: findingOf },
      target,
      path,
    ],
    dependencies: [
      severity,
      score,
      name,
      {
        key: 'requirement',
        title: texts.requirement,
        width: 'minmax(6em, 1fr)',
        from: 85,
        cell: (it) => it.requirement,
      },
      version,
      license,
      { key: 'days', title: texts.published, width: '7em', from: 77, cell: (it) => it.published },
      target,
      path,
    ],
  };
}

function updateCell({ update }: Row, texts: PageTexts, updated: string | undefined): string {
  if (updated !== undefined) return fill(texts.updated, updated);
  return update ? updateText(update, texts) : '';
}

function updateContent(
  row: Row,
  texts: PageTexts,
  run: UpdateRow,
  updated: string | undefined,
): HTMLElement | undefined {
  const { update, name } = row;
  // The text has the reason why it cannot be applied; a disabled button would hide it.
  if (updated !== undefined || update === undefined || run === undefined || update.refused !== undefined)
    return undefined;
  const button = updateButton(updateText(update, texts), undefined, () => run(row, update.version));
  button.tabIndex = -1;
  button.title = fill(texts.updateRow, name, update.version);
  return button;
}

/** A button to update; disabled, with the reason, where that is not possible. */
export function updateButton(text: string, refused: string | undefined, run: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'update' }, text);
  // A disabled button has no tooltip in some browsers, and cannot be focused.
  if (refused !== undefined) button.setAttribute('aria-disabled', 'true');
  button.addEventListener('click', (event) => {
    // A click on the row opens its file.
    event.stopPropagation();
    if (refused === undefined) run();
  });
  return button;
}
