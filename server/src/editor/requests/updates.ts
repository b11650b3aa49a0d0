import * as l10n from '@vscode/l10n';
import type { CancellationToken, ChangeAnnotation, ProgressToken, WorkspaceEdit } from 'vscode-languageserver';
import { settle } from '../../engine/analysis/settle.ts';
import { type Snapshot, updatableIn } from '../../engine/analysis/snapshot.ts';
import {
  type Change,
  factsOfSharing,
  planUpdates,
  type UpdatePlan,
  type UpdateScope,
  updateScopes,
} from '../../engine/analysis/update-plan.ts';
import { targetNotes } from '../../engine/analysis/verdict-text.ts';
import { groupBy } from '../../engine/base/collections.ts';
import { oneLine } from '../../engine/base/text.ts';
import { nameOf } from '../../engine/base/uri.ts';
import { type EvaluatedDependency, isPending, placeOf } from '../../engine/model/evaluated-dependency.ts';
import { type ConnectedInsights, readInsight, type Wanted, wantedId } from '../../engine/model/ports.ts';
import { scanBeside } from '../../engine/report/folders.ts';
import { remembering } from '../../engine/report/scan/scan.ts';
import { signalOf } from '../dispatch.ts';
import type { OwnRequest } from '../extension.ts';
import { factsOfTargets } from '../features/commands.ts';
import { definitionsIn, dependenciesIn, lineAt } from '../features/cursor.ts';
import { toWorkspaceEdit } from '../features/workspace-edit.ts';
import { fieldsIn, textIn } from '../params.ts';
import type { Engine } from '../state/engine.ts';
import type { ServerState } from '../state/server-state.ts';
import { beginProgress, ofScan, tokenIn } from '../util/progress.ts';

export interface UpdatesParams {
  readonly scope: UpdateScope;
  /** An open manifest; absent for all manifests of the workspace folders. */
  readonly textDocument?: { readonly uri: string };
  /** Only what this line of the manifest declares or defines. */
  readonly line?: number;
  /** The token for `$/progress`. */
  readonly workDoneToken?: ProgressToken;
}

export interface UpdatesAnswer {
  /** Absent if nothing is to be updated. Where the client supports it, each change needs a confirmation. */
  readonly edit?: WorkspaceEdit;
  /** Number of changes in the edit. */
  readonly changes: number;
  /** What is not updated, by its reason. */
  readonly left: readonly LeftUpdates[];
}

export interface LeftUpdates {
  /** A clause: `no fixed version`. */
  readonly reason: string;
  readonly names: readonly string[];
  readonly places: readonly LeftPlace[];
}

export interface LeftPlace {
  /** `request 2.88.2`; absent for a file that could not be read. */
  readonly name?: string;
  readonly uri: string;
  /** From 0. */
  readonly line?: number;
}

/** What an update of everything would change. Changes nothing by itself; null after a cancellation. */
export const updatesRequest: OwnRequest<UpdatesParams, UpdatesAnswer | null> = {
  method: 'packageInsights/updates',
  isHeavy: true,
  read(params) {
    const { scope: given, textDocument, line } = fieldsIn(params);
    const scope = updateScopes.find((it) => it === given);
    const uri = textIn(textDocument, 'uri');
    if (scope === undefined || (textDocument !== undefined && uri === undefined)) return undefined;
    if (line !== undefined && (typeof line !== 'number' || uri === undefined)) return undefined;
    return {
      ...{ scope, ...(uri !== undefined && { textDocument: { uri } }) },
      ...(line !== undefined && { line }),
      ...tokenIn(params),
    };
  },
  async answer({ scope, textDocument, line, workDoneToken }, server, token) {
    const { snapshots, unread } = textDocument
      ? { snapshots: await awaitDocument(textDocument.uri, scope, server, token, workDoneToken), unread: [] }
      : await awaitFolders(scope, server, token, workDoneToken);
    if (token.isCancellationRequested) return null;
    const all = snapshots.flatMap((it) => (textDocument ? updatableIn(it) : it.dependencies));
    // All files of the workspace are updated together; beside one of them, others may share its versions.
    const [only] = textDocument ? snapshots : [];
    const dependents = only && (await server.engine.workspace.dependents(only, only.dependencies));
    const whole = planUpdates(all, scope, server.engine.insights, dependents);
    const plan = only && line !== undefined ? planOfLine(whole, line, only, server.engine) : whole;
    return {
      ...(plan.changes.length > 0 && { edit: confirmedEdit(plan, snapshots, server) }),
      changes: plan.changes.length,
      left: leftUpdates(plan, unread, snapshots, server.engine),
    };
  },
};

