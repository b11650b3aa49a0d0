import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changed, check, named } from './documents.ts';

const insert = 'METHOD scheduling.events.insert\ncalendarId: primary\n\n';
const update = 'METHOD scheduling.events.update\ncalendarId: primary\neventId: ab12\n\n';
const times = '"start": {}, "end": {}';

/** A document, what is found in it, and the document after the first fix. */
const rows: readonly (readonly [text: string, found: readonly string[], fixed?: string])[] = [
  ['METHOD scheduling.events.list\ncalendarId: primary\n', []],
  ['# nothing yet\n', []],
  ['METHOD\n', ['no-method METHOD']],
  ['scheduling.events.list\n', ['unclear-line scheduling.events.list']],
  ['METHOD scheduling.event.list\n', ['unknown-method scheduling.event.list'], 'METHOD scheduling.events.list\n'],
  ['METHOD threatLists.list\n', ['unknown-method threatLists.list'], 'METHOD link-safety.threatLists.list\n'],
  [
    'METHOD scheduling.events.list\r\n',
    ['missing-parameter scheduling.events.list'],
    'METHOD scheduling.events.list\r\ncalendarId: primary\r\n',
  ],
  [
    'METHOD scheduling.events.list\ncalendarId:\n',
    ['missing-parameter calendarId'],
    'METHOD scheduling.events.list\ncalendarId: primary\n',
  ],
  [
    'METHOD scheduling.events.list\ncalendarId: primary\norderby: updated\n',
    ['unknown-parameter orderby'],
    'METHOD scheduling.events.list\ncalendarId: primary\norderBy: updated\n',
  ],
  [
    'METHOD scheduling.events.list\ncalendarId: primary\norderBy: date\n',
    ['invalid-parameter date'],
    'METHOD scheduling.events.list\ncalendarId: primary\norderBy: startTime\n',
  ],
  [
    'METHOD scheduling.events.list\ncalendarId: primary\ntimeMin: 2026-11-24T14:00:00\n',
    ['invalid-parameter 2026-11-24T14:00:00'],
    'METHOD scheduling.events.list\ncalendarId: primary\ntimeMin: 2026-11-24T14:00:00Z\n',
  ],
  [
    'METHOD scheduling.events.list\ncalendarId: primary\nq: a\nq: b\n',
    ['invalid-parameter b'],
    'METHOD scheduling.events.list\ncalendarId: primary\nq: a\n',
  ],
  [
    'METHOD scheduling.events.get\ncalendarId: primary\neventId: ab12\n\n{}\n',
    ['invalid-member {'],
    'METHOD scheduling.events.get\ncalendarId: primary\neventId: ab12\n',
  ],
  [`${insert}{ ${times} }\n`, []],
  [`${insert}{ ${times}, "sumary": "x" }\n`, ['unknown-member "sumary"'], `${insert}{ ${times}, "summary": "x" }\n`],
  [
    `${insert}{ ${times}, "attendees": [{ "emial": "a" }] }\n`,
    ['unknown-member "emial"'],
    `${insert}{ ${times}, "attendees": [{ "email": "a" }] }\n`,
  ],
  [`${insert}{ ${times}, "sequence": "3" }\n`, ['invalid-member "3"'], `${insert}{ ${times}, "sequence": 3 }\n`],
  [`${insert}{ ${times}, "summary": 3 }\n`, ['invalid-member 3'], `${insert}{ ${times}, "summary": "3" }\n`],
  [`${insert}{ "start": {} }\n`, ['missing-member {'], `${insert}{\n  "end": {},\n  "start": {}\n}\n`],
  [`${insert}{ ${times}, # not a comment here\n}\n`, ['no-json #']],
  [`${insert}{\n# a comment\n${times} }\n`, []],
  [`${insert}{ ${times}\n`, ['no-json }']],
  // The rules of the contracts.
  [`${update}{ ${times} }\n`, ['update-replaces scheduling.events.update']],
  [`METHOD scheduling.events.update\ncalendarId: primary\neventId: ab12\netag: "1"\n\n{ ${times} }\n`, []],
  [`METHOD scheduling.events.update\ncalendarId: primary\neventId: ab12\nreplace: true\n\n{ ${times} }\n`, []],
  [
    'METHOD scheduling.events.get\ncalendarId: primary\neventId: 1@example.org\nmaxAttendees: 3\n',
    ['event-id 1@example.org'],
    'METHOD scheduling.events.list\ncalendarId: primary\niCalUID: 1@example.org\nmaxAttendees: 3\n',
  ],
  [
    `METHOD scheduling.events.import\ncalendarId: primary\n\n{ ${times}, "iCalUID": "1", "eventType": "focusTime" }\n`,
    ['import-default "focusTime"'],
    `METHOD scheduling.events.import\ncalendarId: primary\n\n{ ${times}, "iCalUID": "1", "eventType": "default" }\n`,
  ],
  [
    'METHOD scheduling.events.move\ncalendarId: primary\neventId: ab12\n',
    ['move-destination scheduling.events.move'],
    'METHOD scheduling.events.move\ncalendarId: primary\neventId: ab12\ndestination: \n',
  ],
  [
    'METHOD scheduling.events.quickAdd\ncalendarId: primary\n',
    ['quick-add-text scheduling.events.quickAdd'],
    'METHOD scheduling.events.quickAdd\ncalendarId: primary\ntext: \n',
  ],
  [
    'METHOD scheduling.calendars.clear\ncalendarId: team\n',
    ['clear-primary team'],
    'METHOD scheduling.calendars.clear\ncalendarId: primary\n',
  ],
  [
    'METHOD scheduling.calendars.delete\ncalendarId: primary\n',
    ['delete-secondary primary'],
    'METHOD scheduling.calendars.clear\ncalendarId: primary\n',
  ],
  [
    'METHOD scheduling.events.list\ncalendarId: primary\nq: a\nsyncToken: b\n',
    ['sync-token a'],
    'METHOD scheduling.events.list\ncalendarId: primary\nsyncToken: b\n',
  ],
  [
    'METHOD deployments.deployments.stop\nproject: shop\ndeployment: web\n\n{}\n',
    ['fingerprint deployments.deployments.stop'],
  ],
  [
    'METHOD deployments.deployments.setIamPolicy\nproject: shop\nresource: web\n\n{ "policy": {} }\n',
    ['policy-replaces "policy"'],
  ],
  [
    'METHOD scheduling.events.patch\ncalendarId: primary\neventId: ab12\n\n{ "attendees": [] }\n',
    ['patch-units scheduling.events.patch', 'patch-semantics "attendees"'],
  ],
];

