import type { PackageKey } from './keys.ts';
import type { Literal, Problem, Span } from './span.ts';
import type { System } from './system.ts';

/** The content of one manifest by itself: nothing here comes from another file or the network. */
export interface Manifest {
  /** In the order of the text. */
  readonly dependencies: readonly Dependency[];
  /** Values that dependencies of this file, or of files that refer to it, may reference. */
  readonly definitions: readonly Definition[];
  /**
   * Values that only other files reference, computed on demand: the requirements of a package.json, which
   * pnpm-workspace.yaml refers to as `$name`.
   */
  readonly exportedDefinitions?: () => readonly Definition[];
  /** Other files of the chain: parents, includes, constraints, central versions. Nearest first. */
  readonly references: readonly FileRef[];
  readonly problems: readonly Problem[];
  /** Places that name files which do not take part in its meaning: modules, members, projects. */
  readonly links?: readonly FileLink[];
  /**
   * Directories of the packages that it applies to, relative to its own (`''`); absent if it applies to everything
   * below.
   */
  readonly members?: readonly string[];
  /** Project files of its modules, relative to its own directory. */
  readonly modules?: readonly string[];
  /** Patterns of the member directories of its workspace, relative to its own: `packages/*`, `!old`. */
  readonly packages?: readonly string[];
  /** Directories of projects that it installs in place, relative to its own or to one above. */
  readonly projects?: readonly string[];
  /** Packages that are built here, or taken from a folder or a repository for the whole workspace. */
  readonly makes?: readonly string[];
  /** The ids of plugins that it applies: script plugins of its build among them. */
  readonly applied?: readonly string[];
  /** Plugins that are built here under the id of a catalog's entry, by its alias: `acme.library` of `libs.plugins.acme.library`. */
  readonly pluginAliases?: readonly string[];
  /** Packages that it takes from the files at these addresses, by name: others in the workspace take the same. */
  readonly takes?: ReadonlyMap<string, readonly string[]>;
  /** Parts of such names that several files of a build declare: Gradle's groups and project names. */
  readonly coordinates?: { readonly groups: readonly string[]; readonly names: readonly string[] };
  /** The empty place where a property of a name would be written, to override that of another file: in a POM. */
  readonly propertyAddition?: (name: string) => Literal | undefined;
  /** The name by which others depend on it: `group:artifact`, `@acme/core`. */
  readonly identity?: string;
  /** Where it takes the group of its name from the project at one of some paths, relative to its directory: in Maven 4. */
  readonly inferred?: { readonly artifact: string; readonly parents: readonly string[] };
  /** Its own version, where it is written here as it is. */
  readonly version?: string;
  /** Of `makes`, by name, the fields of which one has to be read: `resolutions`, which npm does not know. */
  readonly fields?: ReadonlyMap<string, readonly string[]>;
  /** The package manager that it names: `pnpm`. */
  readonly client?: string;
  /** Whether its workspace takes members by their names, or only where a version begins with `workspace:`. */
  readonly takesMembers?: 'by name' | 'by protocol';
  /** The folder, relative to its own, of patches that a script applies to installed packages. */
  readonly patches?: string;
  /** Which pre-releases its package manager takes, by the canonical name of the package; `''` for all others. */
  readonly preReleases?: ReadonlyMap<string, PreReleases>;
  /** The versions of Python that it is for, as written: `>=3.8`. */
  readonly python?: string;
  /** Set where what it requires in several groups is one version. */
  readonly joinsGroups?: boolean;
  /** Which version its package manager takes of what it requires itself: uv's `resolution`. */
  readonly direct?: 'lowest' | 'highest';
}

/**
 * The pre-releases that a package manager takes: `any`, like other versions; `last`, where no stable version satisfies;
 * `named`, where none does and the range names a pre-release.
 */
export type PreReleases = 'any' | 'last' | 'named' | 'none';

/** Which of the versions that satisfy a range is taken. */
export type Taking = Pick<Dependency, 'preReleases' | 'takesDeprecated' | 'takesLowest'>;

