import * as l10n from '@vscode/l10n';
import { isRecord } from '../../engine/base/text.ts';
import type { CallPriority } from '../../engine/model/connection.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type {
  Answered,
  DeployedResource,
  DeploymentAction,
  DeploymentProgress,
  DeploymentRequest,
  DeploymentResult,
  DeploymentState,
  Deployments,
  ListedOperation,
} from '../model/deployments/deployments.ts';
import { describeResult } from './describe.ts';
import { gatherImports } from './imports.ts';
import { readManifest } from './manifest.ts';
import { problemsIn } from './problems.ts';
import { failureText, type ServiceAnswer, type ServiceCalls } from './service-calls.ts';

/** In ms, between two questions about an operation: at first, and at most. */
const FIRST_PAUSE = 500;
const MAX_PAUSE = 5_000;
/** Questions in a row that may fail before an operation is given up. */
const MAX_FAILURES = 5;
/** In ms: real operations take minutes. */
const MAX_DURATION = 2 * 3_600_000;

/** Source: documentation of access control. */
const permissions: Readonly<Record<DeploymentAction, string>> = {
  preview: 'deploymentmanager.deployments.update',
  deploy: 'deploymentmanager.deployments.update',
  'cancel-preview': 'deploymentmanager.deployments.cancelPreview',
  stop: 'deploymentmanager.deployments.stop',
  delete: 'deploymentmanager.deployments.delete',
};
const createPermission = 'deploymentmanager.deployments.create';

