import type { Files } from '../../server/src/engine/model/ports.ts';
import type { ReadMachine } from '../../server/src/engine/model/registry.ts';
import { fakeClock } from '../harness/fake-clock.ts';
import { recordingHttp } from '../harness/recording-http.ts';
import { type StrictClient, strictClient } from './strict-client.ts';

/** The folder of the workspace. */
export const root = 'file:///w/';

/** A turn of the clock, in ms. Answers that are under way arrive between two turns. */
const TURN = 100;

export interface RecordedClient {
  readonly client: StrictClient;
  /** Whether the service received this text. */
  readonly received: (text: string) => boolean;
  /** Lets time pass, in ms. */
  readonly pass: (ms: number) => Promise<void>;
}

/** A client with a workspace in `root`, a clock of its own, and a service that knows no package and records requests. */
export async function recordedClient(options: {
  readonly files: Files;
  readonly machine?: ReadMachine;
}): Promise<RecordedClient> {
  const clock = fakeClock();
  const { http, received } = recordingHttp();
  const client = await strictClient({
    ...options,
    http,
    clock,
    capabilities: { workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } },
    answer: () => null,
    settings: { baseUrl: 'http://service.example' },
    initialize: { workspaceFolders: [{ uri: root, name: 'w' }] },
  });
  const pass = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += TURN) await clock.advance(TURN);
  };
  return { client, received, pass };
}
