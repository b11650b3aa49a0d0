import type { Finding } from '../model/finding.ts';
import { oneLine } from '../model/one-line.ts';
import type { Settings } from '../model/settings.ts';
import type { Subject } from '../model/subject.ts';
import { rules } from '../rules/index.ts';

/** A finding with the dependency it is about. */
export interface SubjectFinding extends Finding {
  readonly subject: Subject;
}

/** Room for three titles of advisories and a reason, which strangers write as long as they like. */
const longest = 1000;

/** Everything wrong with some dependencies, in their order, then in the order of the rules. */
export function check(subjects: readonly Subject[], settings: Pick<Settings, 'severity'>): SubjectFinding[] {
  return subjects.flatMap((subject) =>
    rules.flatMap((rule): SubjectFinding[] => {
      const chosen = settings.severity[rule.code];
      const wrong = chosen === 'off' ? undefined : rule.find(subject);
      if (!wrong) return [];
      const { uri, span } = subject.linked;
      const severity = chosen === 'auto' || chosen === 'off' ? wrong.severity : chosen;
      return [{ code: rule.code, severity, uri, span, message: oneLine(wrong.message, longest), subject }];
    }),
  );
}
