import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { buildRequest } from '../../../server/src/connected/api/build-request.ts';
import { allMethods, resourceParameter, type ServiceMethod } from '../../../server/src/connected/api/service-method.ts';
import { completeRequest } from '../../../server/src/connected/requests/complete.ts';
import { hoverRequest } from '../../../server/src/connected/requests/hover.ts';
import { parseRequest } from '../../../server/src/connected/requests/parse.ts';
import { templateFor } from '../../../server/src/connected/requests/template.ts';
import '../../harness/seed.ts';
import { check } from './documents.ts';

/** Values of required parameters and members that have no usual one. */
const values: Readonly<Record<string, string>> = {
  text: 'Lunch at noon',
  etag: '"1"',
  timeMin: '2026-11-24T14:00:00Z',
  timeMax: '2026-11-24T15:00:00Z',
};

/** A template with its empty places filled in. */
function filled(method: ServiceMethod): string {
  return templateFor(method)
    .replace(/^([\w.]+): $/gm, (line, name: string) => `${line}${values[name] ?? 'a1'}`)
    .replace(/"(\w+)": ""/g, (_, name: string) => `"${name}": ${JSON.stringify(values[name] ?? 'a1')}`);
}

test('the template of every method is read as the request that the terminal builds', async () => {
  const methods = await allMethods();
  assert.equal(methods.length, 75);
  for (const method of methods) {
    const text = filled(method).replace('"policy": {}', '"policy": { "etag": "1" }');
    const { method: found, given, body, built, findings } = await check(text);
    assert.equal(found?.id, method.id);
    assert.deepEqual(
      findings.filter((it) => it.severity === 'error'),
      [],
      text,
    );
    const parameters = Object.fromEntries(
      method.parameters
        .filter((it) => it.isRequired)
        .map(({ name }) => [name, new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? '']),
    );
    const json = /\n\n(.*)$/s.exec(text)?.[1];
    const content: unknown = json === undefined ? undefined : JSON.parse(json);
    assert.deepEqual(body, content);
    assert.deepEqual(
      Object.entries(given).map(([name, it]) => [name, it[0]]),
      Object.entries(parameters),
    );
    const confirm = parameters[resourceParameter(method)?.name ?? ''] ?? '';
    const expected = buildRequest(method, parameters, content, { confirm });
    assert.ok(built?.ok && expected.ok);
    assert.deepEqual(built.request, expected.request);
  }
});

/** What a parameter may be given: valid for some types, and nothing that a line cannot contain. */
const written = fc.oneof(
  fc.constantFrom(
    'primary',
    'true',
    '7',
    '-1',
    '2026-11-24T14:00:00Z',
    'default',
    '#x',
    'a: b',
    '__proto__',
    '..',
    '{',
  ),
  fc.string({ unit: 'grapheme' }).filter((it) => it.trim() === it && it !== '' && !/[\r\n\u2028\u2029]/.test(it)),
);
const json = fc.jsonValue({ stringUnit: 'grapheme' });

test('whatever is written in a document, it is checked and built as the terminal does', async () => {
  const methods = await allMethods();
  const anyMethod = fc.constantFrom(...methods).chain((method) => {
    const names = [...method.parameters.map((it) => it.name), 'maxResult', 'constructor'];
    const members = method.body ? (method.types.membersOf(method.body.type)?.map((it) => it.name) ?? []) : ['a'];
    return fc.record({
      method: fc.constant(method),
      parameters: fc.dictionary(fc.constantFrom(...names), fc.array(written, { minLength: 1, maxLength: 2 })),
      body: fc.option(fc.dictionary(fc.constantFrom(...members, 'a\u2028# b', '__proto__'), json), { nil: undefined }),
      indent: fc.constantFrom('', '\t', '  '),
      lineEnd: fc.constantFrom('\n', '\r\n'),
      mark: fc.constantFrom('', '\uFEFF'),
    });
  });
  await fc.assert(
    fc.asyncProperty(anyMethod, async ({ method, parameters, body, indent, lineEnd, mark }) => {
      const lines = Object.entries(parameters).flatMap(([name, all]) => all.map((it) => `${name}: ${it}`));
      const content = body === undefined ? '' : JSON.stringify(body, undefined, indent);
      const text = `${mark}METHOD ${method.id}\n${lines.join('\n')}\n\n${content}\n`.replaceAll('\n', lineEnd);
      const { built } = await check(text);
      const confirm = parameters[resourceParameter(method)?.name ?? '']?.[0] ?? '';
      const sent: unknown = body === undefined ? undefined : JSON.parse(content);
      assert.deepEqual(built, buildRequest(method, parameters, sent, { confirm }), text);
    }),
  );
});

test('a body with thousands of unknown members is refused, although some may be new', async () => {
  const members = Array.from({ length: 1000 }, (_, at) => `"q${at}": 1`).join(', ');
  const { built } = await check(
    `METHOD scheduling.events.insert\ncalendarId: a\n\n{ "etag": "1", "start": {}, "end": {}, ${members} }`,
  );
  assert.equal(built?.ok, false);
});

const typed = `# Insert an event
METHOD scheduling.events.insert
calendarId: primary
sendUpdates: all

{
  # when
  "start": { "dateTime": "2026-11-24T14:00:00Z" },
  "end": { "dateTime": "2026-11-24T15:00:00Z" },
  "attendees": [{ "email": "a@example.org", "optional": true }, 5, null],
  "extendedProperties": { "private": { "a\\u0062": "\\"" } }
}
`;

/** All that an editor asks of a text, at one place. */
async function askAll(text: string, offset: number): Promise<void> {
  const parsed = parseRequest(text);
  await check(text);
  const items = await completeRequest(parsed, offset, { isConnected: () => true, takesSnippets: true });
  for (const { span, label } of items) {
    assert.ok(span.start <= offset && offset <= span.end, `${label} at ${offset} of ${text}`);
    assert.doesNotMatch(text.slice(span.start, span.end), /[\r\n]/);
  }
  await hoverRequest(parsed, offset);
}

test('every beginning of a document is answered, and the cursor is within what a completion replaces', async () => {
  for (const text of [typed, typed.replaceAll('\n', '\r\n'), typed.replaceAll('\n', '\r')]) {
    for (let end = 0; end <= text.length; end++) {
      await askAll(text.slice(0, end), end);
      // Typed in the middle of a document.
      await askAll(text, end);
    }
  }
});

test('every end of a document, and one with a part cut out, is answered', async () => {
  for (let from = 0; from <= typed.length; from++) {
    await askAll(typed.slice(from), 0);
    await askAll(typed.slice(0, from) + typed.slice(from + 7), from);
  }
});
