import { oneLine } from '../base/text.ts';
import { type Finding, type Severity, severities } from '../model/finding.ts';
import type { Ignore } from '../model/project.ts';
import type { Settings } from '../model/settings.ts';
import type { Subject } from '../model/subject.ts';
import { activeAdvisories, findIgnore } from '../policy/ignores.ts';
import { rules } from './rules/index.ts';
import type { Rule } from './rules/rule.ts';

/** A finding with the dependency it is about. */
export interface SubjectFinding extends Finding {
  /** Of its advisories those that the finding is about. */
  readonly subject: Subject;
}

/** A finding that the project file accepts. */
export interface IgnoredFinding extends SubjectFinding {
  readonly ignore: Ignore;
}

/** Room for three titles of advisories and a reason, which strangers write as long as they like. */
const longest = 1000;

/** The findings of a document are asked for by whoever shows them, and by whoever counts them. */
const known = new WeakMap<readonly Subject[], Checked>();

interface Checked {
  readonly severity: Settings['severity'];
  readonly findings: readonly SubjectFinding[];
}

/** Everything wrong with some dependencies that nobody has accepted, in their order, then in the order of the rules. */
export function check(
  subjects: readonly Subject[],
  { severity }: Pick<Settings, 'severity'>,
): readonly SubjectFinding[] {
  const before = known.get(subjects);
  if (before?.severity === severity) return before.findings;
  const findings = findingsOf(subjects, { severity });
  known.set(subjects, { severity, findings });
  return findings;
}

function findingsOf(subjects: readonly Subject[], settings: Pick<Settings, 'severity'>): SubjectFinding[] {
  const findings: SubjectFinding[] = [];
  for (const subject of subjects) {
    const active = withActiveAdvisories(subject);
    for (const rule of rules) {
      const finding = findingOf(rule, active, settings);
      if (finding && !findIgnore(subject.project, subject.linked.key, [rule.code])) findings.push(finding);
    }
  }
  return findings;
}

/** What `check` leaves out because the project file accepts it: each accepted advisory, and each accepted code, by itself. */
export function ignored(subjects: readonly Subject[], settings: Pick<Settings, 'severity'>): IgnoredFinding[] {
  return subjects.flatMap((subject) => {
    const { project, linked } = subject;
    if (!project || project.ignores.length === 0) return [];
    return rules.flatMap((rule): IgnoredFinding[] => {
      const whole = findIgnore(project, linked.key, [rule.code]);
      const accepted = (of: Subject, ignore: Ignore): IgnoredFinding[] => {
        const finding = findingOf(rule, of, settings);
        return finding ? [{ ...finding, ignore }] : [];
      };
      if (whole) return accepted(subject, whole);
      if (rule.code !== 'advisory') return [];
      return subject.advisories.flatMap((it) => {
        const ignore = findIgnore(project, linked.key, [it.id, ...it.aliases]);
        return ignore ? accepted({ ...subject, advisories: [it] }, ignore) : [];
      });
    });
  });
}

function withActiveAdvisories(subject: Subject): Subject {
  const advisories = activeAdvisories(subject);
  return advisories.length === subject.advisories.length ? subject : { ...subject, advisories };
}

function findingOf(rule: Rule, subject: Subject, settings: Pick<Settings, 'severity'>): SubjectFinding | undefined {
  const { code } = rule;
  const chosen = settings.severity[code];
  if (chosen === 'off') return undefined;
  const wrong = rule.find(subject);
  if (!wrong) return undefined;
  const { uri, span } = subject.linked;
  const severity = chosen === 'auto' ? graver(wrong.severity, subject.project?.severity[code]) : chosen;
  return { code, severity, uri, span: wrong.span ?? span, message: oneLine(wrong.message, longest), subject };
}

/** A project file makes findings graver, never milder; what a person chose comes before both. */
function graver(usual: Severity, least: Severity | undefined): Severity {
  return least !== undefined && severities.indexOf(least) < severities.indexOf(usual) ? least : usual;
}
