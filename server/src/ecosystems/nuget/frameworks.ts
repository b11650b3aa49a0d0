import type { Dependency } from '../../model/manifest.ts';
import { frameworkName, meantBy } from './msbuild-conditions.ts';

/** A project has a handful of frameworks. Each is compared with each condition. */
const MAX_FRAMEWORKS = 100;
/** In characters. The name of a framework has some ten. */
const MAX_FRAMEWORK_LENGTH = 100;

/** The versions that a project was restored with, by target framework, and by the name of the package in lower case. */
export class LockedFrameworks {
  readonly #all = new Map<string, Map<string, string>>();
  #current = new Map<string, string>();

  /** Begins the packages of a framework, as the lockfile spells it. */
  begin(framework = ''): void {
    const name = frameworkName(framework);
    this.#current = this.#all.get(name) ?? new Map<string, string>();
    if (this.#all.size < MAX_FRAMEWORKS && name.length <= MAX_FRAMEWORK_LENGTH) this.#all.set(name, this.#current);
  }

  /** Adds a package of the framework that began last. */
  add(name: string, version: string): void {
    this.#current.set(name.toLowerCase(), version);
  }

  /** The version for one of the frameworks that the condition names, else the first of all. */
  locked({ key, condition = '' }: Dependency): string | undefined {
    const all = [...this.#all];
    for (const [, versions] of meantBy(condition, all, ([it]) => it)) {
      const version = versions.get(key.name);
      if (version !== undefined) return version;
    }
    return undefined;
  }
}
