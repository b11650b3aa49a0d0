import { checkDeclared, deployResource, outputsOf, type Place, ResourceProblem, removeResource } from './assets.ts';
import { withOutputs } from './expand.ts';
import { holdOperations } from './held-store.ts';
import type {
  DeploymentRecord,
  ManifestRecord,
  OperationError,
  OperationRecord,
  PlannedResource,
  ResourceRecord,
  ResourceUpdate,
  Step,
  Warning,
  Work,
} from './records.ts';
import { ReferenceProblem, resolveReferences } from './references.ts';
import { newId, type Store } from './store.ts';
import type { CatalogType } from './type-catalog.ts';

/** How long work takes, in ms. */
export interface Durations {
  /** Before an operation begins. */
  readonly pending: number;
  /** An operation without resources to deploy: a preview, a type provider. */
  readonly brief: number;
  /** One resource. Those that do not require each other are deployed at the same time. */
  readonly resource: number;
}

export const usualDurations: Durations = { pending: 500, brief: 1_000, resource: 2_000 };
/** Everything is done with the next request. */
export const noDurations: Durations = { pending: 0, brief: 0, resource: 0 };

export interface Machine {
  readonly store: Store;
  readonly durations: Durations;
  typeOf(project: string, type: string): CatalogType | undefined;
}

/** Steps of one call; a deployment has far fewer. Beyond them the next request goes on. */
const MAX_EVENTS = 100_000;

/**
 * Does what was due by now, in the order of time. Nothing runs between requests: the state at any time follows from the
 * records and the clock, also after a restart.
 */
export function advance(machine: Machine, now: number): void {
  const { store } = machine;
  if (!store.running().some((it) => isDue(nextEvent(machine, it), now))) return;
  store.inTransaction(() => {
    const { held, write } = holdOperations(store);
    advanceAll({ ...machine, store: held }, now);
    write();
  });
}

function advanceAll(machine: Machine, now: number): void {
  for (let count = 0; count < MAX_EVENTS; count++) {
    let earliest: Event | undefined;
    for (const it of machine.store.running()) {
      const event = nextEvent(machine, it);
      if (event && (earliest === undefined || event.at < earliest.at)) earliest = event;
    }
    if (!isDue(earliest, now)) return;
    earliest?.happen();
  }
}

interface Event {
  readonly at: number;
  happen(): void;
}

function isDue(event: Event | undefined, now: number): boolean {
  return event !== undefined && event.at <= now;
}

interface Running {
  readonly project: string;
  readonly operation: OperationRecord;
}

function nextEvent(machine: Machine, running: Running): Event | undefined {
  const { operation } = running;
  const { store, durations } = machine;
  if (operation.status === 'PENDING') {
    const at = operation.insertTime + durations.pending;
    return { at, happen: () => putOperation(store, running, { status: 'RUNNING', startTime: at }) };
  }
  const { work, startTime = operation.insertTime } = operation;
  switch (work.kind) {
    case 'deploy':
    case 'delete':
      return nextStep(machine, running, work, startTime);
    case 'stop': {
      const stopped = store.get('operation', { project: running.project, name: work.operation });
      if (stopped && stopped.status !== 'DONE') return undefined;
      const at = Math.max(startTime, stopped?.endTime ?? startTime);
      return { at, happen: () => end(machine, running, at) };
    }
    case 'preview':
    case 'cancelPreview':
    case 'none': {
      const at = startTime + durations.brief;
      return { at, happen: () => end(machine, running, at) };
    }
  }
}

type Steps = Extract<Work, { readonly steps: unknown }>;

