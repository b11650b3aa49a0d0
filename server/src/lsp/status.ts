import { check } from '../engine/check.ts';
import type { Snapshot } from '../engine/workspace.ts';
import { isPending } from '../model/subject.ts';
import type { Session } from './session.ts';
import { failureOf, logTroubles } from './troubles.ts';

/** Sent to clients that announce `experimental.packageInsightsStatus`; shapes the status item. */
export const statusNotification = 'packageInsights/status';

/** One open manifest, in numbers. */
export interface DocumentStatus {
  readonly uri: string;
  readonly dependencies: number;
  readonly findings: number;
  /** How many are still being asked for. */
  readonly pending: number;
  /** Why the service cannot be asked; absent while it answers. */
  readonly failed?: string;
}

export interface Status {
  readonly documents: readonly DocumentStatus[];
  /** Until when nothing is sent because the service asked for it, in ms since the epoch. */
  readonly heldUntil?: number;
  /** Nothing is asked, because a person said so. */
  readonly offline?: true;
}

/** Tells the log of troubles, and clients that want to know how things stand. */
export async function tellStatus(session: Session): Promise<void> {
  const { client, connection, insights, workspace } = session;
  const found = await Promise.all(workspace.documents.map((it) => workspace.snapshot(it.uri)));
  const snapshots = found.filter((it) => it !== undefined);
  logTroubles(
    session,
    snapshots.flatMap((it) => it.subjects),
  );
  if (!client.experimental?.packageInsightsStatus) return;
  const heldUntil = insights.heldUntil();
  const documents = documentStatuses(snapshots, session);
  const status: Status = {
    documents,
    ...(heldUntil !== undefined && { heldUntil }),
    ...(session.settings.offline && { offline: true }),
  };
  await connection.sendNotification(statusNotification, status);
}

function documentStatuses(snapshots: readonly Snapshot[], { settings }: Session): DocumentStatus[] {
  return snapshots.map(({ uri, subjects }) => {
    const failure = subjects.map(failureOf).find((it) => it !== undefined);
    return {
      uri,
      dependencies: subjects.length,
      findings: check(subjects, settings).length,
      pending: subjects.filter(isPending).length,
      ...(failure !== undefined && { failed: failure }),
    };
  });
}
