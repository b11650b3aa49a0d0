import { pypi } from './versions.ts';

/** Minor versions of Python 3. It gets one a year. */
const MINORS = Array.from({ length: 40 }, (_, minor) => `3.${minor}.99`);

/**
 * Whether a package runs on the lowest Python that a project is for, as uv, Poetry and PDM require.
 * @param project `>=3.8`, `^3.8`
 * @param required what the package requires
 */
export function runsOn(project: string, required: string): boolean {
  const lowest = MINORS.find((it) => pypi.satisfies(it, project));
  // An upper bound of a package says mostly that nobody has tried more.
  const lower = required.split(',').filter((it) => !/^\s*<(?!>)/.test(it));
  return lowest === undefined || lower.every((it) => pypi.read(it).kind === 'invalid' || pypi.satisfies(lowest, it));
}