export interface Dependency {
  /** The package to look up. For a name with references, `nameParts` determines it. */
  readonly key: PackageKey;
  /** The name as the file spells it. */
  readonly name: string;
  readonly nameSpan: Span;
  /** The parts of a name with references: Maven's `${project.groupId}:core`. */
  readonly nameParts?: readonly Part[];
  readonly requirement: Requirement;
  /** What is written here, where `requirement` is a local source that another group of the file names. */
  readonly written?: Written;
  /** What is written here, where an override of the project takes its place. */
  readonly overridden?: Extract<Requirement, { readonly kind: 'literal' }>;
  /** The empty place where a version would be written: between the quotes of `Version=""`. */
  readonly blank?: Literal;
  /** The empty place where a version would be written that overrides the one of other files. */
  readonly addition?: Literal;
  /** Set if the file names it by a purl. */
  readonly by?: 'purl';
  /** The licenses that the file declares; absent if it declares none. */
  readonly declared?: DeclaredLicenses;
  /** Narrows `requirement` from another file: a pip constraint. */
  readonly constraint?: DefinitionRef;
  /**
   * Definitions in other files that replace this dependency; the first that exists applies: a replacement in go.work.
   */
  readonly replacement?: readonly DefinitionRef[];
  readonly scope: Scope;
  /** Absent where it may have either: in a record, or under a name that several parts of a build use. */
  readonly role?: Role;
  /** In a catalog of libraries, its accessors without the name of the catalog: `spring-core`, and those of its bundles. */
  readonly accessors?: readonly string[];
  /** Id of the definition whose scope applies if the file declares none: Maven's dependency management. */
  readonly managed?: string;
  /** The section of the file: `devDependencies`, `dependencyManagement`, `profile ci`. */
  readonly group?: string;
  /** When it applies, as written: an environment marker, a target framework, `cfg(…)`. */
  readonly condition?: string;
  /** The registries that the file names for it: addresses from a lockfile or an SBOM. */
  readonly registries?: readonly string[];
  /** The extras of PyPI that it requires, as written: `socks` of `requests[socks]`. */
  readonly extras?: readonly string[];
  /** Ranges of versions that the project refuses: `exclude` of go.mod, `reject` of Gradle. */
  readonly rejected?: readonly string[];
  /** Absent where the rule of its system applies, or that of the project. */
  readonly preReleases?: PreReleases;
  /** Set where the client of the project takes deprecated versions like others. */
  readonly takesDeprecated?: true;
  /** Set where the project takes the lowest version that satisfies: uv's `resolution`. */
  readonly takesLowest?: true;
  /** Why it cannot be edited: a hash pins its files, for example. */
  readonly frozen?: string;
  /** Set if its definitions apply in this file, too. */
  readonly inherits?: Inherits;
}

/** The requirement of a dependency, and the group whose local source takes its place. */
export interface Written {
  readonly requirement: Requirement;
  readonly by: string;
}

/** How a file uses the definitions of a published package. */
export interface Inherits {
  /**
   * A parent's definitions come after the file's own, and each may reference the other. An imported BOM resolves its
   * versions by itself; they apply if nothing else manages a package.
   */
  readonly as: 'parent' | 'bom';
  /** The package, if it is not the dependency itself: a Gradle plugin brings a BOM. */
  readonly name?: string;
  /** Properties of the file and its chain override those of the BOM. */
  readonly overridable?: true;
  /** It may take part, as the code of the build decides: it counts where nothing else manages a package. */
  readonly isPossible?: true;
  /** Its versions prevail over those that dependencies state: Gradle's enforced platform. */
  readonly isEnforced?: true;
}

/** The licenses declared in an SBOM, without how several relate. */
export interface DeclaredLicenses {
  /** SPDX expressions, or names in the author's own words; never empty. */
  readonly licenses: readonly string[];
  /** The span of the first one; absent if packages share a statement. */
  readonly span?: Span;
}

/**
 * What a build asks for it as. Plugins, and what the build itself runs on, come from other repositories than the libraries
 * of the project: `pluginRepositories`, `pluginManagement`, `buildscript`.
 */
export type Role = 'library' | 'plugin';

export type Scope = 'runtime' | 'dev' | 'build' | 'optional' | 'peer';

/** The requirement of a dependency, or the value of a definition. */
export type Requirement =
  /** A version or range written here. */
  | { readonly kind: 'literal'; readonly at: Literal }
  /** The whole value is defined elsewhere: a property, a managed or central version, a catalog. */
  | { readonly kind: 'reference'; readonly to: DefinitionRef; readonly span: Span }
  /** A value composed of text and references (`1.${minor}`): resolved and shown, never edited. */
  | { readonly kind: 'template'; readonly parts: readonly Part[]; readonly span: Span }
  /** Not a published version: a path, a repository, an address, a member of the workspace, or what was not deployed. */
  | { readonly kind: 'source'; readonly source: Source; readonly span: Span }
  /** No version is written: any will do. */
  | { readonly kind: 'none' };