/** What a line declares or defines moves as in an update of the whole file: others may share its version. */
function planOfLine({ changes, left }: UpdatePlan, line: number, snapshot: Snapshot, engine: Engine): UpdatePlan {
  const at = lineAt(line, snapshot, engine.contextFor(snapshot).positions(snapshot.uri));
  const here = [...dependenciesIn(snapshot, at), ...definitionsIn(snapshot, at)];
  const places = here.flatMap(({ linked }) => placeOf(linked) ?? []);
  const isHere = ({ edit, fix }: Change): boolean =>
    here.includes(fix.evaluated) || places.some((it) => it.uri === edit.uri && it.at.span.start === edit.span.start);
  return { changes: changes.filter(isHere), left: left.filter((it) => here.includes(it.evaluated)) };
}

function leftUpdates(
  { left }: UpdatePlan,
  unread: readonly string[],
  snapshots: readonly Snapshot[],
  engine: Engine,
): readonly LeftUpdates[] {
  const owners = new Map(snapshots.flatMap((it) => updatableIn(it).map((evaluated) => [evaluated, it] as const)));
  const all = left.map(({ evaluated, reason }) => {
    const { uri, span, dependency } = evaluated.linked;
    const { resolution } = evaluated;
    const owner = owners.get(evaluated);
    const line = owner && engine.contextFor(owner).positions(uri).at(span.start).line;
    const version = resolution.kind === 'version' ? ` ${resolution.version}` : '';
    const place: LeftPlace = {
      name: oneLine(`${dependency.name}${version}`),
      uri,
      ...(line !== undefined && { line }),
    };
    return { reason: oneLine(reason), name: oneLine(dependency.name), place };
  });
  const files = unread.map((uri) => {
    const place: LeftPlace = { uri };
    return { reason: l10n.t('not readable'), name: nameOf(uri), place };
  });
  const byReason = groupBy([...all, ...files], (it) => it.reason);
  return [...byReason].map(([reason, entries]) => ({
    reason,
    names: [...new Set(entries.map((it) => it.name))],
    places: entries.map((it) => it.place),
  }));
}

/** As in the terminal, in ms. */
const TIMEOUT_MS = 120_000;

/** The snapshot of an open manifest once the facts of all targets in scope are known, or the time is up. */
export async function awaitDocument(
  uri: string,
  scope: UpdateScope,
  { client, engine }: ServerState,
  token: CancellationToken,
  workDoneToken?: ProgressToken,
): Promise<readonly Snapshot[]> {
  const { workspace, insights, clock } = engine;
  const owner = `updates ${uri}`;
  const signal = signalOf(token);
  const until = clock.now() + TIMEOUT_MS;
  const progress = beginProgress(l10n.t('Looking for updates'), workDoneToken, client);
  let snapshot = await workspace.snapshot(uri);
  try {
    await settle(
      async () => {
        snapshot = (await workspace.reevaluate(uri)) ?? (await workspace.snapshot(uri));
        const wanted = wantedFor(snapshot?.dependencies ?? [], scope, insights);
        const missing = wanted.filter((it) => readInsight(insights, it).state === 'pending').length;
        const done = wanted.length - missing;
        progress.report(done, wanted.length, l10n.t('{0} of {1} looked up', done, wanted.length));
        return { wanted, isMissing: missing > 0, isUnsettled: snapshot?.dependencies.some(isPending) === true };
      },
      ({ isMissing, isUnsettled }) => ((isMissing || isUnsettled) && !signal.aborted ? until - clock.now() : 0),
      async (ms, { wanted, isMissing }) => {
        insights.request(owner, wanted);
        await insights.whenSettled(isMissing ? owner : uri, ms, signal);
      },
    );
  } finally {
    insights.release(owner);
    progress.end();
  }
  return snapshot ? [snapshot] : [];
}

/** A list of versions leads to targets, and these to their facts: so many scans see all of them. */
const MAX_SCANS = 3;

