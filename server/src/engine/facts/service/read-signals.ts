import type { PackageKey } from '../../model/keys.ts';
import type { ProjectFacts, ProjectId } from '../../model/signals/project.ts';
import type { SimilarFacts } from '../../model/signals/similar.ts';
import { isSamePackage } from '../canonical-key.ts';
import {
  fieldsOf,
  inner,
  knownObjects,
  Malformed,
  moment,
  number,
  objects,
  requiredInner,
  requiredText,
  text,
} from './fields.ts';
import { packageKey } from './read-answers.ts';

/** Checks of the Scorecard are some twenty. */
const MAX_CHECKS = 100;
/** The service returns a few. */
const MAX_SIMILAR = 100;
/** In characters. A reason is a clause. */
const MAX_REASON_LENGTH = 300;

/** @param asked the facts of any other project are rejected */
export function readProject(value: unknown, asked: ProjectId): ProjectFacts {
  const fields = fieldsOf(value);
  const id = requiredText(requiredInner(fields, 'projectKey'), 'id').toLowerCase();
  if (id !== asked) throw new Malformed(`projectKey is ${id}, which was not asked for`);
  const stars = 'starsCount' in fields.values ? number(fields, 'starsCount') : undefined;
  const scorecard = inner(fields, 'scorecard');
  const common = { id, ...(stars !== undefined && stars >= 0 && { stars: Math.trunc(stars) }) };
  if (!scorecard || !('overallScore' in scorecard.values)) return { ...common, checks: [] };
  const score = number(scorecard, 'overallScore');
  const scoredAt = moment(scorecard, 'date');
  return {
    ...common,
    // A negative score means that nothing could be scored.
    ...(score >= 0 && score <= 10 && { score }),
    ...(scoredAt !== undefined && { scoredAt }),
    checks: objects(scorecard, 'checks', (it) => ({
      name: text(it, 'name'),
      score: number(it, 'score'),
      reason: text(it, 'reason').slice(0, MAX_REASON_LENGTH),
      url: text(inner(it, 'documentation') ?? { values: {} }, 'url'),
    })).slice(0, MAX_CHECKS),
  };
}

/** @param asked an answer about any other package is rejected */
export function readSimilar(value: unknown, asked: PackageKey): SimilarFacts {
  const fields = fieldsOf(value);
  const key = packageKey(requiredInner(fields, 'packageKey'));
  if (!isSamePackage(key, asked)) {
    throw new Malformed(`packageKey is of ${key.system} ${key.name}, which was not asked for`);
  }
  const found = knownObjects(fields, 'packages', (it) => packageKey(requiredInner(it, 'packageKey')));
  const others = found.filter((it) => it.system === key.system && !isSamePackage(it, key));
  return { names: others.slice(0, MAX_SIMILAR).map((it) => it.name) };
}
