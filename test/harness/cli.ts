import { join } from 'node:path';

/** The terminal program as its sources. */
export const cliSource = join(import.meta.dirname, '..', '..', 'server', 'src', 'cli.ts');

/**
 * The terminal program: its sources, or its bundle in a run of all tests, which has just built it. The bundle takes a
 * quarter of the time to start.
 */
export const cli = process.env['PACKAGE_INSIGHTS_CLI'] ?? cliSource;
