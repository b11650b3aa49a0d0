import { posix, win32 } from 'node:path';
import type { RegistrySource } from '../engine/model/registry.ts';

/** A settings file of a tool. Readers recognize it by its name. */
export interface MachinePlace {
  readonly name: string;
  /** An asterisk matches the entries of a directory. */
  readonly path: string;
  /** Who names it, where that is not the person. */
  readonly foundIn?: RegistrySource['foundIn'];
}

/** The folders of a machine in which tools look for their settings. */
export class MachineRoots {
  readonly isWindows: boolean;
  readonly homes: readonly string[];
  /** Where the platform wants settings of a person, and where many tools have them on each. */
  readonly config: readonly string[];
  readonly dotConfig: readonly string[];
  /** Those for everybody. */
  readonly shared: readonly string[];
  readonly everyone: readonly string[];
  readonly cargo: readonly string[];
  readonly #values: ReadonlyMap<string, string | undefined>;

  constructor(environment: Readonly<NodeJS.ProcessEnv>, platform: NodeJS.Platform, home: string) {
    // The first of two that differ in case counts.
    this.#values = new Map(
      Object.entries(environment)
        .reverse()
        .map(([key, value]) => [key.toLowerCase(), value]),
    );
    this.isWindows = platform === 'win32';
    this.homes = home === '' ? [] : [home];
    this.dotConfig = this.below(this.homes, '.config');
    const isMac = platform === 'darwin';
    this.config = this.isWindows
      ? this.of('APPDATA')
      : isMac
        ? this.below(this.homes, 'Library', 'Application Support')
        : [...this.of('XDG_CONFIG_HOME'), ...this.dotConfig];
    this.shared = this.isWindows ? this.of('ProgramData') : ['/etc'];
    const directories = this.of('XDG_CONFIG_DIRS').flatMap((it) => it.split(':').filter(posix.isAbsolute));
    this.everyone = this.isWindows ? [] : [...directories, isMac ? '/Library/Application Support' : '/etc/xdg'];
    this.cargo = [...this.of('CARGO_HOME'), ...this.below(this.homes, '.cargo')];
  }

  /** The values of variables, whatever the case of their names. */
  readonly of = (...names: readonly string[]): string[] =>
    names.flatMap((it) => this.#values.get(it.toLowerCase()) || []);

  readonly below = (folders: readonly string[], ...path: readonly string[]): string[] =>
    folders.map((it) => (this.isWindows ? win32 : posix).join(it, ...path));

  /** Files with a name that selects their syntax. */
  readonly at = (folders: readonly string[], name: string, ...path: readonly string[]): MachinePlace[] =>
    this.below(folders, ...path, name).map((it) => ({ name, path: it }));
}
