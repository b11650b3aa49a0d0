import { wayText, wayTitle } from '../../analysis/below/way-texts.ts';
import { affectedOf } from '../../analysis/below/ways-search.ts';
import { fixTo } from '../../analysis/fixes.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { positionsIn } from '../../formats/text/positions.ts';
import type { EvaluatedDependency } from '../../model/evaluated-dependency.ts';
import type { AffectedBelow, Below } from '../../model/graph/below.ts';
import { packageId } from '../../model/keys.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';
import { formatPurl } from '../../model/purl.ts';
import type { ReportedBelow } from '../report.ts';
import { reportAdvisories } from './advisories.ts';
import { relativePath } from './paths.ts';

/** The affected packages that a dependency brings, each with the way there and where its lockfile has it; the worst first. */
export function reportBelow(evaluated: EvaluatedDependency, snapshot: Snapshot, directory: string): ReportedBelow[] {
  const { below } = evaluated;
  const found = below && snapshot.lockfiles.find((it) => it.format.id === below.lockfile);
  if (below === undefined || found === undefined) return [];
  return affectedOf(evaluated).map((affected): ReportedBelow => {
    const { name, version } = affected.key;
    const region = regionIn(found, affected);
    return {
      name,
      version,
      purl: formatPurl(affected.key, version),
      path: pathOf(below, affected),
      lockfile: relativePath(found.directory + found.format.id, directory),
      ...(region && { region }),
      advisories: reportAdvisories(affected.advisories),
      ...waysOf(evaluated, below, affected, snapshot),
    };
  });
}

function pathOf({ graph }: Below, { path }: AffectedBelow): ReportedBelow['path'] {
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
  const id = packageId(key);
  const entry = lockfile.packages.find(
    (it) => packageId({ ...key, name: it.packageName ?? it.name }) === id && it.version.text === key.version,
  );
  if (entry === undefined) return undefined;
  const { start, end } = positionsIn(text).range(entry.version.span);
  return {
    startLine: start.line + 1,
    startColumn: start.character + 1,
    endLine: end.line + 1,
    endColumn: end.character + 1,
  };
}
