import { isRecord } from '../../engine/base/text.ts';
import { mayRead, type Permission, permissionsOf, readBindings, requirePermission } from './access.ts';
import { markSteps } from './advance.ts';
import {
  type Call,
  findDeployment,
  missing,
  readEnum,
  readFlag,
  readLabels,
  readName,
  readText,
  requireIdle,
  runningOf,
  startOperation,
} from './call.ts';
import { ConfigProblem } from './config.ts';
import { expand } from './expand.ts';
import { pageOf } from './lists.ts';
import { type Policies, planRemoval, planSteps } from './plan.ts';
import type {
  DeploymentRecord,
  ImportFile,
  ManifestRecord,
  OperationRecord,
  OperationTarget,
  PendingUpdate,
  Step,
  Work,
} from './records.ts';
import { Refusal } from './refusal.ts';
import { newFingerprint, newId } from './store.ts';
import { templateOfComposite } from './types.ts';
import { MAX_MANIFEST_BYTES, shownDeployment, shownOperation, sizeOf } from './wire.ts';

const createPolicies = ['CREATE_OR_ACQUIRE', 'ACQUIRE', 'CREATE'] as const;
const deletePolicies = ['DELETE', 'ABANDON'] as const;

export function getDeployment(call: Call): object {
  return shown(call, permitted(call, 'deploymentmanager.deployments.get'));
}

/** Those that the caller may see. */
export function listDeployments(call: Call): object {
  const own = call.machine.store.list('deployment', call.project).filter((it) => mayRead(it, call.caller));
  const items = own.map((it) => ({ name: it.name, at: it.insertTime, shown: shown(call, it) }));
  const { items: deployments, ...more } = pageOf(items, call.query);
  return { deployments, ...more };
}

export function insertDeployment(call: Call): object {
  const { project, body, query, now, machine } = call;
  const { store } = machine;
  const name = readName(body, undefined);
  const isPreview = readFlag(query, 'preview');
  const policies = { createPolicy: readEnum(query, 'createPolicy', createPolicies), deletePolicy: 'DELETE' } as const;
  const description = readText(body, 'description');
  const labels = readLabels(body) ?? [];
  if (store.get('deployment', { project, name })) {
    const message = `'projects/${project}/global/deployments/${name}' already exists and cannot be created.`;
    throw new Refusal(409, message, undefined, 'duplicate');
  }
  requireIdle(call, 'deployments', name);
  const target = readTarget(call, name);
  if (target === undefined) throw new Refusal(400, "Required field 'target' not specified", 'target', 'required');
  const id = newId();
  putManifest(call, name, target);
  const steps = planSteps([], target, undefined, policies);
  markSteps(store, { project, deployment: name }, target, steps, now);
  const work = workOf(isPreview, target, steps);
  const operation = startOperation(
    call,
    isPreview ? 'preview' : 'insert',
    { collection: 'deployments', name, id },
    work,
  );
  store.put(
    'deployment',
    { project, name },
    {
      ...{ project, name, id, insertTime: now, labels, owner: call.caller, operation: operation.name },
      ...(description !== undefined && { description }),
      fingerprint: newFingerprint(),
      update: { manifest: target.name, ...(isPreview && { preview: policies }) },
    },
  );
  return shownOperation(call, operation);
}

export function updateDeployment(call: Call): object {
  return change(call, false);
}

/** Absent members stay as they are. */
export function patchDeployment(call: Call): object {
  return change(call, true);
}

function change(call: Call, isPatch: boolean): object {
  const { body, query, project, now, machine } = call;
  const { store } = machine;
  const deployment = permitted(call, 'deploymentmanager.deployments.update');
  const { name } = deployment;
  readName(body, name);
  const isPreview = readFlag(query, 'preview');
  const given: Policies = {
    createPolicy: readEnum(query, 'createPolicy', createPolicies),
    deletePolicy: readEnum(query, 'deletePolicy', deletePolicies),
  };
  requireFingerprint(call, deployment, isPatch);
  requireIdle(call, 'deployments', name);
  const description = readText(body, 'description');
  const labels = readLabels(body);
  const declared = readTarget(call, name);
  if (declared === undefined && isPreview) {
    throw new Refusal(400, 'A preview requires a configuration: target.config.content', 'target', 'required');
  }
  // Without a configuration, what was previewed is deployed, as it was previewed.
  const previewed = deployment.update?.preview;
  const target = declared ?? (previewed && manifestOf(call, name, deployment.update?.manifest));
  const policies: Policies = declared
    ? given
    : {
        createPolicy: query.has('createPolicy') ? given.createPolicy : (previewed?.createPolicy ?? given.createPolicy),
        deletePolicy: query.has('deletePolicy') ? given.deletePolicy : (previewed?.deletePolicy ?? given.deletePolicy),
      };
  if (declared) putManifest(call, name, declared);
  const resources = store.list('resource', project, name);
  const steps = target ? planSteps(resources, target, manifestOf(call, name, deployment.manifest), policies) : [];
  if (target) markSteps(store, { project, deployment: name }, target, steps, now);
  const operation = startOperation(
    call,
    isPreview ? 'preview' : isPatch ? 'patch' : 'update',
    targetOf(deployment),
    workOf(isPreview, target, steps),
  );
  const kept: Pick<PendingUpdate, 'description' | 'labels'> = isPatch
    ? deployment
    : declared === undefined && previewed
      ? (deployment.update ?? {})
      : {};
  const update: PendingUpdate = {
    ...(target
      ? { manifest: target.name }
      : deployment.update?.manifest !== undefined && { manifest: deployment.update.manifest }),
    description: description ?? kept.description ?? '',
    labels: labels ?? kept.labels ?? [],
    ...(isPreview && { preview: policies }),
  };
  touch(call, { ...deployment, update }, operation);
  return shownOperation(call, operation);
}

