/** What an extension sends first to the language server in a worker, which answers once it listens. */
export interface WorkerStart {
  readonly start: {
    /** The texts of the person's language by those of the sources; absent for English. */
    readonly translations?: Readonly<Record<string, string>>;
  };
}
