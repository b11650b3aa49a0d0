import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completeRequest } from '../../../server/src/connected/requests/complete.ts';
import { hoverRequest } from '../../../server/src/connected/requests/hover.ts';
import { parseRequest } from '../../../server/src/connected/requests/parse.ts';
import { changed, withCursor } from './documents.ts';

const list = 'METHOD scheduling.events.list\n';
const insert = 'METHOD scheduling.events.insert\ncalendarId: primary\n\n';

/** A half typed text, an item that it is offered, and the text with this item; null where it is not offered. */
const rows: readonly (readonly [picture: string, label: string, then: string | null])[] = [
  ['|', 'METHOD link-safety.threatLists.list', 'METHOD link-safety.threatLists.list'],
  ['METHOD thr|', 'link-safety.threatLists.list', 'METHOD link-safety.threatLists.list'],
  ['METHOD scheduling.|\ncalendarId: a\n', 'scheduling.events.list', `${list}calendarId: a\n`],
  [`${list}cal|`, 'calendarId', `${list}calendarId: `],
  [`${list}calendarId: a\n|`, 'calendarId', null],
  [
    `${list}calendarId: a\neventTypes: default\n|`,
    'eventTypes',
    `${list}calendarId: a\neventTypes: default\neventTypes: `,
  ],
  [`${list}order|: updated\n`, 'orderBy', `${list}orderBy: updated\n`],
  [`${list}orderBy: |`, 'startTime', `${list}orderBy: startTime`],
  [`${list}orderBy:|`, 'startTime', `${list}orderBy: startTime`],
  [`${list}orderBy: up|\n`, 'updated', `${list}orderBy: updated\n`],
  [`${list}showDeleted: |`, 'true', `${list}showDeleted: true`],
  [`${list}calendarId: |`, 'primary', `${list}calendarId: primary`],
  [`${list}# cal|`, 'calendarId', null],
  [`${insert}|`, '{ }', `${insert}{\n  "end": {},\n  "start": {}\n}`],
  [`${insert}{ |`, 'summary', `${insert}{ "summary": ""`],
  [`${insert}{ "su|`, 'summary', `${insert}{ "summary": ""`],
  [`${insert}{ "su|"\n}`, 'summary', `${insert}{ "summary": ""\n}`],
  [`${insert}{ "su|": "x" }`, 'summary', `${insert}{ "summary": "x" }`],
  [`${insert}{\n  |\n  "start": {}\n}`, 'summary', `${insert}{\n  "summary": "",\n  "start": {}\n}`],
  [`${insert}{ "start": {}, | }`, 'start', null],
  [
    `${insert}{ "attendees": [{ "email": "a", | }] }`,
    'optional',
    `${insert}{ "attendees": [{ "email": "a", "optional": false }] }`,
  ],
  [`${insert}{ "attendees": [{ "optional": | }] }`, 'true', `${insert}{ "attendees": [{ "optional": true }] }`],
  [
    `${insert}{ "reminders": { "overrides": [ { "me|`,
    'method',
    `${insert}{ "reminders": { "overrides": [ { "method": ""`,
  ],
  [`${insert}{ "start": { "etag|`, 'kind', null],
];

for (const [picture, label, then] of rows) {
  test(`${JSON.stringify(picture)} ${then === null ? 'is not offered' : 'becomes'} ${label}`, async () => {
    const { text, offset } = withCursor(picture);
    const items = await completeRequest(parseRequest(text), offset, {
      isConnected: () => true,
      takesSnippets: false,
    });
    const item = items.find((it) => it.label === label);
    if (then === null) assert.equal(item, undefined);
    else assert.equal(item && changed(text, [item]), then);
  });
}

test('what is required comes first', async () => {
  const parts = { isConnected: () => true, takesSnippets: true };
  const parameters = await completeRequest(parseRequest(list), list.length, parts);
  assert.equal(parameters[0]?.label, 'calendarId');
  const { text, offset } = withCursor(`${insert}{ |`);
  const members = (await completeRequest(parseRequest(text), offset, parts)).map((it) => it.label);
  assert.deepEqual(members.slice(0, 2), ['end', 'start']);
});

test('methods of connected services come first, with their verb, path and units', async () => {
  const parts = { isConnected: (it: string) => it === 'token-audit', takesSnippets: true };
  const [first] = await completeRequest(parseRequest('METHOD '), 7, parts);
  assert.equal(first?.label, 'token-audit.activities.list');
  assert.match(first.detail ?? '', /^GET admin\/reports.* · 1 quota unit$/);
});

test('methods, parameters and members have a hover', async () => {
  const hovered = async (picture: string): Promise<string> => {
    const { text, offset } = withCursor(picture);
    const found = await hoverRequest(parseRequest(text), offset);
    return `${found && text.slice(found.span.start, found.span.end)} ${JSON.stringify(found?.prose)}`;
  };
  assert.match(await hovered('METHOD scheduling.ev|ents.patch\n'), /^scheduling\.events\.patch .*PATCH.*3 quota units/);
  assert.match(await hovered(`${list}order|By: updated`), /^orderBy .*startTime, updated/);
  assert.match(await hovered(`${insert}{ "attendees": [{ "emai|l": "a" }] }`), /^"email" .*text/);
  assert.match(await hovered(`${insert}{ "summary": "a|b" }`), /^"summary" /);
  assert.match(await hovered(`${insert}{ "unk|nown": 1 }`), /^undefined/);
});
