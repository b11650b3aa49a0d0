import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostsOf, progressText } from './registries.ts';

/* What a trial with the registries of this machine says. */

test('the question names each host once, those of scopes, too', () => {
  const asked = new Map([
    ['NPM', ['https://npm.acme.example', 'https://ours.acme.example/npm']],
    ['PYPI', ['https://npm.acme.example/pypi']],
  ] as const);
  assert.deepEqual(hostsOf(asked), ['npm.acme.example', 'ours.acme.example']);
});

test('the line of progress counts what registries were asked', () => {
  const metrics = [
    '# TYPE insights_upstream_seconds histogram',
    'insights_upstream_seconds_bucket{le="1",outcome="answer"} 9',
    'insights_upstream_seconds_count{outcome="answer"} 12',
    'insights_upstream_seconds_count{outcome="failed"} 2',
  ].join('\n');
  assert.equal(progressText('http://127.0.0.1:1', metrics), 'http://127.0.0.1:1 · registries asked: 14, failed: 2');
  assert.equal(progressText('http://127.0.0.1:1', ''), 'http://127.0.0.1:1 · registries asked: 0');
});
