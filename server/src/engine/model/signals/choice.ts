/** The signals about packages that a person has chosen. The same object while they stay the same. */
export interface SignalChoice {
  /** Whether the projects of dependencies are requested. */
  readonly projects: boolean;
  /** The score of a project below which there is a finding; 0 for none. */
  readonly minScore: number;
  /** Whether similarly named packages are requested. */
  readonly similarNames: boolean;
}

export const noSignals: SignalChoice = { projects: false, minScore: 0, similarNames: false };
