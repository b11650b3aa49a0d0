import type { EvaluatedDependency } from '../model/evaluated-dependency.ts';
import type { Settings } from '../model/settings.ts';
import type { AroundLocked } from './brought.ts';
import { isWanted } from './findings.ts';
import { withInstallScripts } from './install-scripts.ts';
import { withSimilarNames } from './similar-names.ts';

/**
 * Adds what the lockfiles say of dependencies beyond their versions. What is off costs nothing. Yields after some ms of
 * work.
 */
export function* withSignals(
  around: AroundLocked,
  dependencies: readonly EvaluatedDependency[],
  settings: Pick<Settings, 'severity' | 'similarNames'>,
): Generator<void, readonly EvaluatedDependency[]> {
  const project = dependencies[0]?.project;
  const isCompared = settings.similarNames !== 'off' && isWanted('similar-name', settings, project);
  const compared = isCompared ? yield* withSimilarNames(around, dependencies) : dependencies;
  return isWanted('install-script', settings, project) ? yield* withInstallScripts(around, compared) : compared;
}
