import { isRecord } from '../../engine/base/text.ts';
import type { Binding, DeploymentRecord } from './records.ts';
import { Refusal } from './refusal.ts';

/*
 * Who may do what. Everyone with a credential may read the types of a project and create deployments and types in it. A
 * deployment belongs to its creator, who is its owner whatever its policy says; others have the roles of its policy.
 */

const reading = [
  'deploymentmanager.deployments.get',
  'deploymentmanager.deployments.list',
  'deploymentmanager.manifests.get',
  'deploymentmanager.manifests.list',
  'deploymentmanager.operations.get',
  'deploymentmanager.operations.list',
  'deploymentmanager.resources.get',
  'deploymentmanager.resources.list',
] as const;

const editing = [
  'deploymentmanager.deployments.cancelPreview',
  'deploymentmanager.deployments.delete',
  'deploymentmanager.deployments.stop',
  'deploymentmanager.deployments.update',
] as const;

const owning = ['deploymentmanager.deployments.getIamPolicy', 'deploymentmanager.deployments.setIamPolicy'] as const;

/** Of every caller, in every project. */
const common = [
  'deploymentmanager.compositeTypes.create',
  'deploymentmanager.compositeTypes.get',
  'deploymentmanager.compositeTypes.list',
  'deploymentmanager.deployments.create',
  'deploymentmanager.typeProviders.create',
  'deploymentmanager.typeProviders.get',
  'deploymentmanager.typeProviders.getType',
  'deploymentmanager.typeProviders.list',
  'deploymentmanager.typeProviders.listTypes',
  'deploymentmanager.types.list',
] as const;

/** Permissions on a deployment and on what belongs to it. */
export type Permission = (typeof reading | typeof editing | typeof owning)[number];

const viewer: readonly string[] = reading;
const editor: readonly string[] = [...reading, ...editing];
const owner: readonly string[] = [...reading, ...editing, ...owning];

/** Source: documentation of the roles. */
const roles: Readonly<Record<string, readonly string[]>> = {
  'roles/viewer': viewer,
  'roles/editor': editor,
  'roles/owner': owner,
  'roles/deploymentmanager.viewer': viewer,
  'roles/deploymentmanager.editor': editor,
};

/** @throws Refusal unless the caller has the permission */
export function requirePermission(deployment: DeploymentRecord, caller: string, permission: Permission): void {
  if (permissionsOf(deployment, caller).has(permission)) return;
  const resource = `projects/${deployment.project}/global/deployments/${deployment.name}`;
  throw new Refusal(403, `Required '${permission}' permission for '${resource}'`);
}

export function mayRead(deployment: DeploymentRecord, caller: string): boolean {
  return permissionsOf(deployment, caller).has('deploymentmanager.deployments.get');
}

/** @param deployment undefined if it does not exist */
export function permissionsOf(deployment: DeploymentRecord | undefined, caller: string): ReadonlySet<string> {
  if (deployment === undefined) return new Set(common);
  if (isSameUser(deployment.owner, caller)) return new Set([...common, ...owner]);
  const own = deployment.policy?.bindings.filter((it) => it.members.some((member) => isMember(member, caller))) ?? [];
  return new Set([...common, ...own.flatMap((it) => roles[it.role] ?? [])]);
}

export function isSameUser(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}

function isMember(member: string, caller: string): boolean {
  if (member === 'allUsers' || member === 'allAuthenticatedUsers') return true;
  const [, kind, name = ''] = /^(user|domain|serviceAccount):(.+)$/.exec(member) ?? [];
  if (kind === undefined) return false;
  return kind === 'domain' ? caller.toLowerCase().endsWith(`@${name.toLowerCase()}`) : isSameUser(name, caller);
}

/**
 * The bindings of a policy that a caller sets. One that would grant something else than it says is refused.
 * @throws Refusal
 */
export function readBindings(value: unknown): readonly Binding[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Refusal(400, 'policy.bindings must be a list', 'policy.bindings');
  return value.map((binding, at): Binding => {
    const place = `policy.bindings[${at}]`;
    if (!isRecord(binding)) throw new Refusal(400, `${place} must be an object`, place);
    const { role, members = [], condition } = binding;
    if (typeof role !== 'string' || !Object.hasOwn(roles, role)) {
      throw new Refusal(400, `${place}.role must be one of ${Object.keys(roles).join(', ')}`, `${place}.role`);
    }
    if (condition !== undefined && condition !== null) {
      throw new Refusal(400, `${place}.condition is not supported`, `${place}.condition`);
    }
    if (!Array.isArray(members)) throw new Refusal(400, `${place}.members must be a list`, `${place}.members`);
    for (const it of members) {
      const isKnown =
        typeof it === 'string' && /^(?:allUsers|allAuthenticatedUsers|(?:user|domain|serviceAccount):\S+)$/.test(it);
      if (isKnown) continue;
      const form = 'user:, domain:, serviceAccount:, allUsers or allAuthenticatedUsers';
      throw new Refusal(400, `${place}.members: ${String(it)} is not a member (${form})`, `${place}.members`);
    }
    return { role, members };
  });
}
