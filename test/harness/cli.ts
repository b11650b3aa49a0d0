import { join } from 'node:path';

/** The terminal program as its sources. */
export const cliSource = join(import.meta.dirname, '..', '..', 'server', 'src', 'bin', 'cli.ts');

/**
 * The terminal program: its sources, or its bundle in a run of all tests, which has just built it, as it starts in a
 * quarter of the time.
 */
export const cli = process.env['PACKAGE_INSIGHTS_CLI'] ?? cliSource;
