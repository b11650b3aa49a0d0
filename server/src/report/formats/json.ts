import type { Format } from './format.ts';
import { jsonText } from './format.ts';

/** For programs: the report as it is, under a version that grows when a field changes its meaning or goes away. */
export const json: Format = {
  name: 'json',
  isForPrograms: true,
  write: (report, { tool }) =>
    `${jsonText({ version: 1, tool: { name: tool.name, version: tool.version }, ...report })}\n`,
};
