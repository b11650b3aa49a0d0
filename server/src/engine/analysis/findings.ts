import * as l10n from '@vscode/l10n';
import { oneLine } from '../base/text.ts';
import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import { type Finding, type FindingCode, type Severity, severities } from '../model/finding.ts';
import type { AffectedBelow } from '../model/graph/below.ts';
import type { Ignore, Project } from '../model/project.ts';
import type { Settings } from '../model/settings.ts';
import { isMalware } from '../model/severity-rating.ts';
import type { Verdict } from '../model/verdict.ts';
import { activeAdvisories, activeBelow, findIgnore } from '../policy/ignores.ts';
import { bySeverity, bySeverityOf } from './rules/advisory.ts';
import { rules } from './rules/index.ts';
import type { Rule } from './rules/rule.ts';
import { verdictOf } from './verdict.ts';
import { conditionText } from './verdict-text.ts';

/** A finding with the dependency it is about. */
export interface DependencyFinding extends Finding {
  /** With only the advisories that the finding is about. */
  readonly evaluated: EvaluatedDependency;
}

/** A finding that the project file accepts. */
export interface IgnoredFinding extends DependencyFinding {
  readonly ignore: Ignore;
}

/** In characters. A reason for a deprecation can have any length. */
const MAX_MESSAGE_LENGTH = 1000;

/** By severities: findings are requested both to show and to count them, and an answer changes few. */
const cache = new WeakMap<Settings['severity'], WeakMap<EvaluatedDependency, readonly DependencyFinding[]>>();

/** The findings of some dependencies that are not ignored, by dependency, then by rule. */
export function findingsIn(
  dependencies: readonly EvaluatedDependency[],
  { severity }: Pick<Settings, 'severity'>,
): readonly DependencyFinding[] {
  const known = cache.get(severity) ?? new WeakMap<EvaluatedDependency, readonly DependencyFinding[]>();
  cache.set(severity, known);
  const findings: DependencyFinding[] = [];
  for (const it of dependencies) {
    const before = known.get(it);
    const own = before ?? findingsOf(it, { severity });
    if (before === undefined) known.set(it, own);
    for (const finding of own) findings.push(finding);
  }
  return findings;
}

const nothingFound: readonly DependencyFinding[] = [];

function findingsOf(
  evaluated: EvaluatedDependency,
  settings: Pick<Settings, 'severity'>,
): readonly DependencyFinding[] {
  const active = withActiveAdvisories(evaluated);
  const verdict = verdictOf(evaluated);
  const findings: DependencyFinding[] = [];
  for (const rule of rulesFor(active)) {
    const finding = findingOf(rule, aboutOf(rule.code, active), verdict, settings);
    if (finding && !isAccepted(evaluated, rule.code)) findings.push(finding);
  }
  return findings.length === 0 ? nothingFound : findings;
}

/** All, worst first: what a line brings leads where it is worse than its own vulnerabilities. */
export function rulesFor({ advisories, below }: EvaluatedDependency): readonly Rule[] {
  const [own, brought] = [bySeverity(advisories)[0], below?.affected[0]?.advisories[0]];
  return own !== undefined && brought !== undefined && bySeverityOf(brought, own) < 0 ? belowFirst : rules;
}

const belowFirst = rules.flatMap((it) => {
  if (it.code === 'advisory') return [...rules.filter(({ code }) => code === 'advisory-below'), it];
  return it.code === 'advisory-below' ? [] : [it];
});

/** Malware is accepted by nothing. */
export function isAccepted({ project, linked }: EvaluatedDependency, code: FindingCode): boolean {
  return code !== 'malicious' && findIgnore(project, linked.key, [code]) !== undefined;
}

/** The dependency with only the advisories, its own and those below, that a finding is about: malware has its own. */
export function aboutOf(code: FindingCode, evaluated: EvaluatedDependency): EvaluatedDependency {
  const { advisories, below } = evaluated;
  if (!advisories.some(isMalware) && !below?.affected.some(hasMalware)) return evaluated;
  const isMeant = code === 'malicious';
  const affected = below?.affected.filter((it) => hasMalware(it) === isMeant) ?? [];
  return {
    ...evaluated,
    advisories: advisories.filter((it) => isMalware(it) === isMeant),
    ...(below && { below: { ...below, affected } }),
  };
}

export function hasMalware({ advisories }: AffectedBelow): boolean {
  return advisories.some(isMalware);
}

/** What is found at the definition of a version: a license is one of each package. */
const codesOfDefinitions: readonly FindingCode[] = ['malicious', 'advisory', 'deprecated'];
/** Packages named in a message. */
const MAX_NAMED = 3;

/**
 * The findings at the definitions of a document. The findings of the dependencies are errors and warnings at their own
 * lines. Here, each is repeated as information if those lines are in other files, otherwise as a hint.
 */
