import type { AnswerContext } from '../../server/src/editor/features/feature.ts';
import { graphReader } from '../../server/src/engine/analysis/graphs.ts';
import type { Snapshot } from '../../server/src/engine/analysis/snapshot.ts';
import { Workspace } from '../../server/src/engine/analysis/workspace.ts';
import { positionsIn } from '../../server/src/engine/formats/text/positions.ts';
import { isPending } from '../../server/src/engine/model/evaluated-dependency.ts';
import type { Insights, Wanted } from '../../server/src/engine/model/ports.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import type { ReceivedRequest } from '../../server/src/service/http-server.ts';
import { makeInsights } from './insights.ts';
import { type InlineCatalog, startService } from './service.ts';

const root = 'file:///workspace/';

/** An engine over files that exist only here, and a real service on loopback. */
export interface Lab {
  /** The snapshot of a file once no fact is pending. */
  settled(name: string): Promise<Snapshot>;
  /** Commits an open document, as a client tells of it. @returns what is shown then */
  commit(name: string): Promise<Snapshot | undefined>;
  /** The dependencies of a file that lie between two of its parts, as hints have them. */
  inView(name: string, from: string, to: string): Promise<Snapshot>;
  context(snapshot: Snapshot): Promise<AnswerContext>;
  /** Requests facts that no file needs. */
  obtain(wanted: readonly Wanted[]): Promise<void>;
  /** What the service received. */
  requests(): readonly ReceivedRequest[];
  uri(name: string): string;
  /** Another content for a file, as if it had been edited. */
  edit(name: string, text: string): void;
  close(): Promise<void>;
}

/** Names of files as they are in the last commit begin with it. Without one there is no repository. */
const HEAD = 'HEAD:';

/** The moment that pictures are taken at. */
export const pictureTime = Date.UTC(2026, 0, 1);

/**
 * @param chosen settings
 * @param now in ms since the epoch
 */
export async function openLab(
  files: ReadonlyMap<string, string>,
  catalog: InlineCatalog,
  chosen: object = {},
  now = pictureTime,
): Promise<Lab> {
  const texts = new Map(files);
  const service = await startService(catalog);
  const settings = readSettings({ ...chosen, baseUrl: service.url });
  const insights = makeInsights(settings);
  const nameOf = (uri: string): string => decodeURI(uri.slice(root.length));
  const committed = [...files].filter(([name]) => name.startsWith(HEAD));
  for (const [name] of committed) texts.delete(name);
  const formerOf = new Map(committed.map(([name, text]) => [name.slice(HEAD.length), [text]]));
  const nothing: readonly string[] = [];
  const disk = {
    ...(committed.length > 0 && {
      former: async (uri: string) => formerOf.get(nameOf(uri)) ?? nothing,
    }),
    read: async (uri: string) => (uri.startsWith(root) ? texts.get(nameOf(uri)) : undefined),
    find: async (directory: string, matches: RegExp) =>
      [...texts.keys()]
        .map((it) => root + encodeURI(it))
        .filter((it) => it.startsWith(directory) && matches.test(decodeURI(it))),
  };
  // Pictures include background facts, so they are awaited, too.
  const patient: Insights = {
    ...insights,
    request: (owner, wanted, background = []) => insights.request(owner, [...wanted, ...background]),
  };
  const workspace = new Workspace(disk, patient, () => settings, { now: () => now, isTrusted: () => true });
  let version = 0;
  const uri = (name: string): string => root + encodeURI(name);
  return {
    uri,
    requests: () => service.requests,
    edit(name, text) {
      texts.set(name, text);
      workspace.update({ uri: uri(name), version: ++version, text });
    },
    async commit(name) {
      formerOf.set(name, [workspace.textOf(uri(name)) ?? '']);
      workspace.filesChanged([`${root}.git/logs/HEAD`]);
      return workspace.snapshot(uri(name));
    },
    async settled(name) {
      if (!workspace.documents.some((it) => it.uri === uri(name))) {
        workspace.update({ uri: uri(name), version: ++version, text: texts.get(name) ?? '' });
      }
      // Each round may request more facts, until two rounds are equal.
      for (let round = 0; round < 40; round++) {
        await insights.whenSettled(uri(name), 5000);
        const before = insights.revision?.();
        workspace.searchAgain();
        await workspace.findUsers();
        await workspace.lookBelow(5000);
        await workspace.whenBelowSettled(5000);
        await workspace.lookBelow(5000);
        await workspace.reevaluate(uri(name));
        await insights.whenSettled(uri(name), 5000);
        const snapshot = await workspace.reevaluate(uri(name));
        if (!snapshot) throw new Error(`${name} is no manifest that is known`);
        if (before === insights.revision?.() && ![...snapshot.dependencies, ...snapshot.definitions].some(isPending))
          return snapshot;
      }
      throw new Error(`${name} never settles`);
    },
    async inView(name, from, to) {
      const text = texts.get(name) ?? '';
      const span = { start: text.indexOf(from), end: text.indexOf(to) + to.length };
      const snapshot = await workspace.snapshotOfRange(uri(name), () => span);
      if (!snapshot) throw new Error(`${name} is no manifest that is known`);
      return snapshot;
    },
    async obtain(wanted) {
      insights.request('the test', wanted);
      await insights.whenSettled('the test', 5000);
    },
    async context(snapshot) {
      const traits = {
        markdownHover: true,
        documentChanges: true,
        disabledActions: true,
        preferredActions: true,
        deprecatedTag: true,
        codeDescription: false,
        relatedInformation: true,
        commandLinks: false,
        resolvesHints: false,
        refreshesHints: true,
        executesCommands: true,
        asksForReasons: false,
        followsUpdates: false,
        preselects: true,
        deprecatedItems: true,
        markdownItems: true,
        labelDetails: false,
        linkTooltips: true,
        takesSnippets: true,
      };
      return {
        settings,
        mayOfferAsking: true,
        facts: insights,
        requirements: insights.lookups.knownRequirements,
        graphOf: graphReader(undefined),
        client: traits,
        now,
        dependents: await workspace.dependents(snapshot, snapshot.dependencies),
        versionOf: () => 1,
        positions: (it) => positionsIn(snapshot.texts.get(it) ?? ''),
      };
    },
    async close() {
      await insights.close();
      await service.close();
    },
  };
}
