/**
 * Sends one request ahead; the others wait for its outcome.
 *
 *     admit('one')   a request goes, the others wait
 *                    ├─ it succeeded    admit('all')            they go, and so do later ones
 *                    ├─ it failed       admit('one', failure)   they get the failure, and a later one goes
 *                    └─ it was given up skip()                  the next one goes
 */
export interface Probe<Answer = never> {
  /**
   * Calls `resume` with `go`, at once or when the request may be sent, or with another answer to the wait.
   * @returns to be called when the request was given up or has ended
   */
  enter(resume: (answer: 'go' | Answer) => void): () => void;
  /**
   * Sets how many requests may go.
   * @param answer ends the wait of those that wait. Without one they go if all may, else the next one goes if one may.
   */
  admit(admitted: Admitted, answer?: 'go' | Answer): void;
  /** The request that went ahead was given up, so the next one goes. */
  skip(): void;
  admitted(): Admitted;
}

export type Admitted = 'none' | 'one' | 'all';

export function createProbe<Answer = never>(initial: Admitted = 'one'): Probe<Answer> {
  type Resume = (answer: 'go' | Answer) => void;
  let admitted = initial;
  let ahead: Resume | undefined;
  const waiting = new Set<Resume>();

  function skip(): void {
    if (admitted !== 'one') return;
    const [next] = waiting;
    ahead = next;
    // The caller may be in the middle of ending the former request.
    if (next) queueMicrotask(() => ahead === next && waiting.delete(next) && next('go'));
  }

  return {
    enter(resume) {
      if (admitted === 'none' || (admitted === 'one' && ahead)) waiting.add(resume);
      else {
        if (admitted === 'one') ahead = resume;
        resume('go');
      }
      return () => {
        waiting.delete(resume);
        if (ahead === resume) skip();
      };
    },

    admit(next, answer) {
      admitted = next;
      ahead = undefined;
      const result = answer ?? (next === 'all' ? 'go' : undefined);
      if (result === undefined) return skip();
      const all = [...waiting];
      waiting.clear();
      for (const resume of all) resume(result);
    },

    skip,
    admitted: () => admitted,
  };
}