export function createDeployments({
  calls,
  clock,
  project,
}: {
  readonly calls: ServiceCalls;
  readonly clock: Clock;
  readonly project: () => string;
}): Deployments {
  type Read<T> = (value: Shape) => T | undefined;

  /** Sends one call about the chosen project; not without one. */
  async function call(
    method: string,
    parameters: Readonly<Record<string, string>>,
    more: Parameters<ServiceCalls['call']>[2] = {},
  ): Promise<ServiceAnswer> {
    const chosen = project();
    if (chosen === '') return { kind: 'failed', reason: l10n.t('no project is chosen') };
    return calls.call(method, { project: chosen, ...parameters }, more);
  }

  async function listOf<T>(
    method: string,
    parameters: Readonly<Record<string, string>>,
    member: string,
    read: Read<T>,
    signal: AbortSignal | undefined,
  ): Promise<Answered<readonly T[]>> {
    const chosen = project();
    if (chosen === '') return { kind: 'failed', reason: l10n.t('no project is chosen') };
    const answer = await calls.list(method, { project: chosen, ...parameters }, { ...(signal && { signal }) });
    if (answer.kind !== 'done') return unanswered(answer);
    const list = isRecord(answer.value) ? (answer.value[member] ?? []) : undefined;
    if (!Array.isArray(list)) return { kind: 'failed', reason: l10n.t('the answer is not valid') };
    return { kind: 'value', value: list.filter(isRecord).flatMap((it) => read(it) ?? []) };
  }

  async function state(
    name: string,
    signal?: AbortSignal,
    priority: CallPriority = 'asked',
  ): Promise<Answered<DeploymentState>> {
    const more = { priority, ...(signal && { signal }) };
    const body = { permissions: [createPermission, ...new Set(Object.values(permissions))] };
    const [found, tested] = await Promise.all([
      call('deployments.get', { deployment: name }, more),
      call('deployments.testIamPermissions', { resource: name }, { ...more, body }),
    ]);
    const isAbsent = found.kind === 'failed' && found.status === 404;
    if (found.kind !== 'done' && !isAbsent) return unanswered(found);
    const granted = tested.kind === 'done' ? permittedIn(tested.value, isAbsent) : undefined;
    const permitted = granted ? { permitted: granted } : {};
    if (found.kind !== 'done') {
      return { kind: 'value', value: { name, exists: false, isPreviewed: false, ...permitted } };
    }
    const read = isRecord(found.value) ? readState(name, found.value) : undefined;
    if (!read) return { kind: 'failed', reason: l10n.t('the answer is not valid') };
    return { kind: 'value', value: { ...read, ...permitted } };
  }

  /** Sends the change, once. A person who gives up does not stop it half-way: it would be unknown whether it was made. */
  function begin(request: DeploymentRequest, seen: DeploymentState): Promise<ServiceAnswer> {
    const { action, name, config = '', imports = [] } = request;
    const current = { fingerprint: seen.fingerprint ?? '' };
    switch (action) {
      case 'preview':
      case 'deploy': {
        const preview = action === 'preview' ? { preview: 'true' } : undefined;
        const target = { config: { content: config }, ...(imports.length > 0 && { imports }) };
        return seen.exists
          ? call(
              'deployments.update',
              { deployment: name, ...preview },
              { body: { name, target, ...seen.kept, ...current } },
            )
          : call('deployments.insert', { ...preview }, { body: { name, target } });
      }
      case 'cancel-preview':
        return call('deployments.cancelPreview', { deployment: name }, { body: current });
      case 'stop':
        return call('deployments.stop', { deployment: name }, { body: current });
      case 'delete':
        return call('deployments.delete', { deployment: name }, { options: { confirm: name } });
    }
  }

  /** Asks for an operation until it has ended. */
  async function follow(
    operation: string,
    report: DeploymentProgress,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly kind: 'ended'; readonly value: Shape } | Exclude<DeploymentResult, { kind: 'done' }>> {
    const began = clock.now();
    let failures = 0;
    for (let pause = FIRST_PAUSE; ; pause = Math.min(MAX_PAUSE, pause * 1.5)) {
      const answer = await call('operations.get', { operation }, { ...(signal && { signal }) });
      const value = answer.kind === 'done' && isRecord(answer.value) ? answer.value : undefined;
      if (signal?.aborted || answer.kind === 'aborted') return { kind: 'running', operation };
      if (value) {
        failures = 0;
        report({ operation, percent: percentOf(value) });
        if (value['status'] === 'DONE') return { kind: 'ended', value };
      } else {
        failures++;
        const reason = answer.kind === 'failed' ? failureText(answer) : l10n.t('the answer is not valid');
        const isFinal = answer.kind === 'failed' && answer.status !== undefined && answer.status < 500;
        if (isFinal || failures >= MAX_FAILURES) return { kind: 'failed', reason, operation };
      }
      if (clock.now() - began > MAX_DURATION) return { kind: 'running', operation };
      await wait(pause, signal);
    }
  }

  function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      signal?.addEventListener('abort', end);
      if (signal?.aborted) end();
    });
  }

  const resources = (name: string, signal?: AbortSignal): Promise<Answered<readonly Shape[]>> =>
    listOf('resources.list', { deployment: name }, 'resources', (it) => it, signal);

  return {
    project,
    state,
    async run(request, report, signal) {
      const { action, name, seen } = request;
      const first = seen ? { kind: 'value' as const, value: seen } : await state(name, signal);
      if (first.kind !== 'value') return first;
      const begun = await begin(request, first.value);
      if (begun.kind === 'aborted') return begun;
      if (begun.kind === 'failed') {
        const isOther = begun.status === 412 || (begun.status === 409 && !first.value.exists && action !== 'delete');
        const now = isOther ? await state(name, signal) : undefined;
        if (now?.kind === 'value' && hasChanged(first.value, now.value)) return { kind: 'changed', now: now.value };
        const reason = failureText(begun);
        if (!begun.isLost) return { kind: 'failed', reason };
        return { kind: 'failed', reason: l10n.t('{0}; whether it was begun is not known', reason) };
      }
      const operation = isRecord(begun.value) ? textOf(begun.value['name']) : undefined;
      if (operation === undefined) return { kind: 'failed', reason: l10n.t('the service named no operation') };
      report({ operation, percent: 0 });
      const ended = await follow(operation, report, signal);
      if (ended.kind !== 'ended') return ended;
      const left = action === 'delete' ? undefined : await resources(name, signal);
      const found = left?.kind === 'value' ? left.value : [];
      return {
        kind: 'done',
        operation,
        problems: problemsIn(ended.value, found),
        resources: found.flatMap((it) => readResource(it) ?? []),
      };
    },
    async gather(uri, text, read) {
      const manifest = readManifest(uri, text);
      return manifest ? gatherImports(uri, manifest, read) : { kind: 'no-manifest' };
    },
    describe: describeResult,
    list: (signal) =>
      listOf(
        'deployments.list',
        {},
        'deployments',
        (it) => {
          const name = textOf(it['name']);
          if (name === undefined) return undefined;
          const description = textOf(it['description']);
          const operation = isRecord(it['operation']) ? readOperation(it['operation']) : undefined;
          return { name, ...(description !== undefined && { description }), ...(operation && { operation }) };
        },
        signal,
      ),
    async resources(name, signal) {
      const found = await resources(name, signal);
      if (found.kind !== 'value') return found;
      return { kind: 'value', value: found.value.flatMap((it) => readResource(it) ?? []) };
    },
    manifests: (name, signal) =>
      listOf(
        'manifests.list',
        { deployment: name },
        'manifests',
        (it) => {
          const manifest = textOf(it['name']);
          const insertTime = textOf(it['insertTime']);
          return manifest === undefined ? undefined : { name: manifest, ...(insertTime && { insertTime }) };
        },
        signal,
      ),
    async operations(name, signal) {
      const isOwn = (link: unknown): boolean => typeof link === 'string' && link.endsWith(`/deployments/${name}`);
      const read: Read<ListedOperation> = (it) => (isOwn(it['targetLink']) ? readOperation(it) : undefined);
      return listOf('operations.list', { orderBy: 'creationTimestamp desc' }, 'operations', read, signal);
    },
    async config(name, manifest, signal) {
      const answer = await call('manifests.get', { deployment: name, manifest }, { ...(signal && { signal }) });
      if (answer.kind !== 'done') return unanswered(answer);
      const config = isRecord(answer.value) ? answer.value['config'] : undefined;
      const content = isRecord(config) ? config['content'] : undefined;
      return typeof content === 'string'
        ? { kind: 'value', value: content }
        : { kind: 'failed', reason: l10n.t('the answer is not valid') };
    },
  };
}

