/** One setting: its declaration for editors, and its valid values. */
export type Declaration = Values & Scope;

interface Values {
  /** `array`: a list of strings. */
  readonly type: 'string' | 'boolean' | 'integer' | 'array';
  /** `null`: nothing is chosen, which differs from each value. */
  readonly default: string | boolean | number | readonly string[] | null;
  readonly items?: { readonly type: 'string'; readonly pattern?: string; readonly patternErrorMessage?: string };
  /** The pattern of valid texts, and the message of editors for others. */
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly enum?: readonly string[];
  readonly enumDescriptions?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** For people who need it: editors show it when it is asked for. */
  readonly isAdvanced?: true;
  /** At most 250 characters, in every language. */
  readonly markdownDescription: string;
}

/** Who may choose a value. */
export type Scope =
  /** Workspaces must not. */
  | { readonly scope: 'machine' }
  /**
   * A workspace may. Until the person trusts it, its value is `ignored` where it could hide a finding or have a name sent
   * that would stay; other values count.
   */
  | { readonly scope: 'resource' | 'window'; readonly untrusted: 'ignored' | 'counts' };
