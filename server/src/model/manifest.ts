import type { PackageKey } from './keys.ts';
import type { Literal, Problem, Span } from './span.ts';
import type { System } from './system.ts';

/** What one manifest says, on its own: nothing here was looked up in another file or on the network. */
export interface Manifest {
  /** In the order of the text. */
  readonly dependencies: readonly Dependency[];
  /** Values that dependencies, here or in files that refer to this one, may refer to. */
  readonly definitions: readonly Definition[];
  /**
   * Values that count for other files alone, which few ask for: what a package.json asks for, which pnpm-workspace.yaml
   * calls `$name`.
   */
  readonly exportedDefinitions?: () => readonly Definition[];
  /** Other files that take part: parents, includes, constraints, central versions. Nearest first. */
  readonly references: readonly FileRef[];
  readonly problems: readonly Problem[];
  /** Directories of the packages it is for, relative to its own, `''` for that; absent where it is for all below. */
  readonly members?: readonly string[];
  /** The files of the projects that are built together with it, relative to its own directory. */
  readonly modules?: readonly string[];
  /** Patterns of the directories, relative to its own, in which the packages of its workspace lie: `packages/*`, `!old`. */
  readonly packages?: readonly string[];
  /** Directories of projects that are installed from where they lie, relative to its own or to one above. */
  readonly projects?: readonly string[];
  /** Names of packages that are made here, or taken from a folder or a repository, whoever in its workspace asks for them. */
  readonly makes?: readonly string[];
  /** Halves of such names, of which several files of a build say some each: Gradle's groups, and its projects' names. */
  readonly coordinates?: { readonly groups: readonly string[]; readonly names: readonly string[] };
  /** What this file calls itself, as those who depend on it do: `group:artifact`, `@acme/core`. */
  readonly identity?: string;
}

export interface Dependency {
  /** The package asked of the service. For a name with references in it, `nameParts` says the true name. */
  readonly key: PackageKey;
  /** The name as the file spells it. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The package name where it is put together from references: Maven's `${project.groupId}:core`. */
  readonly nameParts?: readonly Part[];
  readonly requirement: Requirement;
  /** The empty place for a version, where one is about to be written: between the quotes of `Version=""`. */
  readonly blank?: Literal;
  /** Set where the file names it by a purl. */
  readonly by?: 'purl';
  /** What the file itself says of its licences; absent where it says nothing. */
  readonly declared?: DeclaredLicenses;
  /** Narrows `requirement` from another file: a pip constraint. */
  readonly constraint?: DefinitionRef;
  /** What takes the place of all this where another file defines it, the first that is found: a replacement in go.work. */
  readonly replacement?: readonly DefinitionRef[];
  readonly scope: Scope;
  /** Id of the definition whose scope counts, where the file states none: Maven's management. */
  readonly managed?: string;
  /** Where in the file it stands: `devDependencies`, `dependencyManagement`, `profile ci`. */
  readonly group?: string;
  /** When it applies, as written: an environment marker, a target framework, `cfg(…)`. */
  readonly condition?: string;
  /** The registries that the file names for it: addresses as written in a lockfile or a bill of materials. */
  readonly registries?: readonly string[];
  /** Why no edit of it is offered: a hash pins the very files, for example. */
  readonly frozen?: string;
  /** Set where what it defines counts in this file, too. */
  readonly inherits?: Inherits;
}

/** How the definitions of a published package count in a file that names it. */
export interface Inherits {
  /**
   * A parent's stand behind the file's own, and whatever they refer to may be defined in either. A BOM of managed versions
   * is imported: it alone says what its versions are, and they count where nothing else manages a package.
   */
  readonly as: 'parent' | 'bom';
  /** The package, where it is not the one that is depended on: a plugin of Gradle brings a BOM. */
  readonly name?: string;
  /** Properties of the file and of those around it count before the bill's own. */
  readonly overridable?: true;
}

/** Licences as a bill of materials states them. How several relate is not stated. */
export interface DeclaredLicenses {
  /** SPDX expressions, or names in the author's own words; never empty. */
  readonly licenses: readonly string[];
  /** Where the first of them stands; absent where packages share one statement. */
  readonly span?: Span;
}

export type Scope = 'runtime' | 'dev' | 'build' | 'optional' | 'peer';