/** `undeployed`: in the record of a built program that contains no file of it. `removed`: an override takes it out. */
export type Source = 'path' | 'git' | 'url' | 'workspace' | 'undeployed' | 'removed';

/** A piece of a composed value: plain text, or a reference. */
export type Part = string | DefinitionRef;

/** Names a `Definition`, in this file or in those it refers to. */
export interface DefinitionRef {
  /**
   * `property:spring.version`, `managed:org.yaml:snakeyaml`, `central:newtonsoft.json`, `constraint:requests`. References
   * in it (`managed:${project.groupId}:core`) mean what they mean to the first file of the chain.
   */
  readonly id: string;
  /** For people: `${spring.version}`, `dependencyManagement`. */
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

/**
 * A named value that requirements reference. Of several with one id in a file, the last unconditional one applies, or one
 * of the conditional ones behind it.
 */
export interface Definition {
  readonly id: string;
  readonly span: Span;
  readonly value: Requirement;
  /** The empty place where its value would be written: `<log4j.version></log4j.version>`. */
  readonly blank?: Literal;
  /** The Maven scope that it declares for the managed dependency. */
  readonly scope?: readonly Part[];
  /** The package whose version its value is, if the reference has another name: an alias in a catalog. */
  readonly key?: PackageKey;
  readonly condition?: string;
  /**
   * Set if its condition is rarely true: a profile that must be requested. Definitions of other files take precedence.
   */
  readonly isRarelyActive?: true;
  /** Set if its condition is that nothing else defines it: `'$(JsonVersion)' == ''`. */
  readonly isFallback?: true;
  /** Why it cannot be edited: `the project's own version`, for example. */
  readonly frozen?: string;
  /**
   * The version of the project itself, or of the project with this name unless that one is published: a dependency on
   * it is a member of the workspace, not a published package.
   */
  readonly member?: true | string;
}

/** A place in a file where a definition is named: `spring.version` in `${spring.version}`. */
export interface DefinitionUse {
  /** As in `Definition.id`. */
  readonly id: string;
  readonly span: Span;
  /** It is a part of what names something else, and that is followed: `old` of `catalog:old`, which means a package there. */
  readonly isPart?: true;
}

/** A place where a name is used, with the kind of what it names: `library`. */
export interface WrittenUse {
  readonly text: string;
  readonly span: Span;
  readonly kind: string;
}

/** What is known of names in code without running it. */
export interface Code {
  /** Every place where a word stands, whatever it means there. */
  readonly wordsIn: (text: string, name: string) => readonly Span[];
  /** Where alone the name counts that is defined at a place; undefined where other files may use it. */
  readonly local: (text: string, definition: Span) => 'file' | 'block' | undefined;
}

/** How the names that a format defines are changed. */
export interface Renaming {
  /** The id of a name, by the beginning of the ids of its kind: `property`. */
  readonly kinds: Readonly<Record<string, (name: string) => string>>;
  /** Set where only what dependencies use can be renamed: tools know others by their names. */
  readonly isOnlyOfDependencies?: true;
  /** The files whose names can be changed; absent for all of the format. */
  readonly files?: RegExp;
  /** Why a name stays as it is, as a clause. */
  readonly keep?: (name: string) => string | undefined;
  /** Why a name of a kind cannot be given, as a clause; undefined for one that can. */
  readonly refuse: (name: string, kind: string) => string | undefined;
  /** Every place of a definition's own name. */
  readonly namesOf: (text: string, definition: Definition) => readonly Span[];
}

/** A place that names files for a person to follow. */
export interface FileLink {
  readonly span: Span;
  /** Each file that may be meant, relative to the directory of the manifest. */
  readonly paths?: readonly string[];
  /** Set where the paths count from a directory above, the nearest that has one of them. */
  readonly upward?: true;
  /** The directories of members: `packages/*`. */
  readonly pattern?: string;
}

/** Another file that a manifest names or implies. */
export interface FileRef {
  readonly kind: FileRefKind;
  /** Relative to the file that holds it, with `/`. With `upward`, a bare file name. */
  readonly path: string;
  /** Where `path` is the file of a folder, how the folder is called: a file of that name is meant itself. */
  readonly folder?: string;
  /** Id of the format that reads it. */
  readonly format: string;
  /** The span of its name; absent if it is implied (`Directory.Packages.props`). */
  readonly span?: Span;
  /** The nearest file of this name in the directory or above: `self` starts in the file's own directory. */
  readonly upward?: 'self' | 'parent';
  /** With `upward`, each file of this name counts, not only the nearest. */
  readonly every?: true;
  /** With `upward`, only a file beside which one of these lies. */
  readonly beside?: readonly string[];
  /** Set where only a file counts that lists the directory among the members of its workspace. */
  readonly lists?: true;
  /** The name that qualifies the ids of its definitions: `library:tools-junit`, not `library:junit`. */
  readonly within?: string;
  /** Set where it always takes part: dependencies are missing where it cannot be read. */
  readonly required?: true;
  /** The identity that the file must have; another file is ignored. */
  readonly expects?: string;
  /** Set where the path has names that other files of the chain define, by their ids: undefined as long as one does not. */
  readonly composed?: {
    readonly ids: readonly string[];
    /** @param from the file that refers, for the first of the chain */
    readonly resolve: (find: FindDefinition, from: string, document: string) => FileRef | undefined;
  };
  /** Set where the path is a directory, of which several files may count. */
  readonly below?: FilesBelow;
}

/** What a name stands for, and the file that says so. */
export type FindDefinition = (id: string) => { readonly uri: string; readonly value: Requirement } | undefined;

/** Files in and below a directory that define something that is looked for. */
export interface FilesBelow {
  /** Matched against the path. */
  readonly matches: RegExp;
  /** Levels of folders, of those with built files, too; absent for all levels without those. */
  readonly depth?: number;
  /** What one of them has to define, without the kinds of ids; absent where that is what other files of the chain look for. */
  readonly names?: readonly string[];
}

/** `constraints` narrow requirements; the others give definitions. */
export type FileRefKind = 'include' | 'constraints' | 'parent' | 'workspace';

/** Something that a project is built for, as a target framework: whether a condition holds there; undefined if that is open. */
export type Environment = (condition: string) => boolean | undefined;

/** A kind of manifest: one row of the table in `ecosystems/manifest-formats.ts`. */
export interface ManifestFormat {
  /** Stable: `package.json`, `pom.xml`, `requirements.txt`. */
  readonly id: string;
  /** The system of its packages; `any` if they have several: an SBOM. */
  readonly system: System | 'any';
  /** Set if a tool writes the file as a record: it declares no requirements. */
  readonly record?: 'lockfile' | 'sbom';
  /** Matched against the path with `/`, from the root of the file system or workspace: `/(^|\/)pom\.xml$/`. */
  readonly files: RegExp;
  /** Language ids that only this format has: they identify a document without a file. */
  readonly languages?: readonly string[];
  /** The beginning of its text, if most files of the name are not manifests: `#:package` in C#. */
  readonly begins?: RegExp;
  /** What `begins` looks for may stand anywhere in the text: in the code of a build. */
  readonly beginsAnywhere?: true;
  /**
   * What the project is built for, none where that is not known: a value that applies in none of them does not count.
   * @param textsOf all that a definition may be, by its id; undefined if that is not known
   */
  readonly environments?: (textsOf: (id: string) => readonly string[] | undefined) => readonly Environment[];
  /** Never throws: a broken file is fewer dependencies and more problems. */
  readonly parse: (text: string) => Manifest;
  /**
   * Every place in a text where a definition is named, outside dependencies, too. Absent where dependencies and
   * definitions have all of them.
   */
  readonly uses?: (text: string, manifest: Manifest) => readonly DefinitionUse[];
  /** The files that define what is used outside dependencies; those that dependencies use are among `references`. */
  readonly usedFiles?: readonly FileRef[];
  /** How a name in one of `uses` is spelled there; as it is defined where this is absent. */
  readonly spellUse?: (name: string, use: WrittenUse) => string;
  /** Set for code, of which `uses` has only what its text alone tells. */
  readonly code?: Code;
  /** The names that it defines and people choose; absent without any. */
  readonly renaming?: Renaming;
}
