import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { VersionsAnswer } from '../../server/src/editor/requests/versions.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import { type Act, scriptedServer, status } from '../harness/scripted-server.ts';
import { strictClient } from './strict-client.ts';

const service = await startServiceForFile({ 'NPM lodash': { versions: ['4.17.15', '4.17.20', '4.17.21'] } });
const uri = 'file:///w/package.json';
const manifest = '{ "dependencies": { "lodash": "4.17.15" } }';
const lodash = { uri, name: 'lodash', offset: manifest.indexOf('4.17.15') };

/** The answer of the service, except for requests that contain a text. */
function except(text: string, refusal: Act): Act {
  return async (request, response) => {
    if (`${request.path} ${request.body}`.includes(text)) return refusal(request, response);
    const { method, path, body } = request;
    const answer = await fetch(service.url + path, { method, ...(body !== '' && { body }) });
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
}

async function ask(refusal: Act, params: object): Promise<VersionsAnswer> {
  const server = await scriptedServer(refusal);
  after(() => server.close());
  const client = await strictClient({ settings: { baseUrl: server.url } });
  await client.open(uri, manifest);
  await client.connection.sendRequest('packageInsights/versions', lodash);
  const answer = await client.connection.sendRequest<VersionsAnswer>('packageInsights/versions', params);
  await client.stop();
  return answer;
}

test('a list of versions that was refused has the reason of the service, not that of a wait', async () => {
  const answer = await ask(status(400, 'no'), lodash);
  assert.equal(answer.kind === 'none' && /no answer within/.test(answer.reason), false, JSON.stringify(answer));
});

test('a version that could not be looked up is said not to be checked, and why', async () => {
  const answer = await ask(except('4.17.20', status(400, 'no')), { ...lodash, versions: ['4.17.20'] });
  assert.ok(answer.kind === 'details');
  assert.match(answer.details[0]?.notes.join() ?? '', /^not checked: /);
});
