import type { RegistryHistory } from '../privacy/registry-history.ts';

/** What decides, besides its text, what of a project file is in force. */
export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Whether the person trusts the workspace: only then does it hide anything. */
  isTrusted(): boolean;
  /** Address of the project file that counts for every manifest; absent where each has the one nearest to it. */
  readonly projectFile?: string;
  /** What files said before they were changed; absent where nobody changes any. */
  readonly history?: RegistryHistory;
}
