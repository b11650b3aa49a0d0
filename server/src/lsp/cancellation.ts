import type { CancellationToken } from 'vscode-languageserver';

/** A request's cancellation, as everything that asks takes it. */
export function signalOf(token: CancellationToken): AbortSignal {
  const aborting = new AbortController();
  if (token.isCancellationRequested) aborting.abort();
  token.onCancellationRequested(() => aborting.abort());
  return aborting.signal;
}
