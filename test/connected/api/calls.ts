import assert from 'node:assert/strict';
import {
  type BuiltRequest,
  buildRequest,
  type GivenParameters,
} from '../../../server/src/connected/api/build-request.ts';
import type { RequestOptions } from '../../../server/src/connected/api/rules.ts';
import { findMethod, type ServiceMethod } from '../../../server/src/connected/api/service-method.ts';
import type { ApiRequest } from '../../../server/src/engine/model/connection.ts';

/** A method that exists. */
export async function methodNamed(id: string): Promise<ServiceMethod> {
  const found = await findMethod(id);
  assert.ok(found.kind === 'found', id);
  return found.method;
}

export async function build(
  id: string,
  given: GivenParameters = {},
  body?: unknown,
  options: RequestOptions = {},
): Promise<BuiltRequest> {
  return buildRequest(await methodNamed(id), given, body, options);
}

/** The request of a call that is in order. */
export async function request(...call: Parameters<typeof build>): Promise<ApiRequest> {
  const built = await build(...call);
  assert.ok(built.ok, JSON.stringify(built));
  return built.request;
}

/** What is wrong with a call: `calendarId`, `body.start`, `rule import-default`. */
export async function problemsOf(...call: Parameters<typeof build>): Promise<string[]> {
  const built = await build(...call);
  if (built.ok) return [];
  return built.problems.map((it) => {
    assert.doesNotMatch(it.message, /[\r\n]|undefined|\{\d\}/);
    if (it.rule !== undefined) return `rule ${it.rule}`;
    return it.parameter ?? ['body', ...(it.member ?? [])].join('.');
  });
}
