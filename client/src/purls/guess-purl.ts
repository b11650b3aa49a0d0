import type { DependencySummary } from '../../../server/src/editor/requests/summary.ts';
import type { System } from '../../../server/src/engine/model/system.ts';

/** The file names of packages in each system with lookups by digest. */
const forms: readonly {
  readonly ends: RegExp;
  readonly system: System;
  /** The separator of name and version. */
  readonly between: string;
  /** Splits the file name without further knowledge. Absent for Maven, whose file names lack the group. */
  readonly alone?: RegExp;
}[] = [
  { ends: /\.[aejw]ar$/i, system: 'MAVEN', between: '-' },
  { ends: /\.nupkg$/i, system: 'NUGET', between: '.', alone: /^([\w.-]+?)\.(\d+(?:\.\d+){1,3}(?:[-+].+)?)$/ },
  { ends: /\.tgz$/i, system: 'NPM', between: '-', alone: /^([\w.-]+?)-(\d+\.\d+\.\d+(?:[-+].+)?)$/ },
  { ends: /\.crate$/i, system: 'CARGO', between: '-', alone: /^([\w-]+?)-(\d+\.\d+\.\d+(?:[-+].+)?)$/ },
];

/**
 * Guesses the purl of a file: the dependency whose name begins the file name, in the version of the file name, else of
 * the dependency; else from its place in a repository, or from its name only.
 *
 *     snakeyaml-1.30.jar, pkg:maven/org.yaml/snakeyaml@2.0  →  pkg:maven/org.yaml/snakeyaml@1.30
 *     regex-1.5.4.crate                                     →  pkg:cargo/regex@1.5.4
 *
 * @param path of the file, with `/`
 */
export function guessPurl(
  path: string,
  dependencies: readonly Pick<DependencySummary, 'system' | 'name' | 'version' | 'purl'>[],
): string | undefined {
  const file = path.slice(path.lastIndexOf('/') + 1);
  const form = forms.find((it) => it.ends.test(file));
  if (form === undefined) return undefined;
  // Browsers number downloads of the same name: `left-pad-1.3.0 (1).tgz`.
  const stem = file.replace(form.ends, '').replace(/ ?\(\d{1,4}\)$/, '');
  let best: { readonly length: number; readonly purl: string | undefined } | undefined;
  for (const { system, name, version, purl } of dependencies) {
    if (system !== form.system) continue;
    for (const called of calledIn(system, name.toLowerCase())) {
      if (called.length <= (best?.length ?? 0)) continue;
      const meant = versionIn(stem, called, form.between, version);
      if (meant === undefined) continue;
      // A name that was not looked up may be a private one.
      const known = version === undefined ? undefined : withVersion(purl.slice(0, purl.lastIndexOf('@')), meant);
      best = { length: called.length, purl: known };
    }
  }
  if (best) return best.purl;
  const [, name, version] = form.alone?.exec(stem) ?? [];
  if (name === undefined || version === undefined)
    return form.system === 'MAVEN' ? inRepository(path, stem) : undefined;
  return withVersion(`pkg:${form.system.toLowerCase()}/${name}`, version);
}

function withVersion(purl: string, version: string): string {
  return `${purl}@${encodeURIComponent(version)}`;
}

/**
 * The names of a package in file names: `npm pack` includes the scope and registries omit it; Maven omits the group.
 */
function calledIn(system: System, name: string): readonly string[] {
  if (system === 'MAVEN') return [name.slice(name.indexOf(':') + 1)];
  if (system !== 'NPM' || !name.startsWith('@')) return [name];
  return [name.slice(1).replace('/', '-'), name.slice(name.indexOf('/') + 1)];
}

/** @returns undefined where the file is of another package */
function versionIn(stem: string, called: string, between: string, known = ''): string | undefined {
  const folded = stem.toLowerCase();
  if (folded === called) return known;
  if (!folded.startsWith(called + between)) return undefined;
  const rest = stem.slice(called.length + between.length);
  // A classifier follows the version: `1.30-sources`.
  if (known !== '' && `${rest}-`.toLowerCase().startsWith(`${known}-`.toLowerCase())) return known;
  return /^\d[\w.+-]*$/.test(rest) ? rest : undefined;
}

/**
 * Reads the purl from the path of a file in the repositories of Maven and Gradle:
 *
 *     ~/.m2/repository/org/yaml/snakeyaml/1.33/snakeyaml-1.33.jar
 *     ~/.gradle/caches/modules-2/files-2.1/org.yaml/snakeyaml/1.33/e81f…/snakeyaml-1.33.jar
 */
function inRepository(path: string, stem: string): string | undefined {
  const folders = path.split('/').slice(0, -1);
  const isGradle = folders.at(-5) === 'files-2.1';
  const [artifact = '', version = ''] = isGradle ? folders.slice(-3) : folders.slice(-2);
  const group = isGradle ? folders.slice(-4, -3) : folders.slice(folders.lastIndexOf('repository') + 1, -2);
  const isThere = isGradle || folders.includes('repository');
  if (!isThere || group.length === 0 || !`${stem}-`.startsWith(`${artifact}-${version}-`)) return undefined;
  return withVersion(`pkg:maven/${group.join('.')}/${artifact}`, version);
}
