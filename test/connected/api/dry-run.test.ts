import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dryRun } from '../../../server/src/connected/api/dry-run.ts';
import { request } from './calls.ts';

const baseUrl = 'https://calendar.example/v3';

test('a dry run as .http', async () => {
  const patch = await request(
    'scheduling.events.patch',
    { calendarId: 'a@example.org', eventId: 'ab12', sendUpdates: 'none' },
    { summary: 'Update lodash' },
    { etag: '"3181"' },
  );
  assert.equal(
    dryRun(patch, 'http', { baseUrl, comments: ['scheduling.events.patch', 'two\nlines'] }),
    `\
# scheduling.events.patch
# two lines
PATCH https://calendar.example/v3/calendars/a%40example.org/events/ab12?sendUpdates=none HTTP/1.1
Accept: application/json
Authorization: Bearer {{$processEnv PACKAGE_INSIGHTS_SCHEDULING_TOKEN}}
If-Match: "3181"
Content-Type: application/json

{"summary":"Update lodash"}`,
  );
  const audit = await request('token-audit.activities.list', { maxResults: '5' });
  assert.equal(
    dryRun(audit, 'http'),
    `\
GET {{$processEnv PACKAGE_INSIGHTS_TOKEN_AUDIT_URL}}/admin/reports/v1/activity/users/all/applications/token?maxResults=5&access_token={{$processEnv PACKAGE_INSIGHTS_TOKEN_AUDIT_TOKEN}} HTTP/1.1
Accept: application/json`,
  );
});

test('a dry run as cURL', async () => {
  const add = await request('scheduling.events.quickAdd', { calendarId: "it's", text: 'a $HOME' });
  assert.equal(
    dryRun(add, 'curl', { baseUrl }),
    `\
curl --globoff --request POST 'https://calendar.example/v3/calendars/it%27s/events/quickAdd?text=a%20%24HOME' \\
  --header 'Accept: application/json' \\
  --header "Authorization: Bearer $PACKAGE_INSIGHTS_SCHEDULING_TOKEN" \\
  --header 'Content-Length: 0'`,
  );
  const find = await request('link-safety.threatMatches.find', {}, { threatInfo: { threatEntries: [{ url: "a'b" }] } });
  assert.equal(
    dryRun(find, 'curl'),
    `\
curl --globoff --request POST "$PACKAGE_INSIGHTS_LINK_SAFETY_URL"'/v4/threatMatches:find' \\
  --header 'Accept: application/json' \\
  --url-query "key=$PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN" \\
  --header 'Content-Type: application/json' \\
  --data-binary '{"threatInfo":{"threatEntries":[{"url":"a'\\''b"}]}}'`,
  );
});
