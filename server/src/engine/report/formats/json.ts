import type { Format } from './format.ts';
import { jsonText } from './format.ts';

/** For programs: the report itself, with a version number that grows when a field changes its meaning or is removed. */
export const json: Format = {
  name: 'json',
  isForPrograms: true,
  write: (report, { tool }) =>
    `${jsonText({ version: 1, tool: { name: tool.name, version: tool.version }, ...report })}\n`,
};
