import * as l10n from '@vscode/l10n';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { byText } from '../../base/text.ts';
import { positionsIn } from '../../formats/text/positions.ts';
import type { Registry } from '../../model/registry.ts';
import type { Span } from '../../model/span.ts';
import type { Subject } from '../../model/subject.ts';
import type { PrivateDependencies, SyntaxProblem } from '../report.ts';
import { relativePath } from './paths.ts';

/** The dependencies that the service did not hear of, by where they come from. */
export function privateDependenciesIn(subjects: readonly Subject[]): PrivateDependencies[] {
  const found = new Map<string, PrivateDependencies>();
  for (const { resolution } of subjects) {
    if (resolution.kind !== 'none' || resolution.withheld === undefined) continue;
    const { host, from, beside } = resolution.withheld;
    const origin = originOf(resolution.withheld);
    const count = (found.get(origin)?.count ?? 0) + 1;
    found.set(origin, {
      origin,
      ...(host !== undefined && { host }),
      ...(from !== undefined && { from }),
      ...(beside && { beside }),
      ...(resolution.isPublicUnsaid && { isPublicUnsaid: true }),
      count,
    });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || byText(a.origin, b.origin));
}

function originOf({ host, from, beside, unreadable }: Registry): string {
  if (from !== undefined && unreadable) return l10n.t('a registry that {0} may name, which cannot be read', from);
  if (host === undefined) {
    return from === undefined ? l10n.t('a registry of their own') : l10n.t('what {0} says is private', from);
  }
  if (from === undefined) return l10n.t('the registry {0}', host);
  return beside
    ? l10n.t('the registry {0} or another ({1})', host, from)
    : l10n.t('the registry {0} ({1})', host, from);
}

/** The manifests of which not all is understood, by path. */
export function syntaxProblemsIn(snapshots: readonly Snapshot[], directory: string): SyntaxProblem[] {
  const found = new Map<string, SyntaxProblem>();
  for (const { chain, texts } of snapshots) {
    // What a file includes is a part of it, and need not be a manifest by its own name.
    const read = [...chain.files.slice(0, 1), ...chain.included];
    const broken = read.flatMap(({ uri, manifest: { problems } }) =>
      problems.slice(0, 1).map(({ span }) => ({ uri, span })),
    );
    for (const { uri, span } of chain.cut ? [...broken, chain.cut] : broken) {
      const path = relativePath(uri, directory);
      if (!found.has(path)) found.set(path, { path, line: lineOf(texts.get(uri), span) });
    }
  }
  return [...found.values()].sort((a, b) => byText(a.path, b.path));
}

/**
 * The line, from 1 on, from which a manifest's own text makes no sense to its reader, which may have missed dependencies
 * there; undefined where all of it is understood.
 */
export function firstProblemLine({ uri, chain, texts }: Snapshot): number | undefined {
  const problem = chain.files[0]?.manifest.problems[0];
  return problem && lineOf(texts.get(uri), problem.span);
}

function lineOf(text: string | undefined, { start }: Span): number {
  return positionsIn(text ?? '').at(start).line + 1;
}
