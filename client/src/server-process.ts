/** How the process of the server is started. The benchmark measures it so, too. */
export const serverProcess = {
  flags: [
    // Answers come in bursts. A small nursery is swept more often instead of growing: some 7 MB less with 800 dependencies.
    // It does not begin smaller either, which would be swept several times before the first manifest is read.
    '--min-semi-space-size=4',
    '--max-semi-space-size=4',
    // One thread beside the main one, in the place of four, collects and compiles: they would take the processor from each
    // other, and from the editor, while a manifest is opened. A sixth of the time to the last hint of 800, and 3 MB.
    '--v8-pool-size=1',
  ],
  // The C library of Linux keeps memory apart for each thread, of which Node has many: some 5 MB that nobody uses.
  env: { MALLOC_ARENA_MAX: '1' },
} as const;
