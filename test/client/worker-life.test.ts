import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Worker as Thread } from 'node:worker_threads';
import { type WatchedWorker, watchWorker, workerLife } from '../../client/src/world/worker-life.ts';

interface Watched {
  readonly worker: EventTarget;
  readonly asked: () => number;
  readonly terminated: () => number;
  readonly ended: readonly string[];
  readonly stop: () => void;
  /** So many looks at the worker. */
  pass(looks: number): Promise<void>;
}

function watch(t: TestContext, given: Partial<WatchedWorker>): Watched {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const ended: string[] = [];
  let asked = 0;
  let terminated = 0;
  const worker = Object.assign(new EventTarget(), { terminate: () => void terminated++ });
  const { ask = () => Promise.resolve(), ...others } = given;
  const counted = (): Promise<unknown> => {
    asked++;
    return ask();
  };
  const stop = watchWorker({
    worker: worker as unknown as WatchedWorker['worker'],
    isNeeded: () => true,
    ended: (it) => ended.push(it),
    ...others,
    ask: counted,
  });
  return {
    worker,
    asked: () => asked,
    terminated: () => terminated,
    ended,
    stop,
    async pass(looks) {
      for (let look = 0; look < looks; look++) {
        t.mock.timers.tick(workerLife.beat);
        await new Promise(setImmediate);
      }
    },
  };
}

const silent = (): Promise<unknown> => new Promise(() => {});

test('a worker that answers, even with an error, is left alone', async (t) => {
  const answers = [() => Promise.resolve(null), () => Promise.reject(new Error('unknown request'))];
  const { asked, ended, terminated, pass } = watch(t, { ask: () => answers[asked() % 2]?.() ?? silent() });
  await pass(50);
  assert.equal(asked(), 50);
  assert.deepEqual([ended, terminated()], [[], 0]);
});

test('a worker that stops answering is ended once, after the missed looks and not before', async (t) => {
  const { asked, ended, terminated, pass } = watch(t, { ask: silent });
  await pass(workerLife.missed);
  assert.deepEqual(ended, []);
  await pass(10);
  assert.deepEqual([ended, terminated(), asked()], [['no answer'], 1, 1]);
});

test('a worker that was busy for a while is left alone', async (t) => {
  let answer = (): void => {};
  const busy = (): Promise<void> =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { asked, ended, pass } = watch(t, { ask: busy });
  for (let time = 1; time <= 3; time++) {
    await pass(workerLife.missed);
    assert.equal(asked(), time);
    answer();
    await new Promise(setImmediate);
  }
  assert.deepEqual(ended, []);
});

test('nothing is asked while no person looks', async (t) => {
  let isLooking = false;
  const { asked, ended, pass } = watch(t, { ask: silent, isNeeded: () => isLooking });
  await pass(50);
  assert.deepEqual([asked(), ended], [0, []]);
  isLooking = true;
  await pass(1);
  assert.equal(asked(), 1);
});

for (const type of ['error', 'messageerror']) {
  test(`a worker with the event “${type}” is ended at once, and other listeners do not show it again`, async (t) => {
    const { worker, ended, terminated, pass } = watch(t, {});
    let others = 0;
    worker.addEventListener(type, () => others++);
    worker.dispatchEvent(Object.assign(new Event(type), type === 'error' && { message: 'out of memory' }));
    worker.dispatchEvent(new Event(type));
    await pass(20);
    assert.deepEqual(ended, [type === 'error' ? 'out of memory' : 'unreadable message']);
    assert.deepEqual([terminated(), others], [1, 0]);
  });
}

test('a worker that is terminated on purpose has not crashed', async (t) => {
  const { worker, ended, stop, pass } = watch(t, { ask: silent });
  await pass(2);
  stop();
  worker.dispatchEvent(new Event('error'));
  await pass(20);
  assert.deepEqual(ended, []);
});

test('a thread in an endless loop is ended', async (t) => {
  const thread = new Thread(
    `require('node:worker_threads').parentPort.on('message', (it) => {
      if (it === 'loop') for (;;);
      require('node:worker_threads').parentPort.postMessage(it);
    });`,
    { eval: true },
  );
  const exited = once(thread, 'exit');
  const { ended, asked, pass } = watch(t, {
    worker: { addEventListener() {}, terminate: () => void thread.terminate() },
    ask() {
      thread.postMessage('alive');
      return once(thread, 'message');
    },
  });
  for (let time = 0; time < 3; time++) {
    const answered = once(thread, 'message');
    await pass(1);
    await answered;
    await new Promise(setImmediate);
  }
  assert.deepEqual([ended, asked()], [[], 3]);
  thread.postMessage('loop');
  await pass(3 * workerLife.missed);
  assert.deepEqual(ended, ['no answer']);
  await exited;
});
