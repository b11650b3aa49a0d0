import { oneLine } from '../base/text.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import { type Finding, type Severity, severities } from '../model/finding.ts';
import type { Ignore } from '../model/project.ts';
import type { Settings } from '../model/settings.ts';
import { activeAdvisories, findIgnore } from '../policy/ignores.ts';
import { rules } from './rules/index.ts';
import type { Rule } from './rules/rule.ts';

/** A finding with the dependency it is about. */
export interface DependencyFinding extends Finding {
  /** Of its advisories those that the finding is about. */
  readonly evaluated: EvaluatedDependency;
}

/** A finding that the project file accepts. */
export interface IgnoredFinding extends DependencyFinding {
  readonly ignore: Ignore;
}

/** Room for three titles of advisories and a reason, which strangers write as long as they like. */
const MAX_MESSAGE_LENGTH = 1000;

/** The findings of a document are asked for by whoever shows them, and by whoever counts them. */
const cache = new WeakMap<readonly EvaluatedDependency[], CachedFindings>();

interface CachedFindings {
  readonly severity: Settings['severity'];
  readonly findings: readonly DependencyFinding[];
}

/** Everything wrong with some dependencies that nobody has accepted, in their order, then in the order of the rules. */
export function findingsIn(
  dependencies: readonly EvaluatedDependency[],
  { severity }: Pick<Settings, 'severity'>,
): readonly DependencyFinding[] {
  const before = cache.get(dependencies);
  if (before?.severity === severity) return before.findings;
  const findings = findingsOf(dependencies, { severity });
  cache.set(dependencies, { severity, findings });
  return findings;
}

function findingsOf(
  dependencies: readonly EvaluatedDependency[],
  settings: Pick<Settings, 'severity'>,
): DependencyFinding[] {
  const findings: DependencyFinding[] = [];
  for (const evaluated of dependencies) {
    const active = withActiveAdvisories(evaluated);
    for (const rule of rules) {
      const finding = findingOf(rule, active, settings);
      if (finding && !findIgnore(evaluated.project, evaluated.linked.key, [rule.code])) findings.push(finding);
    }
  }
  return findings;
}

/** What `check` leaves out because the project file accepts it: each accepted advisory, and each accepted code, by itself. */
export function ignoredFindingsIn(
  dependencies: readonly EvaluatedDependency[],
  settings: Pick<Settings, 'severity'>,
): IgnoredFinding[] {
  return dependencies.flatMap((evaluated) => {
    const { project, linked } = evaluated;
    if (!project || project.ignores.length === 0) return [];
    return rules.flatMap((rule): IgnoredFinding[] => {
      const whole = findIgnore(project, linked.key, [rule.code]);
      const accepted = (of: EvaluatedDependency, ignore: Ignore): IgnoredFinding[] => {
        const finding = findingOf(rule, of, settings);
        return finding ? [{ ...finding, ignore }] : [];
      };
      if (whole) return accepted(evaluated, whole);
      if (rule.code !== 'advisory') return [];
      return evaluated.advisories.flatMap((it) => {
        const ignore = findIgnore(project, linked.key, [it.id, ...it.aliases]);
        return ignore ? accepted({ ...evaluated, advisories: [it] }, ignore) : [];
      });
    });
  });
}

function withActiveAdvisories(evaluated: EvaluatedDependency): EvaluatedDependency {
  const advisories = activeAdvisories(evaluated);
  return advisories.length === evaluated.advisories.length ? evaluated : { ...evaluated, advisories };
}

function findingOf(
  rule: Rule,
  evaluated: EvaluatedDependency,
  settings: Pick<Settings, 'severity'>,
): DependencyFinding | undefined {
  const { code } = rule;
  const chosen = settings.severity[code];
  if (chosen === 'off') return undefined;
  const wrong = rule.find(evaluated);
  if (!wrong) return undefined;
  const { uri, span } = evaluated.linked;
  const severity = chosen === 'auto' ? moreSevere(wrong.severity, evaluated.project?.severity[code]) : chosen;
  return {
    code,
    severity,
    uri,
    span: wrong.span ?? span,
    message: oneLine(wrong.message, MAX_MESSAGE_LENGTH),
    evaluated,
  };
}

/** A project file makes findings graver, never milder; what a person chose comes before both. */
function moreSevere(usual: Severity, least: Severity | undefined): Severity {
  return least !== undefined && severities.indexOf(least) < severities.indexOf(usual) ? least : usual;
}
