import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Caller, primaryLimit } from '../../../server/src/stand-ins/code-host/limits.ts';

/** The eight rows of the contract, and the bounds of the one with a formula. */
const rows: readonly (readonly [Caller, perHour: number])[] = [
  [{ kind: 'anonymous' }, 60],
  [{ kind: 'user' }, 5_000],
  [{ kind: 'enterprise-app' }, 15_000],
  [{ kind: 'enterprise-installation' }, 15_000],
  [{ kind: 'installation', repositories: 0, users: 0 }, 5_000],
  [{ kind: 'installation', repositories: 20, users: 20 }, 5_000],
  [{ kind: 'installation', repositories: 21, users: 20 }, 5_050],
  [{ kind: 'installation', repositories: 20, users: 23 }, 5_150],
  [{ kind: 'installation', repositories: 5, users: 100 }, 9_000],
  [{ kind: 'installation', repositories: 95, users: 95 }, 12_500],
  [{ kind: 'installation', repositories: 1_000, users: 0 }, 12_500],
  [{ kind: 'app-user' }, 5_000],
  [{ kind: 'oauth-app', isEnterprise: false }, 5_000],
  [{ kind: 'oauth-app', isEnterprise: true }, 15_000],
  [{ kind: 'workflow', isEnterprise: false }, 1_000],
  [{ kind: 'workflow', isEnterprise: true }, 15_000],
];

for (const [caller, perHour] of rows) {
  test(`${JSON.stringify(caller)} may send ${perHour} requests an hour`, () => {
    assert.equal(primaryLimit(caller).perHour, perHour);
  });
}

test('the token of an app that acts for a user shares the limit of that user', () => {
  assert.deepEqual(primaryLimit({ kind: 'app-user' }), { ...primaryLimit({ kind: 'user' }), isShared: true });
});
