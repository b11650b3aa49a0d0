import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeptAnswers } from '../../../server/src/connected/deployments/kept-answers.ts';
import { createMemoryCache } from '../../../server/src/engine/facts/cache/cache.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

for (const off of [-1, 0, 1]) {
  test(`a pause that ends ${off} ms from now is not asked about again at once`, async () => {
    const clock = fakeClock();
    let asked = 0;
    const ask = (): void => {
      answers.ask(
        {
          id: 'types demo',
          // A loop would starve the test: it ends by itself.
          obtain: async () =>
            ++asked < 100
              ? { kind: 'failed', reason: 'the service requested a wait', until: clock.now() + off }
              : new Promise(() => {}),
          read: () => undefined,
        },
        'background',
      );
    };
    // Documents are evaluated again after each answer.
    const answers = createKeptAnswers({ clock, store: createMemoryCache(), caller: () => 'one', changed: () => ask() });
    ask();
    await clock.advance(10_000);
    assert.equal(asked, 1);
    await clock.advance(1);
    ask();
    assert.equal(asked, 2);
    answers.close();
  });
}
