import { isRecord } from '../../../base/text.ts';
import { ownOf, readPlainRecord, recordAt } from '../../../formats/json/plain.ts';
import type { LockedGraph } from '../../../model/graph/locked-graph.ts';
import type { Dependency } from '../../../model/manifest.ts';
import { GraphBuilder } from '../../shared/graph-builder.ts';
import { platformOf } from '../platform.ts';
import { npm } from '../versions.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The packages of npm, by name and version, and what they require of each other:
 *
 *     2, 3:  "chalk@4.1.2": { "dependencies": { "ansi-styles": "ansi-styles@4.3.0" } }
 *     4, 5:  "chalk@4.1.2": { "dependencies": ["ansi-styles", "color@2.0.1", "alias@npm:lodash@3.10.1"] }
 *
 * The later versions leave out the version where there is one only.
 */
export function denoGraph(
  text: string,
  locked: (dependency: Dependency, importer: string) => string | undefined,
): LockedGraph {
  const { root, isBroken, packages, specifiers } = readDenoLock(text);
  const builder = new GraphBuilder('NPM');
  if (isBroken) builder.break();
  const nodes = new Map<string, number>();
  const byName = new Map<string, number>();
  const entries = Object.entries(packages).filter((it): it is [string, Json] => isRecord(it[1]));
  for (const [key, entry] of entries) {
    const [, name, version = ''] = /^((?:@[^@/]+\/)?[^@/]+)@([^_]*)/.exec(key.slice(0, MAX_KEY_LENGTH)) ?? [];
    if (name === undefined || npm.read(version).kind !== 'pin') continue;
    const registry = typeof entry.tarball === 'string' ? entry.tarball : undefined;
    const node = builder.node({ name, version, registry, condition: platformOf(entry) });
    nodes.set(key, node);
    byName.set(name, node);
  }
  for (const [key, entry] of entries) {
    const from = nodes.get(key);
    if (from === undefined) continue;
    const optionalPeers = namesIn(entry.optionalPeers);
    // They are among the dependencies, too.
    for (const it of namesIn(entry.dependencies))
      if (!optionalPeers.includes(it)) builder.edge(from, resolve(it), 'runtime');
    for (const it of namesIn(entry.optionalDependencies)) builder.edge(from, resolve(it), 'optional');
    for (const it of optionalPeers) builder.edge(from, resolve(it), 'optionalPeer');
  }
  readWorkspace('', recordAt(root, 'workspace'));
  for (const [directory, member] of Object.entries(recordAt(recordAt(root, 'workspace'), 'members'))) {
    if (isRecord(member)) readWorkspace(directory, member);
  }
  return builder.build({ locked });

  function resolve(written: string): number | undefined {
    const alias = written.indexOf('@npm:');
    const id = alias > 0 ? written.slice(alias + '@npm:'.length) : written.replace(/^npm:/, '');
    return nodes.get(id) ?? byName.get(id);
  }

  function readWorkspace(directory: string, workspace: Json): void {
    const own = namesIn(workspace.dependencies);
    const ofPackageJson = namesIn(recordAt(workspace, 'packageJson').dependencies);
    for (const specifier of [...own, ...ofPackageJson]) {
      const name = /^npm:((?:@[^@/]+\/)?[^@/]+)/.exec(specifier)?.[1];
      const version = ownOf(specifiers, specifier);
      if (name === undefined || typeof version !== 'string') continue;
      builder.root(
        directory,
        name,
        'runtime',
        nodes.get(version.replace(/^npm:/, '')) ?? nodes.get(`${name}@${version}`),
      );
    }
  }
}

/** The packages of npm and the requirements in any version. */
export function readDenoLock(text: string) {
  const { root, isBroken } = readPlainRecord(text);
  const older = recordAt(root, 'packages');
  const npmSection = recordAt(root, 'npm');
  const versions2 = recordAt(npmSection, 'packages');
  const packages = [versions2, recordAt(older, 'npm'), npmSection].find((it) => Object.keys(it).length > 0) ?? {};
  const specifiers = {
    ...recordAt(npmSection, 'specifiers'),
    ...recordAt(older, 'specifiers'),
    ...recordAt(root, 'specifiers'),
  };
  return { root, isBroken, packages, specifiers };
}

/** In characters. A key that lists many peers is longer, but its name and version come first. */
const MAX_KEY_LENGTH = 1000;

function namesIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return all.filter((it) => typeof it === 'string');
}
