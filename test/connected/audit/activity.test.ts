import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventText, readEvents } from '../../../server/src/connected/audit/activity.ts';

test('values that cannot become text do not end the listing of uses', () => {
  const odd = { toString: 1, valueOf: 1 };
  const parameters = [
    { name: odd, value: odd },
    { name: 'scope', multiValue: [odd] },
    { name: 'num_response_bytes', intValue: odd },
  ];
  const events = readEvents({
    id: { time: odd },
    actor: odd,
    events: [{ name: odd, parameters }, { name: 'activity' }],
  });
  assert.deepEqual(
    events.map((it) => it.name),
    ['', 'activity'],
  );
  for (const it of events) assert.equal(typeof eventText(it), 'string');
});
