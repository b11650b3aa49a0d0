import type {
  CreatePolicy,
  DeletePolicy,
  Intent,
  ManifestRecord,
  PlannedResource,
  ResourceRecord,
  Step,
} from './records.ts';

export interface Policies {
  readonly createPolicy: CreatePolicy;
  readonly deletePolicy: DeletePolicy;
}

/**
 * The steps from the resources that exist to those of a manifest. What exists as it is declared needs none. A resource
 * that is no longer declared goes after those that required it.
 * @param before the manifest that was deployed last
 */
export function planSteps(
  resources: readonly ResourceRecord[],
  manifest: ManifestRecord,
  before: ManifestRecord | undefined,
  { createPolicy, deletePolicy }: Policies,
): readonly Step[] {
  const existing = new Map(resources.map((it) => [it.name, it]));
  const wanted = new Map(manifest.resources.map((it) => [it.name, it]));
  const changed = manifest.resources.flatMap((it): Step[] => {
    const intent = intentOf(it, existing.get(it.name), createPolicy);
    return intent === undefined ? [] : [waiting(it.name, intent, it.after)];
  });
  const gone = resources.filter((it) => !wanted.has(it.name)).map((it) => it.name);
  return trimmed([...changed, ...gone.map((it) => waiting(it, deletePolicy, usersOf(it, before)))]);
}

/** The steps that remove everything. */
export function planRemoval(
  resources: readonly ResourceRecord[],
  manifest: ManifestRecord | undefined,
  deletePolicy: DeletePolicy,
): readonly Step[] {
  return trimmed(resources.map(({ name }) => waiting(name, deletePolicy, usersOf(name, manifest))));
}

function intentOf(
  wanted: PlannedResource,
  existing: ResourceRecord | undefined,
  createPolicy: CreatePolicy,
): Intent | undefined {
  if (existing?.url === undefined) return createPolicy;
  const same =
    wanted.problem === undefined &&
    existing.type === wanted.type &&
    textOf(existing.properties) === textOf(wanted.properties) &&
    textOf(existing.accessControl) === textOf(wanted.accessControl) &&
    existing.update?.errors === undefined;
  return same ? undefined : 'UPDATE';
}

function textOf(value: object | undefined): string {
  return JSON.stringify(value ?? {});
}

/** The resources that require one. */
function usersOf(name: string, manifest: ManifestRecord | undefined): readonly string[] {
  return (manifest?.resources ?? []).filter((it) => it.after.includes(name)).map((it) => it.name);
}

function waiting(resource: string, intent: Intent, after: readonly string[]): Step {
  return { resource, intent, after, state: 'waiting' };
}

/** Only steps are waited for. */
function trimmed(steps: readonly Step[]): readonly Step[] {
  const names = new Set(steps.map((it) => it.resource));
  return steps.map((it) => ({ ...it, after: it.after.filter((name) => names.has(name)) }));
}
