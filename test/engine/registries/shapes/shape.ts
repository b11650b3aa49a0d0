/** One way to configure a private registry, and what may be sent because of it. */
export interface Shape {
  readonly title: string;
  /** The file that is opened first. Names of private packages contain `secret`. */
  readonly files: Readonly<Record<string, string>>;
  /**
   * Each request that must arrive, and no other: its host, and the credential it carries. The same host once, however
   * often it is asked.
   */
  readonly asked: readonly string[];
  /** Its registries are those of files of the workspace; as a file beside `package.json` says anyway. */
  readonly isOfWorkspace?: true;
  /** A part of the hover of the private package. */
  readonly hover: string;
}