function nextStep(machine: Machine, running: Running, work: Steps, startTime: number): Event {
  const { durations } = machine;
  const { steps } = work;
  const byName = new Map(steps.map((it) => [it.resource, it]));
  let next: Event | undefined;
  const offer = (at: number, happen: () => void): void => {
    if (next === undefined || at < next.at) next = { at, happen };
  };
  let last = startTime;
  for (const step of steps) {
    const { state, endTime = startTime } = step;
    if (state === 'running') {
      const at = (step.startTime ?? startTime) + durations.resource;
      offer(at, () => finishStep(machine, running, work, step, at));
    } else if (state !== 'waiting') {
      last = Math.max(last, endTime);
    } else {
      const required = step.after.flatMap((it) => byName.get(it) ?? []);
      if (required.some((it) => it.state === 'waiting' || it.state === 'running')) continue;
      const at = Math.max(startTime, ...required.map((it) => it.endTime ?? startTime));
      const isLost = required.some((it) => it.state !== 'done');
      offer(at, () =>
        isLost ? abortStep(machine, running, work, step, at) : beginStep(machine, running, work, step, at),
      );
    }
  }
  // Steps that require each other never begin. Plans have none; a file may.
  return next ?? { at: last, happen: () => end(machine, running, last) };
}

function beginStep(machine: Machine, running: Running, work: Steps, step: Step, at: number): void {
  const { store } = machine;
  const { place, manifest } = contextOf(machine, running, work);
  const planned = manifest?.resources.find((it) => it.name === step.resource);
  let said: readonly Warning[] = [];
  if (planned && isCreation(step)) {
    const { errors, warnings } = checkDeclared(place, planned, machine.typeOf(place.project, planned.type));
    if (errors.length > 0) {
      fail(machine, running, work, step, at, errors, warnings);
      return;
    }
    changeUpdate(store, place, step.resource, { warnings });
    said = warnings;
  }
  changeUpdate(store, place, step.resource, { state: 'IN_PROGRESS' });
  putSteps(store, withFindings(running, [], said), work, step, { state: 'running', startTime: at });
}

function finishStep(machine: Machine, running: Running, work: Steps, step: Step, at: number): void {
  const { store } = machine;
  const { place, manifest } = contextOf(machine, running, work);
  const key = { project: place.project, parent: place.deployment, name: step.resource };
  const existing = store.get('resource', key);
  if (!isCreation(step)) {
    if (existing?.url !== undefined) removeResource(store, existing.url, step.intent);
    store.remove('resource', key);
    putSteps(store, running, work, step, { state: 'done', endTime: at });
    return;
  }
  const resource = manifest?.resources.find((it) => it.name === step.resource);
  const type = resource && machine.typeOf(place.project, resource.type);
  if (!resource || !type || !existing) {
    const message = `the type of ${step.resource} does not exist any more`;
    fail(machine, running, work, step, at, [{ code: 'TYPE_NOT_FOUND', message }], []);
    return;
  }
  try {
    const { intent } = step;
    const deployed = deployResource(store, place, { resource, existing, intent, type, id: existing.id, at });
    const { update, ...kept } = existing;
    store.put('resource', key, {
      ...kept,
      ...deployed,
      type: resource.type,
      properties: resource.properties,
      ...(resource.accessControl && { accessControl: resource.accessControl }),
      ...(manifest && { manifest: manifest.name }),
      ...(existing.url === undefined ? { insertTime: at } : {}),
      updateTime: at,
      warnings: update?.warnings ?? [],
    });
    putSteps(store, running, work, step, { state: 'done', endTime: at });
  } catch (error) {
    if (!(error instanceof ResourceProblem)) throw error;
    fail(machine, running, work, step, at, error.errors, []);
  }
}

function fail(
  { store }: Machine,
  running: Running,
  work: Steps,
  step: Step,
  at: number,
  errors: readonly OperationError[],
  warnings: readonly Warning[],
): void {
  const place = placeOf(running);
  changeUpdate(store, place, step.resource, { state: 'FAILED', errors, warnings });
  putSteps(store, withFindings(running, errors, warnings), work, step, { state: 'failed', endTime: at });
}

function withFindings(
  { project, operation }: Running,
  errors: readonly OperationError[],
  warnings: readonly Warning[],
): Running {
  const { errors: before, warnings: said } = operation;
  return { project, operation: { ...operation, errors: [...before, ...errors], warnings: [...said, ...warnings] } };
}

/** Its requirements failed, so it is not begun. */
function abortStep({ store }: Machine, running: Running, work: Steps, step: Step, at: number): void {
  changeUpdate(store, placeOf(running), step.resource, { state: 'ABORTED' });
  putSteps(store, running, work, step, { state: 'aborted', endTime: at });
}

