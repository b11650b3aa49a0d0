import { severities } from '../model/finding.ts';
import { bestFix, type Report, type ReportedFinding } from './report.ts';

/**
 * A text of a package made safe to print: a terminal takes control characters for orders, and characters that turn
 * the direction of writing or take no room make a line say something else. Line ends become spaces.
 */
export function visible(text: string): string {
  return text.replace(/[\r\n\t\u2028\u2029]+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '\ufffd');
}

/** `1 manifest`, `2 manifests` */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

const severityNames = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  information: ['note', 'notes'],
  hint: ['hint', 'hints'],
} as const;

/** Whether nobody has accepted a finding yet, in a project file or a baseline. */
export function isNew({ known, ignored }: Pick<ReportedFinding, 'known' | 'ignored'>): boolean {
  return !known && !ignored;
}

/** `3 findings (1 error, 2 warnings) in 2 of 5 manifests, 120 dependencies` */
export function summary({ findings, manifests, dependencies, failures }: Report): string {
  const failed = failures.reduce((sum, it) => sum + it.count, 0);
  const incomplete = failed > 0 ? `; incomplete, ${count(failed, 'look-up')} failed` : '';
  const looked = `${count(manifests, 'manifest')}, ${count(dependencies, 'dependency', 'dependencies')}${incomplete}`;
  const fresh = findings.filter(isNew);
  const ignored = findings.filter((it) => it.ignored).length;
  const known = findings.length - fresh.length - ignored;
  const left = [
    ...(known > 0 ? [`${known} more in the baseline`] : []),
    ...(ignored > 0 ? [`${ignored} ignored`] : []),
  ];
  const baseline = left.length > 0 ? ` (${left.join(', ')})` : '';
  if (fresh.length === 0) return `No findings${baseline} in ${looked}`;
  const parts = severities.flatMap((severity) => {
    const [one, many] = severityNames[severity];
    const { length } = fresh.filter((it) => it.severity === severity);
    return length > 0 ? [count(length, one, many)] : [];
  });
  const files = new Set(fresh.map((it) => it.path)).size;
  return `${count(fresh.length, 'finding')} (${parts.join(', ')})${baseline} in ${files} of ${looked}`;
}

/** Where a finding could be moved to, in few words: `4.18.1`, `4.18.1 by hand: its hashes pin the very files`. */
export function target(finding: Pick<ReportedFinding, 'fixes'>): string | undefined {
  const best = bestFix(finding);
  if (best === undefined) return undefined;
  const notes = [
    ...(best.flaw === undefined ? [] : [`which is flawed itself: ${best.flaw}`]),
    ...(best.refused === undefined ? [] : [`by hand: ${best.refused}`]),
  ];
  return visible([best.version, ...notes].join(', '));
}