type Shape = Readonly<Record<string, unknown>>;

function unanswered(answer: Exclude<ServiceAnswer, { kind: 'done' }>): Exclude<Answered<never>, { kind: 'value' }> {
  return answer.kind === 'aborted' ? answer : { kind: 'failed', reason: failureText(answer) };
}

function hasChanged(before: DeploymentState, now: DeploymentState): boolean {
  return before.exists !== now.exists || before.fingerprint !== now.fingerprint;
}

function permittedIn(value: unknown, isAbsent: boolean): readonly DeploymentAction[] | undefined {
  if (!isRecord(value)) return undefined;
  const granted: unknown[] = Array.isArray(value['permissions']) ? value['permissions'] : [];
  return (Object.keys(permissions) as DeploymentAction[]).filter((it) =>
    granted.includes(isAbsent && permissions[it] === permissions.deploy ? createPermission : permissions[it]),
  );
}

function readState(name: string, value: Shape): DeploymentState | undefined {
  const fingerprint = textOf(value['fingerprint']);
  if (fingerprint === undefined) return undefined;
  const manifest = lastOf(value['manifest']);
  const update = isRecord(value['update']) ? value['update'] : undefined;
  const pending = lastOf(update?.['manifest']);
  const operation = isRecord(value['operation']) ? readOperation(value['operation']) : undefined;
  const description = textOf(value['description']);
  const labels = Array.isArray(value['labels']) ? value['labels'] : undefined;
  const isRunning = operation !== undefined && operation.status !== 'DONE';
  return {
    name,
    exists: true,
    fingerprint,
    ...((description ?? labels) !== undefined && {
      kept: { ...(description !== undefined && { description }), ...(labels && { labels }) },
    }),
    ...(manifest !== undefined && { manifest }),
    ...(pending !== undefined && { pendingManifest: pending }),
    // A preview stays as the pending update once its operation has ended. So does an update that has failed.
    isPreviewed: update !== undefined && !isRunning && (operation?.errors === 0 || operation?.type === 'preview'),
    ...(isRunning && { running: operation.name }),
    ...(operation && { lastOperation: { type: operation.type, errors: operation.errors } }),
  };
}

function readOperation(value: Shape): ListedOperation | undefined {
  const name = textOf(value['name']);
  if (name === undefined) return undefined;
  const error = isRecord(value['error']) && Array.isArray(value['error']['errors']) ? value['error']['errors'] : [];
  const [insertTime, user] = [textOf(value['insertTime']), textOf(value['user'])];
  return {
    name,
    type: textOf(value['operationType']) ?? '',
    status: textOf(value['status']) ?? '',
    errors: error.length,
    ...(insertTime !== undefined && { insertTime }),
    ...(user !== undefined && { user }),
  };
}

function readResource(value: Shape): DeployedResource | undefined {
  const [name, type] = [textOf(value['name']), textOf(value['type'])];
  if (name === undefined) return undefined;
  const update = isRecord(value['update']) ? value['update'] : {};
  const [intent, state, url] = [textOf(update['intent']), textOf(update['state']), textOf(value['url'])];
  return {
    name,
    type: type ?? '',
    ...(intent !== undefined && { intent }),
    ...(state !== undefined && { state }),
    ...(url !== undefined && { url }),
  };
}

function percentOf(value: Shape): number {
  const progress = value['progress'];
  return typeof progress === 'number' ? Math.min(100, Math.max(0, Math.round(progress))) : 0;
}

/** The last part of a link. */
function lastOf(link: unknown): string | undefined {
  return textOf(textOf(link)?.split('/').at(-1));
}

/** In characters. */
const MAX_TEXT = 1000;

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT ? value : undefined;
}
