import type { Diagnostic } from 'vscode-languageserver';
import { severities } from '../model/finding.ts';
import { dayIn, projectFileName } from '../model/project.ts';
import { nameOf } from '../model/uri.ts';
import { expiredIn, readProject } from '../project/read.ts';
import { positionsIn } from '../text/positions.ts';
import type { Session } from './session.ts';

export function isProjectFile(uri: string): boolean {
  return nameOf(uri) === projectFileName;
}

/** What is wrong in a project file, and which of its ignores have ended. */
export function diagnosticsOfProject(uri: string, text: string, { clock, encoding }: Session): Diagnostic[] {
  const positions = positionsIn(text, encoding);
  const problems = [...readProject(uri, text).problems, ...expiredIn(text, dayIn(clock.now()))];
  return problems.map(({ span, severity, message }) => ({
    range: { start: positions.at(span.start), end: positions.at(span.end) },
    severity: ([1, 2, 3, 4] as const)[severities.indexOf(severity)] ?? 3,
    source: 'package-insights',
    message,
  }));
}