/** The snapshots of all manifests of the workspace folders, open or not, once the facts in scope are known. */
export async function awaitFolders(
  scope: UpdateScope,
  { client, engine, folders, settings }: ServerState,
  token: CancellationToken,
  workDoneToken: ProgressToken | undefined,
): Promise<{ readonly snapshots: readonly Snapshot[]; readonly unread: readonly string[] }> {
  const { insights, clock, history } = engine;
  const { isTrusted } = client;
  const files = remembering(engine.files);
  const signal = signalOf(token);
  const until = clock.now() + TIMEOUT_MS;
  const progress = beginProgress(l10n.t('Looking for updates'), workDoneToken, client);
  const owner = 'updates of the workspace';
  try {
    const { manifests } = await engine.findManifests(folders.all, files);
    for (let round = 1; ; round++) {
      const patience = Math.max(0, until - clock.now());
      const scanned = await scanBeside(manifests, {
        files,
        insights,
        settings: settings.current,
        clock,
        isTrusted,
        history,
        patience,
        signal,
        ...ofScan(progress),
      });
      const wanted = wantedFor(
        scanned.snapshots.flatMap((it) => it.dependencies),
        scope,
        insights,
      );
      const isMissing = wanted.some((it) => readInsight(insights, it).state === 'pending');
      if (!isMissing || round === MAX_SCANS || signal.aborted) return scanned;
      insights.request(owner, wanted);
      await insights.whenSettled(owner, Math.max(0, until - clock.now()), signal);
    }
  } finally {
    insights.release(owner);
    progress.end();
  }
}

/** The facts that decide about targets, each once. The safe scope needs those of the findings, which are there. */
function wantedFor(
  dependencies: readonly EvaluatedDependency[],
  scope: UpdateScope,
  facts: ConnectedInsights,
): readonly Wanted[] {
  const shared = factsOfSharing(dependencies, scope, facts);
  if (scope === 'safe') return shared;
  const wanted = dependencies
    .filter(({ linked, resolution }) => !linked.isRecorded && resolution.kind === 'version')
    .flatMap((it): Wanted[] => [{ kind: 'package', key: it.linked.key }, ...factsOfTargets(it)]);
  return [...new Map([...wanted, ...shared].map((it) => [wantedId(it), it])).values()];
}

/** One annotation for each step of a package in a file, which the person confirms: `lodash 4.17.15 → 4.17.21` */
function confirmedEdit(
  { changes }: UpdatePlan,
  snapshots: readonly Snapshot[],
  { client, engine }: ServerState,
): WorkspaceEdit {
  const { changeAnnotationSupport, documentChanges } = client.capabilities.workspace?.workspaceEdit ?? {};
  const annotations: Record<string, ChangeAnnotation> = {};
  const edits = new Map<string, NonNullable<WorkspaceEdit['documentChanges']>>();
  const plain = new Map<string, NonNullable<WorkspaceEdit['changes']>[string]>();
  for (const uri of new Set(changes.map((it) => it.edit.uri))) {
    const snapshot = snapshots.find((it) => it.uri === uri) ?? snapshots.find((it) => it.texts.has(uri));
    if (snapshot === undefined) continue;
    const context = engine.contextFor(snapshot);
    const here = changes.filter((it) => it.edit.uri === uri);
    if (!documentChanges || !changeAnnotationSupport) {
      const edit = toWorkspaceEdit(
        here.map((it) => it.edit),
        context,
      );
      edits.set(uri, edit.documentChanges ?? []);
      plain.set(uri, edit.changes?.[uri] ?? []);
      continue;
    }
    const annotated = here.map(({ edit, fix }) => {
      const annotation = annotationOf(fix);
      const annotationId = `${uri} ${annotation.label}`;
      annotations[annotationId] = annotation;
      const { span, newText } = edit;
      return { range: context.positions(uri).range(span), newText, annotationId };
    });
    edits.set(uri, [{ textDocument: { uri, version: context.versionOf(uri) }, edits: annotated }]);
  }
  if (!documentChanges) return { changes: Object.fromEntries(plain) };
  const all = [...edits.values()].flat();
  return changeAnnotationSupport ? { documentChanges: all, changeAnnotations: annotations } : { documentChanges: all };
}

function annotationOf({ evaluated, target }: UpdatePlan['changes'][number]['fix']): ChangeAnnotation {
  const { linked, resolution } = evaluated;
  const { name } = linked.dependency;
  const from = resolution.kind === 'version' ? `${resolution.version} ` : '';
  const label = `${name} ${from}→ ${target.version}`;
  const notes = targetNotes(evaluated, target);
  return { label: oneLine(label), description: oneLine(notes.join(', ')), needsConfirmation: true };
}
