import type { RegistrySource } from '../registry.ts';
import type { System } from '../system.ts';
import type { Credential } from './credential.ts';

/** How a registry is asked. */
export type RegistryProtocol = 'npm' | 'simple-index' | 'maven' | 'nuget' | 'sparse-index' | 'go-proxy';

/** A registry that a package's own client asks for it. */
export interface AskedRegistry {
  readonly protocol: RegistryProtocol;
  /** `https://npm.acme.example/team`: without user, password, query and final slash. */
  readonly address: string;
  /** The label of the setting that names it, for people: `.npmrc`. */
  readonly from: string;
  /** Who names it. A workspace's word is worth less: see `Refusal`. */
  readonly namedBy: Owner;
  /** Absent if the client sends none. */
  readonly credential?: Credential;
  /** The next registry is asked after any failure, not only if this one does not have the package: `|` in GOPROXY. */
  readonly isOptional?: true;
  /** Why it must not be asked, though its client would. */
  readonly refusal?: Refusal;
  /** What its client takes from it; absent if it takes both. */
  readonly takes?: 'releases' | 'snapshots';
}

/** `machine`: the environment and the files of the person. `workspace`: files that anybody may have written. */
export type Owner = 'machine' | 'workspace';

/** A rule that keeps a registry from being asked. `from`: the label of the setting. */
export interface Refusal {
  readonly rule: RefusalRule;
  readonly from: string;
  /** What the rule found, for people, without any secret: the name of a variable, a host. */
  readonly detail?: string;
  /** What people add to their own settings so that it can be asked. */
  readonly add?: Addition;
}

/** A setting in a file of the person: `[registries.acme] index` in `~/.cargo/config.toml`. */
export interface Addition {
  readonly setting: string;
  readonly file: string;
}

export type RefusalRule =
  /** A file of the workspace names an environment variable, in an address or in a credential. */
  | 'variable-in-workspace'
  /** A file of the workspace names a loopback, link-local or metadata address, or a name that leads to one. */
  | 'inner-address'
  /** The workspace is not trusted, and only its files name the registry or the credential. */
  | 'untrusted'
  /** Only PATH leads to the file that names the registry or holds the credential. */
  | 'only-on-path'
  /** A credential would go over plain http to another machine than this one. */
  | 'plain-http'
  /**
   * A file of the workspace holds a credential for a registry that it does not name itself; or one of the machine is
   * kept for a name (`add` is set), and only the workspace gives this name the address.
   */
  | 'credential-of-another'
  /** The credential is encrypted, or a program that must not be started keeps it. */
  | 'unreadable-credential'
  /** Its client is told to work offline. */
  | 'offline'
  /** Not an address over http: an environment variable without a value, a shell command, `ssh://`. */
  | 'unusable-address';

/** The registries of one package, in the order of its client. */
export interface Access {
  readonly registries: readonly AskedRegistry[];
  /** `first`: the first one that has the package has all of its versions. `all`: their versions are joined. */
  readonly join: 'first' | 'all';
  /** Its client asks a public registry, too. The engine sets it: readers list public registries like all others. */
  readonly besidePublic?: true;
}

/** A text of settings, and whose it is. */
export interface AccessSource extends RegistrySource {
  readonly owner: Owner;
  /** The directory of a file of the workspace, as a URI; absent for the machine's. */
  readonly directory?: string;
}

/** The settings and credentials of this machine that only access needs, beside `MachineRegistries`. */
export interface MachineCredentials {
  /** Their names are in upper case, as readers expect. */
  readonly variables: readonly RegistrySource[];
  readonly files: readonly RegistrySource[];
  /** The value of an environment variable; undefined if it is not set. */
  readonly variable: (name: string) => string | undefined;
}

/** Reads them for a system. Never rejects. Called only while private registries are asked. */
export type ReadCredentials = (system: System) => Promise<MachineCredentials>;

/** The inputs of finding registries and credentials. */
export interface AccessInputs {
  /** Highest precedence first: the environment, the nearest file, the farthest, the machine's files. */
  readonly sources: readonly AccessSource[];
  /** A variable of the environment. Only for sources of the machine. */
  readonly variable: (name: string) => string | undefined;
  /** Whether the person trusts the workspace. */
  readonly isTrusted: boolean;
  /** The tools that the lockfiles beside the manifest belong to, by the lockfile's name: `pnpm-lock.yaml`. */
  readonly lockfiles: readonly string[];
}
