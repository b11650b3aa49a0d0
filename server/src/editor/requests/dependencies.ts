import * as l10n from '@vscode/l10n';
import type { Position, Range } from 'vscode-languageserver';
import { settle } from '../../engine/analysis/settle.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { verdictOf } from '../../engine/analysis/verdict.ts';
import { targetNotes } from '../../engine/analysis/verdict-text.ts';
import { oneLine } from '../../engine/base/text.ts';
import { nameOf } from '../../engine/base/uri.ts';
import { type EvaluatedDependency, isAssumed, isPending } from '../../engine/model/evaluated-dependency.ts';
import { readInsight, type Wanted } from '../../engine/model/ports.ts';
import type { Span } from '../../engine/model/span.ts';
import { signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { factsOfTargets } from '../features/commands.ts';
import { dependencyAt } from '../features/cursor.ts';
import { fieldsIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';
import { type BringsAnswer, bringsOf } from './brought.ts';
import { type DependencySummary, summaryOf } from './summary.ts';

export interface DependenciesParams {
  readonly textDocument: { readonly uri: string };
  /** Without it all dependencies are returned. */
  readonly position?: Position;
}

export interface DependenciesAnswer {
  /** Id of the manifest's format, `package.json`; absent if the document is not an open manifest. */
  readonly format?: string;
  readonly subjects: readonly DependencyAnswer[];
}

/** A dependency with its range and known facts. */
export interface DependencyAnswer extends DependencySummary {
  /** The range of its requirement, or of its name without one. */
  readonly range: Range;
  /** The section of the file: `devDependencies`. */
  readonly group?: string;
  /** Where the version comes from: `package-lock.json`. Absent without a version. */
  readonly source?: string;
  /** The dependency, for commands that change it. */
  readonly place: { readonly uri: string; readonly offset: number; readonly name: string };
  /** The versions that it can move to, in the order of their offers. Empty for records, which only tools change. */
  readonly targets: readonly TargetAnswer[];
  /** What it brings along by its lockfile. Of a single dependency alone. */
  readonly brings?: BringsAnswer;
  /** Set while facts are still requested. */
  readonly isPending?: true;
}

export interface TargetAnswer {
  readonly version: string;
  /** What happens with the move, as plain texts: `patch`, `fixes all 3 advisories`. */
  readonly notes: readonly string[];
}

/** The dependencies of an open manifest, or the one at a position or alone on its line. */
export const dependenciesRequest: OwnRequest<DependenciesParams, DependenciesAnswer> = {
  method: 'packageInsights/subjects',
  read(params) {
    const { textDocument, position } = fieldsIn(params);
    const { uri } = fieldsIn(textDocument);
    const { line, character } = fieldsIn(position);
    if (typeof uri !== 'string') return undefined;
    if (position === undefined) return { textDocument: { uri } };
    if (typeof line !== 'number' || typeof character !== 'number') return undefined;
    return { textDocument: { uri }, position: { line, character } };
  },
  async answer({ textDocument: { uri }, position }, server, token) {
    const snapshot = await awaitDependency(uri, position, server.engine, signalOf(token));
    if (snapshot === undefined) return { subjects: [] };
    const positions = server.engine.contextFor(snapshot).positions(uri);
    const subjects = requestedDependencies(snapshot, position, server.engine).map((it) => {
      const { uri, span, dependency } = it.linked;
      const source = sourceOf(it);
      const brings = position === undefined ? undefined : bringsOf(it, snapshot, server);
      return {
        ...summaryOf(it),
        range: positions.range(span),
        ...(dependency.group !== undefined && { group: dependency.group }),
        ...(source !== undefined && { source }),
        place: { uri, offset: span.start, name: dependency.name },
        targets: targetsOf(it),
        ...(brings !== undefined && { brings }),
        ...((position === undefined ? isPending(it) : isIncomplete(it, server.engine)) &&
          ({ isPending: true } as const)),
      };
    });
    return { format: snapshot.format.id, subjects };
  },
};

/** The lockfile, or how the manifest names the version. */
function sourceOf({ resolution, linked }: EvaluatedDependency): string | undefined {
  if (resolution.kind !== 'version') return undefined;
  const { requirement } = linked;
  switch (resolution.from) {
    case 'lockfile':
      return oneLine(resolution.lockfile ?? l10n.t('lockfile'));
    case 'range':
      return l10n.t('from the range');
    case 'pin': {
      const managed = requirement.kind === 'text' ? requirement.managedBy : undefined;
      if (managed === undefined) return oneLine(nameOf(linked.uri));
      const { name, version } = managed.key;
      return oneLine(
        isAssumed(managed)
          ? l10n.t('assumed to be managed by {0} {1}', name, version)
          : l10n.t('managed by {0} {1}', name, version),
      );
    }
  }
}

function targetsOf(evaluated: EvaluatedDependency): readonly TargetAnswer[] {
  if (evaluated.linked.isRecorded) return [];
  const verdict = verdictOf(evaluated);
  return verdict.targets.map((it) => ({
    version: oneLine(it.version),
    notes: targetNotes(evaluated, it).map((note) => oneLine(note)),
  }));
}

/** How long to wait for a single dependency, in ms. */
const TIMEOUT_MS = 2000;

/** Owns the facts of the targets of the last single dependency. */
const OWNER = 'subjects';

/** The snapshot when the dependency at the position is no longer pending, nor are its targets. */
async function awaitDependency(
  uri: string,
  position: Position | undefined,
  engine: Engine,
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const { workspace, insights, clock } = engine;
  const until = clock.now() + TIMEOUT_MS;
  const requested = (snapshot: Snapshot | undefined): readonly EvaluatedDependency[] =>
    position === undefined || snapshot === undefined ? [] : requestedDependencies(snapshot, position, engine);
  return settle(
    () => workspace.snapshot(uri),
    (it) => (requested(it).some((one) => isIncomplete(one, engine)) && !signal.aborted ? until - clock.now() : 0),
    async (ms, snapshot) => {
      insights.request(OWNER, requested(snapshot).flatMap(factsToChoose));
      await Promise.all([insights.whenSettled(OWNER, ms, signal), insights.whenSettled(uri, ms, signal)]);
      await workspace.reevaluate(uri);
    },
  );
}

/** The versions of the package, and what is known of those that it can move to. */
function factsToChoose(evaluated: EvaluatedDependency): readonly Wanted[] {
  const { linked, resolution } = evaluated;
  // Without a version, its name may be private.
  if (resolution.kind !== 'version' || linked.isRecorded) return [];
  return [{ kind: 'package', key: linked.key }, ...factsOfTargets(evaluated)];
}

function isIncomplete(evaluated: EvaluatedDependency, { insights }: Engine): boolean {
  return isPending(evaluated) || factsToChoose(evaluated).some((it) => readInsight(insights, it).state === 'pending');
}

/** The dependency at the position, or the only one of its line. */
function requestedDependencies(
  snapshot: Snapshot,
  position: Position | undefined,
  engine: Engine,
): readonly EvaluatedDependency[] {
  const { dependencies, uri } = snapshot;
  if (position === undefined) return dependencies;
  const positions = engine.contextFor(snapshot).positions(uri);
  const found = dependencyAt(snapshot, positions.offset(position));
  if (found) return [found.evaluated];
  const start = positions.offset({ line: position.line, character: 0 });
  const end = positions.offset({ line: position.line + 1, character: 0 });
  const isHere = (it: Span): boolean => it.start >= start && it.end < end;
  const here = dependencies.filter(({ linked }) => isHere(linked.span) || isHere(linked.dependency.nameSpan));
  return here.length === 1 ? here : [];
}
