import type { Span } from '../span.ts';

/** A transitive package that is to be locked in another version than the one that its requirers lead to. */
export interface Forced {
  readonly name: string;
  /** As locked. */
  readonly version: string;
  readonly wanted: string;
  /** The other locked versions of the package, which stay. */
  readonly others: readonly string[];
  /** The names of the packages that require the version, each once. Empty where the lockfile does not record them. */
  readonly requiredBy: readonly string[];
}

/** A replacement in the text of a file. */
export interface TextEdit {
  readonly span: Span;
  readonly newText: string;
}

/** How a tool is made to lock another version of a transitive package. */
export type Override =
  | {
      readonly ok: true;
      /** A name of `FileTexts`, or of a file that is created: pnpm-workspace.yaml. */
      readonly file: string;
      /** Do not overlap. */
      readonly edits: readonly TextEdit[];
      /** Where it is written, as the tool's documentation calls it: `overrides`. */
      readonly section: string;
    }
  /** A clause: `Poetry has no overrides`. */
  | { readonly ok: false; readonly reason: string };

/** Files by name, those that are missing left out. Of several with one name, the nearest to the manifest. */
export type FileTexts = ReadonlyMap<string, string>;

/** How the tool that writes a kind of lockfile is made to lock another version: a row in `ecosystems/overrides.ts`. */
export interface OverrideTool {
  /** The files that it needs in the directory of the lockfile, beside the manifest and those that it refers to. */
  readonly files: readonly string[];
  /** Never throws. What a person wrote stays as it is, but for an override that stands already: that is raised. */
  readonly write: (forced: Forced, texts: FileTexts) => Override;
}
