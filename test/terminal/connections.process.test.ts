import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runProgram } from './program.ts';

const secret = 'opensesame-0123456789';

test('the connections of the environment are listed, and never their credentials', async () => {
  const environment = {
    PACKAGE_INSIGHTS_CODE_HOST_URL: 'https://code.example/api',
    PACKAGE_INSIGHTS_CODE_HOST_TOKEN: secret,
    PACKAGE_INSIGHTS_LINK_SAFETY_URL: 'http://links.example',
    PACKAGE_INSIGHTS_LINK_SAFETY_TOKEN: secret,
  };
  const { code, out, error } = await runProgram(['connections'], '.', environment);
  assert.equal(code, 0);
  assert.deepEqual(out.split('\n').slice(0, 2), [
    'code-host: code.example, 0 of 2000 requests today, with a credential',
    'link-safety: not connected',
  ]);
  assert.match(out, /^ {2}last error: invalid address in packageInsights\.connections\.linkSafety\.baseUrl/m);
  assert.match(out, /^Not connected: scheduling, deployments, token-audit$/m);
  const listed = await runProgram(['connections', '--json'], '.', environment);
  assert.equal(JSON.parse(listed.out)[0].host, 'code.example');
  for (const it of [out, error, listed.out, listed.error]) assert.doesNotMatch(it, /opensesame/);
});
