import { isSameUser, mayRead, type Permission, requirePermission } from './access.ts';
import { type Call, findDeployment, missing } from './call.ts';
import { pageOf } from './lists.ts';
import type { DeploymentRecord, OperationRecord } from './records.ts';
import { Refusal } from './refusal.ts';
import { shownManifest, shownOperation, shownResource } from './wire.ts';

/* The manifests and resources of a deployment, and the operations of a project. */

export function getManifest(call: Call): object {
  const { name: parent } = permitted(call, 'deploymentmanager.manifests.get');
  const { manifest = '' } = call.values;
  const found = call.machine.store.get('manifest', { project: call.project, parent, name: manifest });
  if (found) return shownManifest(call, found);
  throw missing(call, `deployments/${parent}/manifests`, manifest);
}

export function listManifests(call: Call): object {
  const { name: parent } = permitted(call, 'deploymentmanager.manifests.list');
  const all = call.machine.store.list('manifest', call.project, parent);
  const { items: manifests, ...more } = pageOf(
    all.map((it) => ({ name: it.name, at: it.insertTime, shown: shownManifest(call, it) })),
    call.query,
  );
  return { manifests, ...more };
}

export function getResource(call: Call): object {
  const { name: parent } = permitted(call, 'deploymentmanager.resources.get');
  const { resource = '' } = call.values;
  const found = call.machine.store.get('resource', { project: call.project, parent, name: resource });
  if (found) return shownResource(call, found);
  throw missing(call, `deployments/${parent}/resources`, resource);
}

export function listResources(call: Call): object {
  const { name: parent } = permitted(call, 'deploymentmanager.resources.list');
  const all = call.machine.store.list('resource', call.project, parent);
  const { items: resources, ...more } = pageOf(
    all.map((it) => ({ name: it.name, at: it.insertTime, shown: shownResource(call, it) })),
    call.query,
  );
  return { resources, ...more };
}

export function getOperation(call: Call): object {
  const { operation = '' } = call.values;
  const found = call.machine.store.get('operation', { project: call.project, name: operation });
  if (found === undefined) throw missing(call, 'operations', operation);
  if (isVisible(call, found)) return shownOperation(call, found);
  throw new Refusal(
    403,
    `Required 'deploymentmanager.operations.get' permission for 'projects/${call.project}/global/operations/${operation}'`,
  );
}

/** Those that the caller may see. */
export function listOperations(call: Call): object {
  const all = call.machine.store.list('operation', call.project).filter((it) => isVisible(call, it));
  const { items: operations, ...more } = pageOf(
    all.map((it) => ({ name: it.name, at: it.insertTime, shown: shownOperation(call, it) })),
    call.query,
  );
  return { operations, ...more };
}

/** An operation of the caller, or of a deployment that the caller may read. */
function isVisible({ machine: { store }, project, caller }: Call, { user, target }: OperationRecord): boolean {
  if (isSameUser(user, caller)) return true;
  if (target.collection !== 'deployments') return false;
  const deployment = store.get('deployment', { project, name: target.name });
  return deployment?.id === target.id && mayRead(deployment, caller);
}

function permitted(call: Call, permission: Permission): DeploymentRecord {
  const deployment = findDeployment(call);
  requirePermission(deployment, call.caller, permission);
  return deployment;
}
