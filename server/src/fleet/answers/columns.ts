import { systemNames } from '../../engine/model/system.ts';
import type { FleetFix } from '../results/result.ts';
import type { AnswerRow } from './answer-row.ts';
import type { ChangedRow } from './changes.ts';
import type { Group, Grouping } from './groups.ts';

/** A table for programs that have no nested values. */
export interface FlatTable {
  readonly columns: readonly FlatColumn[];
  /** A value for each column. */
  readonly rows: readonly (readonly FlatValue[])[];
}

export interface FlatColumn {
  readonly name: string;
  readonly type: 'text' | 'count' | 'score';
}

export type FlatValue = string | number | undefined;

type Column<Row> = FlatColumn & { readonly valueOf: (row: Row) => FlatValue };

const rowColumns: readonly Column<AnswerRow & Partial<Pick<ChangedRow, 'change' | 'before'>>>[] = [
  { name: 'repository', type: 'text', valueOf: (it) => it.repository },
  { name: 'path', type: 'text', valueOf: (it) => it.path },
  { name: 'line', type: 'count', valueOf: (it) => it.line },
  { name: 'package', type: 'text', valueOf: packageText },
  { name: 'version', type: 'text', valueOf: (it) => it.version },
  { name: 'relation', type: 'text', valueOf: (it) => it.relation },
  { name: 'via', type: 'text', valueOf: (it) => it.via },
  { name: 'licenses', type: 'text', valueOf: (it) => it.licenses?.join(' AND ') },
  { name: 'finding', type: 'text', valueOf: (it) => it.code },
  { name: 'severity', type: 'text', valueOf: (it) => it.severity },
  { name: 'advisories', type: 'text', valueOf: (it) => listText(it.advisories) },
  { name: 'score', type: 'score', valueOf: (it) => it.score },
  { name: 'fix', type: 'text', valueOf: (it) => it.fix.by },
  { name: 'target', type: 'text', valueOf: (it) => targetOf(it.fix) },
  { name: 'fix_at', type: 'text', valueOf: (it) => it.fixAt && `${it.fixAt.path}:${it.fixAt.line}` },
  { name: 'refused', type: 'text', valueOf: (it) => ('refused' in it.fix ? it.fix.refused : undefined) },
  { name: 'owners', type: 'text', valueOf: (it) => listText(it.owners) },
  { name: 'change', type: 'text', valueOf: (it) => it.change },
  { name: 'before', type: 'text', valueOf: (it) => it.before },
];

const groupColumns: readonly Column<Group>[] = [
  { name: 'repositories', type: 'count', valueOf: (it) => it.repositories },
  { name: 'places', type: 'count', valueOf: (it) => it.places },
  { name: 'severity', type: 'text', valueOf: (it) => it.severity },
  { name: 'score', type: 'score', valueOf: (it) => it.score },
  { name: 'versions', type: 'text', valueOf: (it) => listText(it.versions) },
  { name: 'targets', type: 'text', valueOf: (it) => listText(it.targets) },
  { name: 'advisories', type: 'text', valueOf: (it) => listText(it.advisories) },
  { name: 'owners', type: 'text', valueOf: (it) => listText(it.owners) },
];

/** `npm:@babel/traverse`, as `--package` reads it. */
export function packageText({ system, name }: Pick<AnswerRow, 'system' | 'name'>): string {
  return `${systemNames[system].toLowerCase()}:${name}`;
}

export function targetOf(fix: FleetFix): string | undefined {
  return 'version' in fix ? fix.version : undefined;
}

/** Rows as a table: those of changes have two columns more. */
export function tableOfRows(rows: readonly (AnswerRow | ChangedRow)[]): FlatTable {
  const columns = rows.some((it) => 'change' in it) ? rowColumns : rowColumns.slice(0, -2);
  return tableOf(columns, rows);
}

export function tableOfGroups(groups: readonly Group[], by: Grouping): FlatTable {
  return tableOf<Group>([{ name: by, type: 'text', valueOf: (it) => it.key }, ...groupColumns], groups);
}

function tableOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): FlatTable {
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: rows.map((row) => columns.map((it) => it.valueOf(row))),
  };
}

function listText(texts: readonly string[]): string | undefined {
  return texts.length === 0 ? undefined : texts.join(' ');
}