/** What a dependency, or a definition, asks for. */
export type Requirement =
  /** A version or range that stands here. */
  | { readonly kind: 'literal'; readonly at: Literal }
  /** The whole value is defined elsewhere: a property, a managed or central version, a catalog. */
  | { readonly kind: 'reference'; readonly to: DefinitionRef; readonly span: Span }
  /** A value put together from text and references (`1.${minor}`): resolved and shown, never edited. */
  | { readonly kind: 'template'; readonly parts: readonly Part[]; readonly span: Span }
  /** Not a published version: a path, a repository, an address, a member of the workspace. */
  | { readonly kind: 'source'; readonly source: Source; readonly span: Span }
  /** Any version will do; nothing is written. */
  | { readonly kind: 'none' };

export type Source = 'path' | 'git' | 'url' | 'workspace';

/** A piece of a composed value: plain text, or a reference. */
export type Part = string | DefinitionRef;

/** Names a `Definition`, in this file or in those it refers to. */
export interface DefinitionRef {
  /**
   * `property:spring.version`, `managed:org.yaml:snakeyaml`, `central:newtonsoft.json`, `constraint:requests`. References
   * in it (`managed:${project.groupId}:core`) mean what they mean to the first file of the chain.
   */
  readonly id: string;
  /** As a person would say it: `${spring.version}`, `dependencyManagement`. */
  readonly label: string;
}

/** The ids of the definitions that a requirement refers to. */
export function idsIn(requirement: Requirement): string[] {
  switch (requirement.kind) {
    case 'reference':
      return [requirement.to.id];
    case 'template':
      return requirement.parts.flatMap((it) => (typeof it === 'string' ? [] : [it.id]));
    case 'literal':
    case 'source':
    case 'none':
      return [];
  }
}

/** A value with a name that others refer to. Of several with one id in one file the last unconditional one counts. */
export interface Definition {
  readonly id: string;
  readonly span: Span;
  readonly value: Requirement;
  /** The empty place for its value, where one is about to be written: `<log4j.version></log4j.version>`. */
  readonly blank?: Literal;
  /** Maven's word for the scope that it gives what it manages. */
  readonly scope?: readonly Part[];
  /** The package that its value is a version of, where that is not the one it is referred to for: an alias in a catalog. */
  readonly key?: PackageKey;
  readonly condition?: string;
  /** Set where that seldom holds: a profile that somebody has to ask for. Whatever another file says goes before it. */
  readonly isRarelyActive?: true;
  /** Why no edit of it is offered, `the project's own version` for example. */
  readonly frozen?: string;
  /**
   * It is the version of the project itself, or of the one of this name unless that is published: what asks for it is a
   * member of the same project, not a published package.
   */
  readonly member?: true | string;
}

/** Another file that a manifest names or takes for granted. */
export interface FileRef {
  readonly kind: FileRefKind;
  /** Relative to the file that holds it, with `/`. With `upward`, a bare file name. */
  readonly path: string;
  /** Id of the format that reads it. */
  readonly format: string;
  /** Where the file is named; absent where it is implied (`Directory.Packages.props`). */
  readonly span?: Span;
  /** Take the nearest file of this name in the directory or above: `self` starts in the file's own directory. */
  readonly upward?: 'self' | 'parent';
  /** What the file defines is known by ids with this name in them: `library:tools-junit`, not `library:junit`. */
  readonly within?: string;
  /** The identity that the file must have, else it is not the one that is meant. */
  readonly expects?: string;
}

/** `constraints` narrow requirements; the others give definitions. */
export type FileRefKind = 'include' | 'constraints' | 'parent' | 'workspace';

/** A kind of manifest: one row of the table in `ecosystems/manifest-formats.ts`. */
export interface ManifestFormat {
  /** Stable: `package.json`, `pom.xml`, `requirements.txt`. */
  readonly id: string;
  /** The system of its packages; `any` where they are of several: a bill of materials. */
  readonly system: System | 'any';
  /** Set where tools write the file, to record what is there, and nobody asks for anything in it. */
  readonly record?: 'lockfile' | 'sbom';
  /** Matched against the path with `/`, from the root of the file system or workspace: `/(^|\/)pom\.xml$/`. */
  readonly files: RegExp;
  /** Ids of editors' languages that such a manifest alone is written in: a document that has no file is known by them. */
  readonly languages?: readonly string[];
  /** What its text begins with, where most files of such a name are no manifests: `#:package` in C#. */
  readonly begins?: RegExp;
  /** Never throws: a broken file is fewer dependencies and more problems. */
  readonly parse: (text: string) => Manifest;
}
