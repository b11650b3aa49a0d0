import * as l10n from '@vscode/l10n';
import {
  ProgressToken,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageserver';
import type { ScanContext } from '../../engine/report/scan/scan.ts';
import { fieldsIn } from '../params.ts';
import type { ClientState } from '../state/client-state.ts';

/** The progress of a request. */
export interface Progress {
  /** @param message the progress as text */
  report(done: number, all: number, message?: string): void;
  end(): void;
}

/** The progress token in the parameters of a request; an invalid one is ignored. */
export function tokenIn(params: unknown): { readonly workDoneToken?: ProgressToken } {
  const { workDoneToken } = fieldsIn(params);
  return ProgressToken.is(workDoneToken) ? { workDoneToken } : {};
}

/** Reports each percent once; nothing without a token. */
export function beginProgress(title: string, token: ProgressToken | undefined, client: ClientState): Progress {
  let shown = 0;
  const send = (value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void => {
    if (token === undefined) return;
    client.connection
      .sendProgress(WorkDoneProgress.type, token, value)
      .catch((it: unknown) => client.log('progress', it));
  };
  send({ kind: 'begin', title, percentage: 0, cancellable: true });
  return {
    report(done, all, message) {
      const percentage = Math.min(100, Math.floor((100 * done) / Math.max(1, all)));
      if (percentage <= shown) return;
      shown = percentage;
      send({ kind: 'report', percentage, ...(message !== undefined && { message }) });
    },
    end: () => send({ kind: 'end' }),
  };
}

/** Reading comes before looking up, and takes long where files are far away. */
const READING = 0.2;

/** What a scan tells of itself, as the progress of its request. */
export function ofScan(progress: Progress): Pick<ScanContext, 'progress'> & Required<Pick<ScanContext, 'reading'>> {
  return {
    reading(done, all) {
      progress.report(READING * (done / Math.max(1, all)), 1, l10n.t('{0} of {1} manifests read', done, all));
    },
    progress({ asked, pending }) {
      const done = asked - pending;
      const part = asked === 0 ? 0 : done / asked;
      progress.report(READING + (1 - READING) * part, 1, l10n.t('{0} of {1} looked up', done, asked));
    },
  };
}
