import type { Brief } from '../../server/src/features/brief.ts';
import type { System } from '../../server/src/model/system.ts';

/** What a package file is called in each system that has a look-up by digest, and how its name is told from its version. */
const files: readonly { readonly ends: RegExp; readonly system: System; readonly between: string }[] = [
  { ends: /\.[jw]ar$/i, system: 'MAVEN', between: '-' },
  { ends: /\.nupkg$/i, system: 'NUGET', between: '.' },
  { ends: /\.tgz$/i, system: 'NPM', between: '-' },
  { ends: /\.crate$/i, system: 'CARGO', between: '-' },
];

/**
 * The purl of what a file is most likely said to be: of the dependency whose name its own begins with, in the version
 * that it names, else in that of the dependency.
 *
 *     snakeyaml-1.30.jar, pkg:maven/org.yaml/snakeyaml@2.0  →  pkg:maven/org.yaml/snakeyaml@1.30
 */
export function claimOf(
  file: string,
  dependencies: readonly Pick<Brief, 'system' | 'name' | 'version' | 'purl'>[],
): string | undefined {
  const form = files.find((it) => it.ends.test(file));
  if (form === undefined) return undefined;
  const stem = file.replace(form.ends, '');
  let best: { readonly length: number; readonly purl: string } | undefined;
  for (const { system, name, version, purl } of dependencies) {
    // A name that was not looked up may be a private one.
    if (system !== form.system || version === undefined) continue;
    for (const called of calledIn(system, name.toLowerCase())) {
      if (called.length <= (best?.length ?? 0)) continue;
      const meant = versionIn(stem, called, form.between, version);
      if (meant === undefined) continue;
      best = { length: called.length, purl: `${purl.slice(0, purl.lastIndexOf('@'))}@${encodeURIComponent(meant)}` };
    }
  }
  return best?.purl;
}

/** `npm pack` writes the scope into a file's name, and registries leave it out; Maven leaves the group out. */
function calledIn(system: System, name: string): readonly string[] {
  if (system === 'MAVEN') return [name.slice(name.indexOf(':') + 1)];
  if (system !== 'NPM' || !name.startsWith('@')) return [name];
  return [name.slice(1).replace('/', '-'), name.slice(name.indexOf('/') + 1)];
}

/** @returns undefined where the file is of another package */
function versionIn(stem: string, called: string, between: string, known: string): string | undefined {
  const folded = stem.toLowerCase();
  if (folded === called) return known;
  if (!folded.startsWith(called + between)) return undefined;
  const rest = stem.slice(called.length + between.length);
  // A classifier stands behind the version: `1.30-sources`.
  if (`${rest}-`.toLowerCase().startsWith(`${known}-`.toLowerCase())) return known;
  return /^\d[\w.+-]*$/.test(rest) ? rest : undefined;
}
