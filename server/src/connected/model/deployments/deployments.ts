import type { CallPriority } from '../../../engine/model/connection.ts';

/*
 * Deployments of the connected service: what can be done with one, and what became of it.
 */

export const deploymentActions = ['preview', 'deploy', 'cancel-preview', 'stop', 'delete'] as const;
export type DeploymentAction = (typeof deploymentActions)[number];

/** The form of names of deployments. Source: the contract of the service. */
export const deploymentNamePattern = /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

/** What is known of one deployment. */
export interface DeploymentState {
  readonly name: string;
  /** False if the service does not know it. */
  readonly exists: boolean;
  /** Of the version that was read: the service refuses a change of another one. */
  readonly fingerprint?: string;
  /** What an update would otherwise remove: its description and its labels, as the service gave them. */
  readonly kept?: { readonly description?: string; readonly labels?: readonly unknown[] };
  /** The name of the manifest that is deployed; absent until something is. */
  readonly manifest?: string;
  /** The name of the manifest that is previewed, being deployed, or was when that failed. */
  readonly pendingManifest?: string;
  readonly isPreviewed: boolean;
  /** The name of the operation that runs. */
  readonly running?: string;
  /** How the last operation ended: `insert`, `update`. */
  readonly lastOperation?: { readonly type: string; readonly errors: number };
  /** What the caller may do; undefined if the service did not say. */
  readonly permitted?: readonly DeploymentAction[];
}

/** What an action needs. */
export interface DeploymentRequest {
  readonly action: DeploymentAction;
  readonly name: string;
  /** Of a preview or a deployment. */
  readonly config?: string;
  readonly imports?: readonly { readonly name: string; readonly content: string }[];
  /**
   * The state that the person has seen: a deployment that has changed since is not changed. Absent: the state is read
   * first.
   */
  readonly seen?: DeploymentState;
}

/** A problem that the service reports. */
export interface DeploymentProblem {
  readonly severity: 'error' | 'warning';
  /** The resource that it is about; absent if the service names none. */
  readonly resource?: string;
  /** The word of the service: `RESOURCE_ERROR`. */
  readonly code?: string;
  readonly message: string;
}

export type DeploymentResult =
  /** The operation has ended, perhaps with errors. */
  | {
      readonly kind: 'done';
      readonly operation: string;
      readonly problems: readonly DeploymentProblem[];
      /** What was done, or is previewed, for each resource: `CREATE_OR_ACQUIRE`. */
      readonly resources: readonly DeployedResource[];
    }
  /** It has changed since it was read. Nothing was done. */
  | { readonly kind: 'changed'; readonly now: DeploymentState }
  /** It still runs, without a wait for its end. */
  | { readonly kind: 'running'; readonly operation: string }
  /** `reason` is a clause. `operation`: it was begun, and what became of it is not known. */
  | { readonly kind: 'failed'; readonly reason: string; readonly operation?: string }
  | { readonly kind: 'aborted' };

export interface DeployedResource {
  readonly name: string;
  readonly type: string;
  /** `CREATE_OR_ACQUIRE`, `DELETE`; absent once it is deployed. */
  readonly intent?: string;
  /** `IN_PREVIEW`, `FAILED`; absent once it is deployed. */
  readonly state?: string;
  readonly url?: string;
}

export interface DeploymentSummary {
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
}

/** The files that the service needs besides a manifest. */
export type GatheredFiles =
  | { readonly kind: 'files'; readonly files: readonly { readonly name: string; readonly content: string }[] }
  /** The manifest imports a file that cannot be read. */
  | { readonly kind: 'missing'; readonly path: string }
  | { readonly kind: 'no-manifest' };

/** How far an operation is. `percent`: from 0 to 100. */
export type DeploymentProgress = (progress: { readonly operation: string; readonly percent: number }) => void;

/** A result of the service, or why it is missing. `reason` is a clause. */
export type Answered<T> =
  | { readonly kind: 'value'; readonly value: T }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** The deployments of the chosen project. No function rejects. */
export interface Deployments {
  /** Empty while none is chosen: then nothing is sent. */
  project(): string;
  /** @param priority default: `asked` */
  state(name: string, signal?: AbortSignal, priority?: CallPriority): Promise<Answered<DeploymentState>>;
  /** Sends a change once, and follows its operation to the end. The signal ends the following, not the operation. */
  run(request: DeploymentRequest, report: DeploymentProgress, signal?: AbortSignal): Promise<DeploymentResult>;
  /**
   * Whether a text is a deployment manifest, and the files that the service needs besides it.
   * @param uri of the manifest: imports are relative to it
   */
  gather(uri: string, text: string, read: (uri: string) => Promise<string | undefined>): Promise<GatheredFiles>;
  /** What became of an action, as a sentence. */
  describe(action: DeploymentAction, result: DeploymentResult): DeploymentSummary;
  list(signal?: AbortSignal): Promise<Answered<readonly ListedDeployment[]>>;
  resources(name: string, signal?: AbortSignal): Promise<Answered<readonly DeployedResource[]>>;
  manifests(name: string, signal?: AbortSignal): Promise<Answered<readonly ListedManifest[]>>;
  operations(name: string, signal?: AbortSignal): Promise<Answered<readonly ListedOperation[]>>;
  /** The configuration of a manifest, as it was sent. */
  config(name: string, manifest: string, signal?: AbortSignal): Promise<Answered<string>>;
}

export interface ListedDeployment {
  readonly name: string;
  readonly description?: string;
  /** `insert`, `update`, and whether it still runs or has failed. */
  readonly operation?: ListedOperation;
}

export interface ListedManifest {
  readonly name: string;
  readonly insertTime?: string;
}

export interface ListedOperation {
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly errors: number;
  readonly insertTime?: string;
  readonly user?: string;
}