for (const [text, found, fixed] of rows) {
  test(`${JSON.stringify(text)} has ${found.join(', ') || 'no findings'}`, async () => {
    const { findings } = await check(text);
    assert.deepEqual(
      findings.map((it) => named(text, it)),
      found,
    );
    for (const { message } of findings) assert.doesNotMatch(message, /undefined|\{\d\}/);
    if (fixed !== undefined) assert.equal(changed(text, findings[0]?.fixes?.[0]?.edits), fixed);
  });
}

test('every fix with an edit removes its finding', async () => {
  for (const [text] of rows) {
    for (const finding of (await check(text)).findings) {
      for (const { title, edits } of finding.fixes ?? []) {
        if (edits === undefined) continue;
        const after = changed(text, edits);
        const left = (await check(after)).findings.map((it) => named(after, it));
        assert.ok(!left.includes(named(text, finding)), `${title} in ${text}: ${left}`);
      }
    }
  }
});

test('a replacing change without its version offers to read it, or to replace whatever is there', async () => {
  const text = `${update}{ ${times} }\n`;
  const [finding] = (await check(text)).findings;
  const [read, replace] = finding?.fixes ?? [];
  assert.deepEqual(read?.command, { run: 'insertVersion', args: [] });
  assert.match(changed(text, replace?.edits), /^replace: true$/m);
});

test('a fix that calls another method is not applied by a key for all fixes', async () => {
  const isPreferred = async (text: string) => (await check(text)).findings[0]?.fixes?.[0]?.isPreferred;
  assert.equal(await isPreferred('METHOD scheduling.calendars.delete\ncalendarId: primary\n'), false);
  assert.equal(await isPreferred('METHOD scheduling.calendars.clear\ncalendarId: team\n'), true);
});

test('a service that is not connected is a finding with the command that connects it', async () => {
  const text = 'METHOD link-safety.threatLists.list\n';
  const [finding] = (await check(text, false)).findings;
  assert.equal(finding && named(text, finding), 'not-connected link-safety.threatLists.list');
  assert.equal(finding?.severity, 'warning');
  assert.deepEqual(finding.fixes?.[0]?.command, {
    id: 'packageInsights.connectService',
    args: [{ name: 'link-safety' }],
  });
});
