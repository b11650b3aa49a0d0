import { parquetWriteBuffer } from 'hyparquet-writer';
import type { FlatColumn, FlatTable } from './columns.ts';

/** The types of Parquet. */
const types = { text: 'STRING', count: 'INT32', score: 'DOUBLE' } as const satisfies Record<FlatColumn['type'], string>;

/**
 * Writes a table in the format Apache Parquet. A missing value is null.
 * @param summary kept beside the rows as the metadata `package_insights`, JSON
 */
export function parquetOf({ columns, rows }: FlatTable, summary: unknown): Uint8Array {
  return new Uint8Array(
    parquetWriteBuffer({
      columnData: columns.map(({ name, type }, index) => ({
        name,
        type: types[type],
        data: rows.map((row) => row[index] ?? null),
      })),
      kvMetadata: [{ key: 'package_insights', value: JSON.stringify(summary) }],
      createdBy: 'package-insights',
    }),
  );
}
