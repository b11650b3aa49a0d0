import * as l10n from '@vscode/l10n';
import type { CancellationToken } from 'vscode-languageserver';
import { overrideEdits } from '../../engine/analysis/below/override-edits.ts';
import { wayText, wayTitle } from '../../engine/analysis/below/way-texts.ts';
import type { WaysOut } from '../../engine/analysis/below/ways-out.ts';
import { affectedOf } from '../../engine/analysis/below/ways-search.ts';
import { fixTo } from '../../engine/analysis/fixes.ts';
import { settle } from '../../engine/analysis/settle.ts';
import type { Snapshot } from '../../engine/analysis/snapshot.ts';
import { directoryOf, nameOf } from '../../engine/base/uri.ts';
import { positionsIn } from '../../engine/formats/text/positions.ts';
import type { EvaluatedDependency } from '../../engine/model/evaluated-dependency.ts';
import type { AffectedBelow } from '../../engine/model/graph/below.ts';
import { signalOf } from '../dispatch.ts';
import type { ServerCommand } from '../extension.ts';
import { type DependencyPlace, findDependency, readPlace } from '../features/commands.ts';
import { smallestWay } from '../features/way-actions.ts';
import { toWorkspaceEdit } from '../features/workspace-edit.ts';
import { textIn } from '../params.ts';
import type { ClientState } from '../state/client-state.ts';
import type { Engine } from '../state/engine.ts';
import { editOf, offerCommandLine, openedSnapshot, reportUpdate, showError } from './client-edits.ts';

/** How long a way waits for the facts that it needs, in ms. */
const WAYS_TIMEOUT_MS = 20_000;

/** Between two searches of what a document brings, in ms. */
const SEARCH_PAUSE_MS = 100;

/** Takes a way out of an affected package that a dependency brings. */
export const wayOut: ServerCommand = async ([request], server, token) => {
  const place = readPlace(request);
  const [kind, name, version] = [textIn(request, 'kind'), textIn(request, 'package'), textIn(request, 'affected')];
  if (!place || !kind || !name || !version) return false;
  if (kind === smallestWay && (await openedSnapshot(place.uri, server)))
    await lookBelow(place, server.engine, signalOf(token));
  const { snapshot, evaluated, affected, ways } = await awaitWays(place, { name, version }, server.engine, token);
  const way = kind === smallestWay ? ways?.ways[0] : ways?.ways.find((it) => it.kind === kind);
  if (!snapshot || !evaluated?.below || !affected || !way) {
    showError(ways?.reason ?? l10n.t('{2} does not bring {0} {1} any more.', name, version, place.name), server.client);
    return false;
  }
  const title = wayTitle(way, affected, place.name);
  const { below } = evaluated;
  switch (way.kind) {
    case 'lock': {
      const message = wayText(way, affected, place.name, below.lockfile);
      const directory = snapshot.lockfiles.find((it) => it.format.id === below.lockfile)?.directory;
      offerCommandLine(
        { message, command: way.command, directory: directory ?? directoryOf(place.uri) },
        server.client,
      );
      return true;
    }
    case 'direct': {
      const { move } = fixTo(evaluated, way.version);
      if (!move.ok) return refuse(title, move.reason, server.client);
      const edit = toWorkspaceEdit(move.edits, server.engine.contextFor(snapshot));
      return apply(title, edit, snapshot, server.client);
    }
    case 'override': {
      const written = await overrideEdits(snapshot, below, affected, way.wanted, server.engine.read);
      if (!written.ok) return refuse(title, written.reason, server.client);
      const { uri, text = '', edits } = written;
      if (await server.engine.files.isBlocked?.(uri)) {
        return refuse(title, l10n.t('{0} is not a readable file in this workspace.', nameOf(uri)), server.client);
      }
      // The edit is for the text that was read, and names the version of the text that is there now.
      const now = server.client.documents.get(uri)?.getText() ?? text;
      if (now !== text) return refuse(title, l10n.t('it has changed in the meantime'), server.client);
      const positions = positionsIn(text, server.client.encoding);
      const ranges = edits.map((it) => ({ range: positions.range(it.span), newText: it.newText }));
      return apply(title, editOf(uri, written.text === undefined, ranges, server.client), snapshot, server.client);
    }
  }
};

/**
 * What a document brings that has just been opened is otherwise looked up after a pause. A search in the background ends
 * this one, so it is known only once what the dependency brings is there.
 */
async function lookBelow(place: DependencyPlace, { workspace, clock }: Engine, signal: AbortSignal): Promise<void> {
  const until = clock.now() + WAYS_TIMEOUT_MS;
  const left = (): number => Math.max(0, until - clock.now());
  await settle(
    async () => {
      await workspace.lookBelow(left(), signal);
      await workspace.whenBelowSettled(left(), signal);
      const snapshot = await workspace.snapshot(place.uri);
      const below = snapshot && findDependency(snapshot, place)?.below;
      return snapshot?.lockfiles.length === 0 || below?.unchecked.pending === 0;
    },
    (isKnown) => (isKnown || signal.aborted ? 0 : left()),
    () => new Promise((resolve) => clock.after(SEARCH_PAUSE_MS, resolve)),
  );
}

/** A title, and why it is not done. */
function refuse(title: string, reason: string, client: ClientState): false {
  showError(l10n.t('{0}: not possible, {1}.', title, reason), client);
  return false;
}

async function apply(
  label: string,
  edit: ReturnType<typeof editOf>,
  snapshot: Snapshot,
  client: ClientState,
): Promise<boolean> {
  if (!client.capabilities.workspace?.applyEdit) return false;
  const { applied } = await client.connection.workspace.applyEdit({ label, edit });
  if (applied) reportUpdate(snapshot, client);
  return applied;
}

export interface FoundWays {
  readonly snapshot?: Snapshot | undefined;
  readonly evaluated?: EvaluatedDependency | undefined;
  readonly affected?: AffectedBelow | undefined;
  readonly ways?: WaysOut | undefined;
}

let requests = 0;

/** The ways that are found once all facts are there, or the time is up. */
export async function awaitWays(
  place: DependencyPlace,
  { name, version }: { readonly name: string; readonly version: string },
  { workspace, insights, clock }: Engine,
  token: CancellationToken,
): Promise<FoundWays> {
  const owner = `ways ${++requests}`;
  const until = clock.now() + WAYS_TIMEOUT_MS;
  const signal = signalOf(token);
  try {
    return await settle(
      async (): Promise<FoundWays> => {
        const snapshot = await workspace.snapshot(place.uri);
        const evaluated = snapshot && findDependency(snapshot, place);
        const affected =
          evaluated && affectedOf(evaluated).find(({ key }) => key.name === name && key.version === version);
        return { snapshot, evaluated, affected, ways: affected && snapshot?.findWaysOut(evaluated, affected) };
      },
      ({ ways }) => (ways?.isSearching && !signal.aborted ? until - clock.now() : 0),
      (ms, { ways }) => {
        insights.request(owner, ways?.wanted ?? []);
        return insights.whenSettled(owner, ms, signal);
      },
    );
  } finally {
    insights.release(owner);
  }
}