/** Ends an operation, and makes its deployment what the operation has left. */
function end(machine: Machine, running: Running, at: number): void {
  const { store } = machine;
  const { operation, project } = running;
  const { work, target } = operation;
  const key = { project, name: target.name };
  const deployment = target.collection === 'deployments' ? store.get('deployment', key) : undefined;
  let errors = operation.errors;
  let warnings = operation.warnings;
  if (deployment) {
    switch (work.kind) {
      case 'deploy':
        endDeploy(store, project, deployment, work.manifest, work.steps, at);
        break;
      case 'delete':
        if (work.steps.every((it) => it.state === 'done')) removeDeployment(store, project, deployment.name);
        break;
      case 'preview': {
        const found = endPreview(machine, project, deployment, work.manifest);
        errors = [...errors, ...found.errors];
        warnings = [...warnings, ...found.warnings];
        break;
      }
      case 'cancelPreview':
        dropPreview(store, project, deployment, at);
        break;
      case 'stop':
      case 'none':
        break;
    }
    if ('isStopped' in work && work.steps.some((it) => it.state === 'aborted')) {
      const message = `the operation was stopped; what it had not begun is not done`;
      errors = [...errors, { code: 'OPERATION_STOPPED', message, location: `/deployments/${deployment.name}` }];
    }
  }
  putOperation(store, running, { status: 'DONE', endTime: at, errors, warnings });
}

function endDeploy(
  store: Store,
  project: string,
  deployment: DeploymentRecord,
  manifest: string | undefined,
  steps: readonly Step[],
  at: number,
): void {
  const { update, ...kept } = deployment;
  const isDone = steps.every((it) => it.state === 'done');
  const key = { project, name: deployment.name };
  if (!isDone) {
    // What was not deployed stays in sight. It is no preview any more.
    const { preview: _, ...left } = update ?? {};
    store.put('deployment', key, { ...kept, update: left, updateTime: at });
    return;
  }
  store.put('deployment', key, {
    ...kept,
    ...(update?.description !== undefined && { description: update.description }),
    ...(update?.labels && { labels: update.labels }),
    ...(manifest !== undefined && { manifest }),
    updateTime: at,
  });
  if (manifest === undefined) return;
  for (const it of store.list('resource', project, deployment.name)) {
    store.put('resource', { project, parent: deployment.name, name: it.name }, { ...it, manifest });
  }
  fillOutputs(store, { project, deployment: deployment.name }, manifest);
}

/** Outputs have values once everything is deployed. One that refers to nothing has none. */
function fillOutputs(store: Store, place: Place, name: string): void {
  const key = { project: place.project, parent: place.deployment, name };
  const manifest = store.get('manifest', key);
  if (manifest === undefined || manifest.outputs.length === 0) return;
  const outputs = manifest.outputs.map((it) => {
    try {
      return { ...it, finalValue: resolveReferences(it.value, (resource) => outputsOf(store, place, resource)) };
    } catch (error) {
      if (error instanceof ReferenceProblem) return { ...it, finalValue: null };
      throw error;
    }
  });
  store.put('manifest', key, { ...manifest, layout: withOutputs(manifest.layout, outputs) });
}

function endPreview(
  machine: Machine,
  project: string,
  deployment: DeploymentRecord,
  name: string,
): { readonly errors: readonly OperationError[]; readonly warnings: readonly Warning[] } {
  const { store } = machine;
  const place = { project, deployment: deployment.name };
  const manifest = store.get('manifest', { project, parent: deployment.name, name });
  const errors: OperationError[] = [];
  const warnings: Warning[] = [];
  for (const planned of manifest?.resources ?? []) {
    const found = checkDeclared(place, planned, machine.typeOf(project, planned.type));
    errors.push(...found.errors);
    warnings.push(...found.warnings);
    changeUpdate(store, place, planned.name, {
      state: found.errors.length > 0 ? 'FAILED' : 'IN_PREVIEW',
      ...(found.errors.length > 0 && { errors: found.errors }),
      warnings: found.warnings,
    });
  }
  for (const it of store.list('resource', project, deployment.name)) {
    if (it.update?.state === 'PENDING') changeUpdate(store, place, it.name, { state: 'IN_PREVIEW' });
  }
  return { errors, warnings };
}

