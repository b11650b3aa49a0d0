import * as l10n from '@vscode/l10n';
import type { RegistryHistory } from '../../analysis/privacy/registry-history.ts';
import type { Snapshot } from '../../analysis/snapshot.ts';
import { Workspace } from '../../analysis/workspace.ts';
import { type Clock, type ConnectedInsights, type Files, type Insights, readBy } from '../../model/ports.ts';
import type { Settings } from '../../model/settings.ts';
import type { Failure } from '../report.ts';
import { type ScanProgress, type StaleAnswers, trackProgress } from './progress.ts';

/** The facts, and whether their service wants to be left alone, or cannot be reached. */
export type ScanInsights = Insights & Pick<ConnectedInsights, 'backoff' | 'trouble'>;

/** The ports and settings of a scan. */
export interface ScanContext {
  readonly files: Files;
  readonly insights: ScanInsights;
  readonly settings: Settings;
  readonly clock: Clock;
  /** Whether the person trusts the workspace; absent where they started the scan themselves. */
  readonly isTrusted?: boolean;
  /** What was said of registries before texts were changed; absent where nobody changes any. */
  readonly history?: RegistryHistory;
  /** Address of the project file that counts for every manifest; absent where each has the one nearest to it. */
  readonly projectFile?: string;
  /** How long the service is waited for in all, in ms. */
  readonly patience: number;
  /** Answers past their freshness will do, and are not waited for; absent where what they are replaced by counts. */
  readonly takesOld?: true;
  readonly signal: AbortSignal;
  /** Told whenever something was learnt. */
  readonly progress: (counts: ScanProgress) => void;
}

export interface ScanResult {
  readonly snapshots: readonly Snapshot[];
  /** Addresses of what could not be read: too large, not permitted, or behind a link that leads elsewhere. */
  readonly unread: readonly string[];
  /** What could not be looked up, or not in time. */
  readonly failures: readonly Failure[];
  /** Answers past their freshness, for want of newer ones; absent where all hold. */
  readonly old?: StaleAnswers;
  /** How many manifests were passed over on purpose; absent for none. */
  readonly leftOut?: number;
}

/** How long after a hold nothing may be heard before what still fails is taken for failed, in ms. */
const recovery = 10_000;

/** Many manifests looked at as one workspace: what several of them ask for is asked once. */
export interface Scanner {
  /** Waits until everything is known that can be. Files that are no manifests after all are left out. */
  scan(uris: readonly string[]): Promise<ScanResult>;
}

export function createScanner(context: ScanContext): Scanner {
  const { insights, settings, clock, patience, signal, progress, projectFile } = context;
  const takesOld = context.takesOld === true;
  const counted = trackProgress(insights, settings.offline || takesOld);
  const waitedFor = ({ pending, old }: ScanProgress): number => pending - (takesOld ? (old?.pending ?? 0) : 0);
  const environment = {
    now: () => clock.now(),
    isTrusted: () => context.isTrusted ?? true,
    ...(projectFile !== undefined && { projectFile }),
    ...(context.history && { history: context.history }),
  };

  /**
   * Resolves when nothing more will be learnt, or when there is no more patience.
   * @returns whether everything was looked at once, and not interrupted before
   */
  async function settle(workspace: Workspace): Promise<boolean> {
    let isLate: boolean = signal.aborted;
    let isBegun = false;
    let isNew = true;
    /** The service wanted to be left alone: what failed meanwhile is being asked again. */
    let isRecovering = false;
    let wake = () => {};
    const hurry = () => {
      isLate = true;
      wake();
    };
    const deadline = clock.now() + patience;
    const cancel = clock.after(patience, hurry);
    const unsubscribe = insights.onDidChange(() => {
      isNew = true;
      wake();
    });
    signal.addEventListener('abort', hurry);
    while (isNew && !isLate) {
      isNew = false;
      // To look at a thousand manifests takes longer than the next answer to arrive: only when all that was asked for
      // is there is it worth it.
      if (waitedFor(counted.progress()) === 0) {
        await workspace.reevaluateAll(isBegun ? undefined : signal);
        isBegun ||= !signal.aborted;
        counted.requestWanted();
      }
      const counts = counted.progress();
      const { failures } = counts;
      const pending = waitedFor(counts);
      progress(counts);
      // A service that says how long it wants to be left alone is taken at its word.
      const backoff = failures.length > 0 ? insights.backoff() : undefined;
      const isHeld = backoff?.asked === true && backoff.until < deadline;
      isRecovering = isHeld || (isRecovering && failures.length > 0);
      if (isNew) continue;
      if (pending === 0 && !isRecovering) break;
      await new Promise<void>((resolve) => {
        const quiet = pending > 0 ? patience : (backoff?.until ?? clock.now()) - clock.now() + recovery;
        const cancelQuiet = clock.after(quiet, resolve);
        wake = () => {
          cancelQuiet();
          resolve();
        };
        if (isLate) wake();
      });
    }
    cancel();
    unsubscribe();
    signal.removeEventListener('abort', hurry);
    return isBegun;
  }

  return {
    async scan(uris) {
      const files = remembering(context.files);
      const workspace = new Workspace(files, counted, () => settings, environment);
      const unread: string[] = [];
      for (const uri of uris) {
        if (signal.aborted) break;
        const text = await files.read(uri);
        if (text === undefined) unread.push(uri);
        else workspace.update({ uri, version: 1, text });
      }
      // To look at thousands of manifests takes seconds, and who interrupts that gets no answer for waiting.
      if (!(await settle(workspace))) return interrupted(uris.length);
      const snapshots: Snapshot[] = [];
      for (const { uri } of workspace.documents) {
        const snapshot = await workspace.snapshot(uri);
        if (snapshot) snapshots.push(snapshot);
      }
      const counts = counted.progress();
      const { failures, old } = counts;
      const pending = waitedFor(counts);
      const trouble = insights.trouble();
      // That an answer takes long is no reason any more.
      const why = trouble?.isEarly ? undefined : trouble?.reason;
      const late = why ?? l10n.t('no answer within {0} s', patience / 1000);
      const reason = signal.aborted ? l10n.t('interrupted') : late;
      return {
        snapshots,
        unread,
        failures: pending === 0 ? failures : withMore(failures, { reason, count: pending }),
        ...(old && { old }),
      };
    },
  };
}

function interrupted(count: number): ScanResult {
  return { snapshots: [], unread: [], failures: [{ reason: l10n.t('interrupted'), count }] };
}

function withMore(failures: readonly Failure[], { reason, count }: Failure): readonly Failure[] {
  const same = failures.find((it) => it.reason === reason)?.count ?? 0;
  return [...failures.filter((it) => it.reason !== reason), { reason, count: same + count }];
}

/** Files that are read once: a hundred projects share the files above them. */
function remembering(files: Files): Files {
  return readBy(files, (look) => {
    const known = new Map<string, ReturnType<typeof look>>();
    return (uri) => {
      const reading = known.get(uri) ?? look(uri);
      known.set(uri, reading);
      return reading;
    };
  });
}
