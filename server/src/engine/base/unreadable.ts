/** Why an existing file cannot be read. */
export interface Unreadable {
  readonly why:
    | 'denied'
    /** It leads out of the folders that may be read. */
    | 'outside'
    /** It is in the repository around the folders, and git does not track it. */
    | 'untracked'
    /** A link to nothing: a share that is not mounted. */
    | 'dangling'
    /** A folder, a pipe, a device. */
    | 'no file'
    /** A text that no tool writes into one. */
    | 'no lockfile'
    | 'too large'
    /** Its beginning was read. */
    | 'too long'
    /** Too many other files were read before it. */
    | 'too many'
    /** It is on the person's computer, and this is a browser. */
    | 'browser'
    | 'failed';
  /** The code of the system: `EMFILE`. */
  readonly code?: string;
}
