import {
  type CancellationToken,
  MessageType,
  ShowMessageNotification,
  type WorkDoneProgressServerReporter,
} from 'vscode-languageserver';
import { signalOf } from '../../../editor/dispatch.ts';
import type { ServerCommand } from '../../../editor/extension.ts';
import type { ClientState } from '../../../editor/state/client-state.ts';
import type { ServerState } from '../../../editor/state/server-state.ts';
import { oneLine } from '../../../engine/base/text.ts';
import { positionsIn } from '../../../engine/formats/text/positions.ts';
import type { RunContext } from '../../model/documents/service-document.ts';
import type { Services } from '../connections/services.ts';
import { toEdit } from './answers.ts';
import { contextOf, documentOf } from './documents.ts';

/** Runs a command of a kind of service document, in any editor. */
export function documentCommandOf(services: Services): ServerCommand {
  return async ([kindName, name, ...args], server, token) => {
    if (typeof kindName !== 'string' || typeof name !== 'string') return undefined;
    await server.settings.known;
    const kind = (await services.load())?.documents.find((it) => it.name === kindName);
    if (kind?.run === undefined) return undefined;
    const progress = createProgress(server.client, token);
    try {
      return await kind.run(name, args, runContextOf(server, progress));
    } finally {
      progress.end();
    }
  };
}

interface CommandProgress {
  /** Aborts when the client or the person cancels. */
  readonly signal: AbortSignal;
  report(message: string): void;
  end(): void;
}

/** Progress that the client shows from the first report on, if it shows progress. A person can cancel it there. */
function createProgress(client: ClientState, token: CancellationToken): CommandProgress {
  const aborting = new AbortController();
  const cancelled = signalOf(token);
  if (cancelled.aborted) aborting.abort();
  cancelled.addEventListener('abort', () => aborting.abort(), { once: true });
  let reporter: Promise<WorkDoneProgressServerReporter> | undefined;
  const withReporter = (use: (reporter: WorkDoneProgressServerReporter) => void): void => {
    reporter?.then(use).catch((it: unknown) => client.log('progress', it));
  };
  return {
    signal: aborting.signal,
    report(message) {
      if (!client.capabilities.window?.workDoneProgress) return;
      if (reporter) return withReporter((it) => it.report(oneLine(message)));
      reporter = client.connection.window.createWorkDoneProgress();
      withReporter((it) => {
        it.token.onCancellationRequested(() => aborting.abort());
        it.begin('Package Insights', undefined, oneLine(message), true);
      });
    },
    end: () => withReporter((it) => it.done()),
  };
}

const messageTypes = { error: MessageType.Error, warning: MessageType.Warning, information: MessageType.Info } as const;

function runContextOf(server: ServerState, { signal, report }: CommandProgress): RunContext {
  const { client } = server;
  const tell: RunContext['tell'] = (severity, message) => {
    // VS Code turns `[…](command:…)` in a message into a link that runs any command.
    const params = { type: messageTypes[severity], message: oneLine(message).replace(/\](?=\()/g, ']\u2060') };
    client.connection
      .sendNotification(ShowMessageNotification.type.method, params)
      .catch((it: unknown) => client.log('a message', it));
  };
  return {
    ...contextOf(server, signal),
    document(uri) {
      const found = client.documents.get(uri);
      return found && documentOf(found);
    },
    async edit(document, label, changes) {
      const isCurrent = client.documents.get(document.uri)?.version === document.version;
      if (!client.capabilities.workspace?.applyEdit || !isCurrent) return false;
      const positions = positionsIn(document.text, client.encoding);
      const edit = toEdit(changes, { document, positions, client: client.traits });
      return (await client.connection.workspace.applyEdit({ label, edit })).applied;
    },
    tell,
    report,
  };
}
