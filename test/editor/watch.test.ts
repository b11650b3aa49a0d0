import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import {
  createConnection,
  createMessageConnection,
  ProposedFeatures,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { followWatchedFiles } from '../../server/src/editor/sync/watched-files.ts';

/** A client and a server that write down, in order, which files were taken and which requests were answered. */
function setUp(take: (uris: readonly string[]) => boolean) {
  const [up, down] = [new PassThrough(), new PassThrough()];
  const server = createConnection(ProposedFeatures.all, new StreamMessageReader(up), new StreamMessageWriter(down));
  const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
  const log: string[] = [];
  const taken: string[] = [];
  const ended = new Promise<void>((resolve) => {
    followWatchedFiles(server, {
      begin: () => log.push('begin'),
      take(uris, isLast) {
        taken.push(...uris);
        log.push(isLast ? 'last' : 'more');
        return take(uris);
      },
      end() {
        log.push('end');
        resolve();
      },
    });
  });
  server.onRequest('ask', () => void log.push('answer'));
  server.listen();
  client.listen();
  const change = (count: number, name: string): Promise<void> =>
    client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: Array.from({ length: count }, (_, index) => ({ uri: `file:///w/${name}${index}`, type: 2 })),
    });
  return { client, change, ended, log, taken };
}

test('requests have their turn while a hundred thousand changed files are handled, and no file is lost', async () => {
  const { client, change, ended, log, taken } = setUp(() => true);
  await change(100_000, 'a');
  await change(3, 'b');
  await client.sendRequest('ask');
  assert.ok(log.includes('more') && !log.includes('end'), 'the request waited for all of them');
  await ended;
  assert.equal(new Set(taken).size, 100_003);
  assert.deepEqual(log.slice(-2), ['last', 'end']);
  assert.equal(log.filter((it) => it === 'last').length, 1);
});

test('what goes wrong with some changed files does not keep later ones back', async () => {
  const { change, ended, taken } = setUp((uris) => {
    if (uris[0]?.includes('bad')) throw new Error('bad');
    return true;
  });
  await change(1, 'bad');
  await change(1, 'good');
  await ended;
  assert.deepEqual(taken, ['file:///w/bad0', 'file:///w/good0']);
});