export function deleteDeployment(call: Call): object {
  const { query, project, now, machine } = call;
  const { store } = machine;
  const deployment = permitted(call, 'deploymentmanager.deployments.delete');
  const deletePolicy = readEnum(query, 'deletePolicy', deletePolicies);
  requireIdle(call, 'deployments', deployment.name);
  const manifest = manifestOf(call, deployment.name, deployment.manifest ?? deployment.update?.manifest);
  const steps = planRemoval(store.list('resource', project, deployment.name), manifest, deletePolicy);
  markSteps(store, { project, deployment: deployment.name }, undefined, steps, now);
  const operation = startOperation(call, 'delete', targetOf(deployment), { kind: 'delete', steps });
  const { update: _, ...kept } = deployment;
  touch(call, kept, operation);
  return shownOperation(call, operation);
}

/** What runs goes on to its end. What has not begun is left. */
export function stopDeployment(call: Call): object {
  const { project, now, machine } = call;
  const { store } = machine;
  const deployment = permitted(call, 'deploymentmanager.deployments.stop');
  requireFingerprint(call, deployment, false);
  const running = runningOf({ store, project }, 'deployments', deployment.name);
  if (running === undefined)
    throw new Refusal(400, `Deployment ${deployment.name} has no operation to stop.`, undefined, 'failedPrecondition');
  const isStopping = running.work.kind === 'stop' || ('isStopped' in running.work && running.work.isStopped);
  if (isStopping) requireIdle(call, 'deployments', deployment.name);
  if ('steps' in running.work) {
    const steps = running.work.steps.map(
      (it): Step => (it.state === 'waiting' ? { ...it, state: 'aborted', endTime: now } : it),
    );
    store.put(
      'operation',
      { project, name: running.name },
      { ...running, work: { ...running.work, steps, isStopped: true } },
    );
    for (const it of steps.filter((step) => step.state === 'aborted')) {
      const key = { project, parent: deployment.name, name: it.resource };
      const resource = store.get('resource', key);
      if (resource?.update)
        store.put('resource', key, { ...resource, update: { ...resource.update, state: 'ABORTED' } });
    }
  }
  const operation = startOperation(call, 'stop', targetOf(deployment), { kind: 'stop', operation: running.name });
  touch(call, deployment, operation);
  return shownOperation(call, operation);
}

export function cancelPreview(call: Call): object {
  const deployment = permitted(call, 'deploymentmanager.deployments.cancelPreview');
  requireFingerprint(call, deployment, false);
  requireIdle(call, 'deployments', deployment.name);
  if (deployment.update?.preview === undefined) {
    throw new Refusal(400, `Deployment ${deployment.name} has no preview to cancel.`, undefined, 'failedPrecondition');
  }
  const operation = startOperation(call, 'cancelPreview', targetOf(deployment), { kind: 'cancelPreview' });
  touch(call, deployment, operation);
  return shownOperation(call, operation);
}

/** Of a deployment that has no policy: an empty one. */
const noPolicy = { etag: 'ACAB' };

export function getIamPolicy(call: Call): object {
  const deployment = resourceOf(call);
  if (deployment === undefined) return noPolicy;
  requirePermission(deployment, call.caller, 'deploymentmanager.deployments.getIamPolicy');
  return deployment.policy ? { version: 1, ...deployment.policy } : noPolicy;
}

export function setIamPolicy(call: Call): object {
  const { body, values, machine, project } = call;
  const deployment = resourceOf(call);
  if (deployment === undefined) throw missing(call, 'deployments', values['resource'] ?? '');
  requirePermission(deployment, call.caller, 'deploymentmanager.deployments.setIamPolicy');
  // Both forms of the body are documented: the policy, or its members by themselves.
  const policy = isRecord(body['policy']) ? body['policy'] : body;
  const bindings = readBindings(policy['bindings']);
  const etag = readText(policy, 'etag') ?? readText(body, 'etag');
  const current = deployment.policy?.etag ?? noPolicy.etag;
  if (etag !== undefined && etag !== current) {
    throw new Refusal(
      409,
      'There were concurrent policy changes. Please retry the whole read-modify-write with exponential backoff.',
      'policy.etag',
      'aborted',
    );
  }
  const next = { bindings, etag: newFingerprint() };
  machine.store.put('deployment', { project, name: deployment.name }, { ...deployment, policy: next });
  return { version: 1, ...next };
}

