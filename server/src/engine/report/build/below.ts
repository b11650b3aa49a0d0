import { wayText, wayTitle } from '../../analysis/below/way-texts.ts';
import { affectedOf } from '../../analysis/below/ways-search.ts';
import { fixTo } from '../../analysis/fixes.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { type Positions, positionsIn } from '../../formats/text/positions.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { AffectedBelow, Below } from '../../model/graph/below.ts';
import type { LockedGraph } from '../../model/graph/locked-graph.ts';
import { versionId } from '../../model/keys.ts';
import type { Lockfile } from '../../model/lockfile.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';
import { formatPurl } from '../../model/purl.ts';
import type { Span } from '../../model/span.ts';
import type { System } from '../../model/system.ts';
import type { ReportedBelow } from '../report.ts';
import { reportAdvisories } from './advisories.ts';
import { relativePath } from './paths.ts';

/** The affected packages that a dependency brings, each with the way there and where its lockfile has it; the worst first. */
export function reportBelow(evaluated: EvaluatedDependency, snapshot: Snapshot, directory: string): ReportedBelow[] {
  const { below } = evaluated;
  const found = below && snapshot.lockfiles.find((it) => it.format.id === below.lockfile);
  if (below === undefined || found === undefined) return [];
  const all = affectedOf(evaluated);
  const paths = below.pathsTo(all);
  return all.map((affected, at): ReportedBelow => {
    const { name, version } = affected.key;
    const region = regionIn(found, affected);
    return {
      name,
      version,
      purl: formatPurl(affected.key, version),
      path: releasesOn(below.graph, paths[at] ?? []),
      lockfile: relativePath(found.directory + found.format.id, directory),
      ...(region && { region }),
      advisories: reportAdvisories(affected.advisories),
      ...waysOf(evaluated, below, affected, snapshot),
    };
  });
}

export function releasesOn(graph: LockedGraph, path: readonly number[]): ReportedBelow['path'] {
  return path.map((it) => ({ name: graph.nodes[it]?.name ?? '', version: graph.nodes[it]?.version ?? '' }));
}

/** Only those that were searched. */
function waysOf(
  evaluated: EvaluatedDependency,
  { lockfile }: Below,
  affected: AffectedBelow,
  { findWaysOut }: Snapshot,
): Pick<ReportedBelow, 'ways' | 'withoutWay'> {
  const { ways, reason, isSearching } = findWaysOut(evaluated, affected);
  if (isSearching) return {};
  const { name } = evaluated.linked.dependency;
  return {
    ways: ways
      .filter((it) => it.kind !== 'direct' || fixTo(evaluated, it.version).move.ok)
      .map((it) => ({
        kind: it.kind,
        version: it.kind === 'direct' ? it.version : it.wanted,
        title: wayTitle(it, affected, name),
        text: wayText(it, affected, name, lockfile),
        ...(it.kind === 'lock' && { command: it.command }),
      })),
    ...(reason !== undefined && { withoutWay: reason }),
  };
}

function regionIn({ lockfile, text }: FoundLockfile, { key }: AffectedBelow): ReportedBelow['region'] {
  const { spans, positions } = placesOf(lockfile, text, key.system);
  const span = spans.get(versionId(key));
  if (span === undefined) return undefined;
  const { start, end } = positions.range(span);
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}

/** Where a lockfile has the version of each package. */
interface Places {
  readonly spans: ReadonlyMap<string, Span>;
  readonly positions: Positions;
}

/** Made once for each lockfile: several manifests and hundreds of dependencies share one. */
const places = new WeakMap<Lockfile, Places>();

function placesOf(lockfile: Lockfile, text: string, system: System): Places {
  const known = places.get(lockfile);
  if (known) return known;
  const spans = new Map<string, Span>();
  for (const { name, packageName = name, version } of lockfile.packages) {
    const id = versionId({ system, name: packageName, version: version.text });
    if (!spans.has(id)) spans.set(id, version.span);
  }
  const made = { spans, positions: positionsIn(text) };
  places.set(lockfile, made);
  return made;
}
