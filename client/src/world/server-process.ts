/** The flags and environment of the server process. The benchmark uses them, too. */
export const serverProcess = {
  flags: [
    // Answers arrive in bursts. A small nursery is collected more often instead of growing, which saves about 7 MB with
    // 800 dependencies. Its initial size is the same, since a smaller one would be collected several times before the
    // first manifest is read.
    '--min-semi-space-size=4',
    '--max-semi-space-size=4',
    // One helper thread instead of four for collection and compilation: several would compete with each other and the
    // editor while a manifest opens. Saves a sixth of the time to the last hint of 800, and 3 MB.
    '--v8-pool-size=1',
  ],
  // The C library of Linux reserves memory for each of Node's many threads, about 5 MB that are never used.
  env: { MALLOC_ARENA_MAX: '1' },
} as const;