export function findingsAtDefinitions(
  definitions: readonly EvaluatedDependency[],
  settings: Pick<Settings, 'severity'>,
): DependencyFinding[] {
  return findingsIn(definitions, settings)
    .filter(({ code }) => codesOfDefinitions.includes(code))
    .map((finding): DependencyFinding => {
      const users = finding.evaluated.shared?.users ?? [];
      const affected = users.filter((it) => verdictOf(it).needsMove);
      const isHere = affected.some((it) => it.linked.uri === finding.uri);
      const names = affected.map(({ linked: { dependency } }) => shortName(dependency.name));
      const more = names.length - MAX_NAMED;
      const subject = [...names.slice(0, MAX_NAMED), ...(more > 0 ? [l10n.t('{0} more', more)] : [])].join(', ');
      return { ...finding, severity: isHere ? 'hint' : 'information', subject: oneLine(subject) };
    });
}

/** The findings of a dependency, or those of the dependencies that a definition stands for. */
export function findingsBehind(
  evaluated: EvaluatedDependency,
  settings: Pick<Settings, 'severity'>,
): DependencyFinding[] {
  if (!evaluated.shared) return [...findingsIn([evaluated], settings)];
  return findingsIn(evaluated.shared.users, settings).filter(({ code }) => codesOfDefinitions.includes(code));
}

/** Without the group, which artifacts of one version have in common: `spring-core`. */
function shortName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The findings that the project file ignores: each ignored advisory and code separately. */
export function ignoredFindingsIn(
  dependencies: readonly EvaluatedDependency[],
  settings: Pick<Settings, 'severity'>,
): IgnoredFinding[] {
  return dependencies.flatMap((evaluated) => {
    const { project, linked } = evaluated;
    if (!project || project.ignores.length === 0) return [];
    return rules.flatMap((rule): IgnoredFinding[] => {
      if (rule.code === 'malicious') return [];
      const whole = findIgnore(project, linked.key, [rule.code]);
      const accepted = (of: EvaluatedDependency, ignore: Ignore): IgnoredFinding[] => {
        const finding = findingOf(rule, of, verdictOf(evaluated), settings);
        return finding ? [{ ...finding, ignore }] : [];
      };
      if (whole) return accepted(evaluated, whole);
      if (rule.code !== 'advisory') return [];
      return evaluated.advisories.flatMap((it) => {
        const ignore = isMalware(it) ? undefined : findIgnore(project, linked.key, [it.id, ...it.aliases]);
        return ignore ? accepted({ ...evaluated, advisories: [it] }, ignore) : [];
      });
    });
  });
}

function withActiveAdvisories(evaluated: EvaluatedDependency): EvaluatedDependency {
  const advisories = activeAdvisories(evaluated);
  const below = activeBelow(evaluated);
  if (advisories.length === evaluated.advisories.length && below === evaluated.below) return evaluated;
  return { ...evaluated, advisories, ...(below && { below }) };
}

/** Findings that are off unless a person or a project chooses them. */
const chosenCodes: ReadonlySet<FindingCode> = new Set(['install-script']);

/** Whether a finding that costs something may be shown. */
export function isWanted(
  code: FindingCode,
  { severity }: Pick<Settings, 'severity'>,
  project: Project | undefined,
): boolean {
  if (severity[code] !== 'auto') return severity[code] !== 'off';
  return !chosenCodes.has(code) || project?.severity[code] !== undefined;
}

function findingOf(
  rule: Rule,
  evaluated: EvaluatedDependency,
  verdict: Verdict,
  settings: Pick<Settings, 'severity'>,
): DependencyFinding | undefined {
  const { code } = rule;
  const chosen = settings.severity[code];
  if (chosen === 'off') return undefined;
  const wrong = rule.find(evaluated, verdict);
  if (!wrong) return undefined;
  const { uri, span } = evaluated.linked;
  const severity = chosen === 'auto' ? moreSevere(wrong.severity, evaluated.project?.severity[code]) : chosen;
  if (severity === 'off') return undefined;
  return {
    code,
    severity,
    uri,
    span: wrong.span ?? span,
    message: oneLine(wrong.message, MAX_MESSAGE_LENGTH),
    subject: oneLine(subjectOf(evaluated)),
    details: (wrong.details ?? []).map((it) => oneLine(it)),
    evaluated,
  };
}

/** `lodash 4.17.15`, `Newtonsoft.Json 12.0.1 when '$(TargetFramework)' == 'net48'` */
function subjectOf({ linked, resolution }: EvaluatedDependency): string {
  const { name } = linked.dependency;
  const version = resolution.kind === 'version' ? [resolution.version] : [];
  const condition = conditionText(linked);
  return [name, ...version, ...(condition === undefined ? [] : [condition])].join(' ');
}

/** A project file raises the severity, never lowers it; a setting of the person overrides both. */
function moreSevere(usual: Severity | 'off', least: Severity | undefined): Severity | 'off' {
  if (usual === 'off') return least ?? usual;
  return least !== undefined && severities.indexOf(least) < severities.indexOf(usual) ? least : usual;
}