/** Leaves a deployment as it is deployed. */
export function dropPreview(store: Store, project: string, deployment: DeploymentRecord, at: number): void {
  const { update: _, ...kept } = deployment;
  store.put('deployment', { project, name: deployment.name }, { ...kept, updateTime: at });
  for (const it of store.list('resource', project, deployment.name)) {
    const key = { project, parent: deployment.name, name: it.name };
    const { update: __, ...resource } = it;
    if (it.url === undefined) store.remove('resource', key);
    else store.put('resource', key, resource);
  }
}

function removeDeployment(store: Store, project: string, name: string): void {
  for (const kind of ['resource', 'manifest'] as const) {
    for (const it of store.list(kind, project, name)) store.remove(kind, { project, parent: name, name: it.name });
  }
  store.remove('deployment', { project, name });
}

/**
 * Marks what an operation is about to do, or a preview would.
 * @param state of each resource
 */
export function markSteps(
  store: Store,
  { project, deployment }: Place,
  manifest: ManifestRecord | undefined,
  steps: readonly Step[],
  at: number,
): void {
  const parent = deployment;
  const planned = new Map(manifest?.resources.map((it) => [it.name, it]));
  for (const it of store.list('resource', project, parent)) {
    if (it.update === undefined) continue;
    const { update: _, ...resource } = it;
    if (it.url === undefined && !steps.some((step) => step.resource === it.name)) {
      store.remove('resource', { project, parent, name: it.name });
    } else store.put('resource', { project, parent, name: it.name }, resource);
  }
  for (const { resource: name, intent } of steps) {
    const wanted = planned.get(name);
    const key = { project, parent, name };
    const existing: ResourceRecord = store.get('resource', key) ?? {
      ...{ deployment, name, id: newId(), insertTime: at, warnings: [] },
      type: wanted?.type ?? '',
    };
    const update: ResourceUpdate = {
      intent,
      state: 'PENDING',
      manifest: manifest?.name ?? existing.manifest ?? '',
      ...(wanted && declaredOf(wanted)),
      warnings: [],
    };
    const type = existing.url === undefined && wanted ? wanted.type : existing.type;
    store.put('resource', key, { ...existing, type, update });
  }
}

function declaredOf({
  properties,
  accessControl,
}: PlannedResource): Pick<ResourceUpdate, 'properties' | 'accessControl'> {
  return { properties, ...(accessControl && { accessControl }) };
}

function isCreation({ intent }: Step): boolean {
  return intent !== 'DELETE' && intent !== 'ABANDON';
}

function placeOf({ project, operation }: Running): Place {
  return { project, deployment: operation.target.name };
}

function contextOf(
  { store }: Machine,
  running: Running,
  work: Steps,
): { readonly place: Place; readonly manifest: ManifestRecord | undefined } {
  const place = placeOf(running);
  const name = work.kind === 'deploy' ? work.manifest : undefined;
  const key = { project: place.project, parent: place.deployment };
  return { place, manifest: name === undefined ? undefined : store.get('manifest', { ...key, name }) };
}

function changeUpdate(
  store: Store,
  { project, deployment }: Place,
  name: string,
  change: Partial<ResourceUpdate>,
): void {
  const key = { project, parent: deployment, name };
  const resource = store.get('resource', key);
  if (resource?.update) store.put('resource', key, { ...resource, update: { ...resource.update, ...change } });
}

function putSteps(store: Store, { project, operation }: Running, work: Steps, step: Step, change: Partial<Step>): void {
  const steps = work.steps.map((it) => (it.resource === step.resource ? { ...it, ...change } : it));
  putOperation(store, { project, operation }, { work: { ...work, steps } });
}

function putOperation(store: Store, { project, operation }: Running, change: Partial<OperationRecord>): void {
  store.put('operation', { project, name: operation.name }, { ...operation, ...change });
}