export function testIamPermissions(call: Call): object {
  const { permissions } = call.body;
  if (!Array.isArray(permissions))
    throw new Refusal(400, "Required field 'permissions' not specified", 'permissions', 'required');
  const own = permissionsOf(resourceOf(call), call.caller);
  const found = permissions.filter((it) => own.has(it));
  return found.length > 0 ? { permissions: found } : {};
}

/** By its name or its id. */
function resourceOf({ machine: { store }, project, values }: Call): DeploymentRecord | undefined {
  const { resource = '' } = values;
  const isId = /^[1-9]/.test(resource);
  if (isId) return store.list('deployment', project).find((it) => it.id === resource);
  return store.get('deployment', { project, name: resource });
}

function permitted(call: Call, permission: Permission): DeploymentRecord {
  const deployment = findDeployment(call);
  requirePermission(deployment, call.caller, permission);
  return deployment;
}

function shown(call: Call, deployment: DeploymentRecord): object {
  const { store } = call.machine;
  return shownDeployment(
    call,
    deployment,
    store.get('operation', { project: call.project, name: deployment.operation }),
  );
}

function targetOf({ name, id }: DeploymentRecord): OperationTarget {
  return { collection: 'deployments', name, id };
}

function workOf(isPreview: boolean, manifest: ManifestRecord | undefined, steps: readonly Step[]): Work {
  return isPreview && manifest
    ? { kind: 'preview', manifest: manifest.name }
    : { kind: 'deploy', manifest: manifest?.name, steps };
}

/** A request has changed a deployment, so its fingerprint is another one. */
function touch({ machine: { store }, project }: Call, deployment: DeploymentRecord, operation: OperationRecord): void {
  store.put(
    'deployment',
    { project, name: deployment.name },
    {
      ...deployment,
      fingerprint: newFingerprint(),
      operation: operation.name,
    },
  );
}

/** @throws Refusal unless the caller has seen the deployment as it is */
function requireFingerprint({ body }: Call, { fingerprint }: DeploymentRecord, isOptional: boolean): void {
  const given = readText(body, 'fingerprint');
  if (given === undefined || given === '') {
    if (isOptional) return;
    throw new Refusal(400, "Required field 'fingerprint' not specified", 'fingerprint', 'required');
  }
  // Clients write base64 in both alphabets, and some without its end.
  const plain = (it: string): string => it.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
  if (plain(given) === plain(fingerprint)) return;
  throw new Refusal(
    412,
    'The fingerprint is not that of the deployment, which has changed since. Get it again.',
    'fingerprint',
  );
}

function manifestOf(
  { machine: { store }, project }: Call,
  parent: string,
  name: string | undefined,
): ManifestRecord | undefined {
  return name === undefined ? undefined : store.get('manifest', { project, parent, name });
}

function putManifest({ machine: { store }, project }: Call, parent: string, manifest: ManifestRecord): void {
  store.put('manifest', { project, parent, name: manifest.name }, manifest);
}

/** The configuration of a body as a manifest; undefined without one. */
function readTarget(call: Call, deployment: string): ManifestRecord | undefined {
  const { body, now, project, machine } = call;
  const { target } = body;
  if (target === undefined || target === null) return undefined;
  const place = 'target.config.content';
  const config = isRecord(target) ? target['config'] : undefined;
  const content = isRecord(config) ? config['content'] : undefined;
  if (!isRecord(target) || typeof content !== 'string' || content.trim() === '') {
    throw new Refusal(400, `Required field '${place}' not specified`, place, 'required');
  }
  const imports = readImports(target['imports']);
  const bytes = sizeOf({ config: content, imports });
  if (bytes > MAX_MANIFEST_BYTES) {
    throw new Refusal(400, `The configuration has ${bytes} bytes, ${MAX_MANIFEST_BYTES} are allowed`, place);
  }
  const templateOf = (name: string) => templateOfComposite(machine.store, project, name);
  try {
    const expanded = expand({ content, imports }, templateOf);
    const name = freeManifestName(call, deployment);
    return { ...expanded, deployment, name, id: newId(), insertTime: now, config: content, imports };
  } catch (error) {
    if (!(error instanceof ConfigProblem)) throw error;
    throw new Refusal(400, `Invalid value for field '${place}': ${error.message}`, place);
  }
}

/** `manifest-1764072000000`, the time of its request. */
function freeManifestName({ machine: { store }, project, now }: Call, parent: string): string {
  let time = Math.round(now);
  while (store.get('manifest', { project, parent, name: `manifest-${time}` })) time++;
  return `manifest-${time}`;
}

function readImports(value: unknown): readonly ImportFile[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value))
    throw new Refusal(400, "Invalid value for field 'target.imports': a list is required", 'target.imports');
  return value.map((it, at): ImportFile => {
    const { name, content = '' } = isRecord(it) ? it : {};
    if (typeof name === 'string' && typeof content === 'string') return { name, content };
    const place = `target.imports[${at}]`;
    throw new Refusal(400, `Invalid value for field '${place}': a name and a content are required`, place);
  });
}
