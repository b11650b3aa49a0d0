import {
  ProgressToken,
  WorkDoneProgress,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from 'vscode-languageserver';
import { fieldsIn } from '../params.ts';
import type { Session } from '../session.ts';

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
export function beginProgress(title: string, token: ProgressToken | undefined, session: Session): Progress {
  let shown = 0;
  const send = (value: WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd): void => {
    if (token === undefined) return;
    session.connection
      .sendProgress(WorkDoneProgress.type, token, value)
      .catch((it: unknown) => session.log('progress', it));
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
