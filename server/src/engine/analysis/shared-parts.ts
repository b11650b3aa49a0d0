import type { Files, Insights } from '../model/ports.ts';
import type { Settings } from '../model/settings.ts';
import type { EvaluationCache } from './evaluate/evaluation-cache.ts';
import type { Environment } from './load/environment.ts';
import type { ManifestReader } from './load/file-reader.ts';
import type { ProjectChains } from './navigation/project-chains.ts';
import type { IncompleteNames } from './privacy/incomplete-names.ts';

/** The parts of a workspace that all its documents share. */
export interface SharedParts {
  readonly files: Files;
  readonly reader: ManifestReader;
  /** Of files that need not be open. */
  readonly chains: ProjectChains;
  readonly insights: Insights;
  /** Those of the folder of a file, or those that all folders share. */
  readonly settings: (uri?: string) => Settings;
  readonly environment: Environment;
  readonly cache: EvaluationCache;
  readonly incompleteNames: IncompleteNames;
  readonly isOpen: (uri: string) => boolean;
  /** Grows when facts or settings have changed: an evaluation of an earlier generation is out of date. */
  readonly generation: () => number;
}
