import { addTo } from '../../base/collections.ts';
import type { LockedAlternative } from '../../model/lockfile.ts';
import type { Dependency } from '../../model/manifest.ts';
import { frameworkName, meantBy } from './msbuild-conditions.ts';
import { nuget } from './versions.ts';

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
  locked(dependency: Dependency): string | undefined {
    const found = this.#versionsOf(dependency);
    const range = rangeOf(dependency);
    return (found.find(({ version }) => range !== undefined && nuget.keeps(version, range)) ?? found[0])?.version;
  }

  /** Several where frameworks have different versions, none of which is the very one that is required. */
  alternatives(dependency: Dependency): readonly LockedAlternative[] {
    const found = this.#versionsOf(dependency);
    if (found.length < 2) return found;
    const range = rangeOf(dependency);
    if (range === undefined) return found;
    const kept = found.filter(({ version }) => nuget.keeps(version, range));
    const exact = kept.filter(({ version }) => version === range);
    return exact.length > 0 ? exact : kept;
  }

  /** Each version once, with the frameworks that have it. */
  #versionsOf({ key, condition = '' }: Dependency): readonly LockedAlternative[] {
    const frameworks = new Map<string, string[]>();
    for (const [framework, versions] of meantBy(condition, [...this.#all], ([it]) => it)) {
      const version = versions.get(key.name);
      if (version !== undefined) addTo(frameworks, version, framework);
    }
    return [...frameworks].map(([version, names]) => ({
      version,
      condition: names.map((it) => `'$(TargetFramework)' == '${it}'`).join(' or '),
    }));
  }
}

function rangeOf({ requirement }: Dependency): string | undefined {
  if (requirement.kind === 'literal') return requirement.at.text;
  return requirement.kind === 'template' && typeof requirement.parts[0] === 'string' ? requirement.parts[0] : undefined;
}
