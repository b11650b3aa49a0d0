import * as l10n from '@vscode/l10n';
import { isRecord } from '../../engine/base/text.ts';
import type { Connections } from '../../engine/model/connection.ts';
import { callMethod, type Send } from '../api/pages.ts';
import { methodsOf, type ServiceMethod } from '../api/service-method.ts';
import type { TextChange } from '../model/documents/service-document.ts';
import type { CheckedRequest } from './check.ts';
import { setMember } from './edits.ts';

/** What replaces a part of a document, or why nothing does: a sentence. */
export type Changed =
  | { readonly kind: 'changed'; readonly changes: readonly TextChange[] }
  | { readonly kind: 'failed'; readonly reason: string };

const failed = (reason: string): Changed => ({ kind: 'failed', reason });

/** Reads the resource of a document, and inserts the etag or the fingerprint of the version that was read. */
export async function insertVersion(
  { parsed, method, given }: CheckedRequest,
  connections: Pick<Connections, 'client'>,
  signal: AbortSignal,
): Promise<Changed> {
  const rule = method?.rules.find((it) => ['update-replaces', 'fingerprint', 'policy-replaces'].includes(it));
  if (method === undefined || rule === undefined) return failed(l10n.t('This method requires no version.'));
  const read = await readResource(method, given, connections, signal);
  if (read.kind === 'failed') return read;
  const name = rule === 'fingerprint' ? 'fingerprint' : 'etag';
  const version = read.value[name];
  if (typeof version !== 'string') return failed(l10n.t('The answer has no {0}.', name));
  const changes = setMember(parsed, rule === 'policy-replaces' ? ['policy', 'etag'] : [name], version);
  return changes ? { kind: 'changed', changes } : failed(l10n.t('The body is not JSON.'));
}

/** Makes an update of a patch: reads the resource, and changes in it what the patch changes. */
export async function getAndUpdate(
  { parsed, method, given, body }: CheckedRequest,
  connections: Pick<Connections, 'client'>,
  signal: AbortSignal,
): Promise<Changed> {
  const id = method?.id.replace(/\.patch$/, '.update');
  const update = method && (await methodsOf(method.connection)).find((it) => it.id === id);
  if (method === undefined || update === undefined || parsed.method === undefined)
    return failed(l10n.t('This method has no update.'));
  const read = await readResource(method, given, connections, signal);
  if (read.kind === 'failed') return read;
  const merged = JSON.stringify(mergePatch(read.value, body ?? {}), undefined, 2);
  const lines = parsed.lines.filter((it) => update.parameters.some(({ name }) => name === it.name));
  const head = [`METHOD ${update.id}`, ...lines.map((it) => `${it.name}: ${it.value}`)];
  const newText = `${[...head, '', ...merged.split('\n')].join(parsed.lineEnd)}${parsed.lineEnd}`;
  const span = { start: parsed.method.line.start, end: parsed.text.length };
  return { kind: 'changed', changes: [{ span, newText }] };
}

type ReadResource =
  | { readonly kind: 'read'; readonly value: Readonly<Record<string, unknown>> }
  | { readonly kind: 'failed'; readonly reason: string };

/** Requests what a method changes, through the method beside it that reads it. */
async function readResource(
  method: ServiceMethod,
  given: CheckedRequest['given'],
  connections: Pick<Connections, 'client'>,
  signal: AbortSignal,
): Promise<ReadResource> {
  const methods = await methodsOf(method.connection);
  const collection = method.id.slice(0, method.id.lastIndexOf('.'));
  const name = method.rules.includes('policy-replaces') ? 'getIamPolicy' : 'get';
  const reading = methods.find((it) => it.id === `${collection}.${name}`);
  if (reading === undefined) return { kind: 'failed', reason: l10n.t('No method reads it.') };
  const names = reading.parameters.filter((it) => it.in === 'path').map((it) => it.name);
  const own = Object.fromEntries(Object.entries(given).filter(([it]) => names.includes(it)));
  const client = connections.client(method.connection);
  const send: Send = (request, signal) => client.send(request, { priority: 'asked', ...(signal && { signal }) });
  const result = await callMethod(send, reading, own, undefined, {}, signal);
  switch (result.kind) {
    case 'done':
      if (isRecord(result.value)) return { kind: 'read', value: result.value };
      return { kind: 'failed', reason: l10n.t('The answer is empty.') };
    case 'error':
      return { kind: 'failed', reason: `${reading.id}: ${result.error.message}` };
    case 'refused':
      return { kind: 'failed', reason: result.problems.map((it) => it.message).join('; ') };
    case 'failed':
    case 'not-connected':
      return { kind: 'failed', reason: result.reason };
    case 'aborted':
      return { kind: 'failed', reason: l10n.t('canceled') };
  }
}

/** Source: RFC 7396. Lists are replaced, null removes. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged = new Map(Object.entries(isRecord(target) ? target : {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}
