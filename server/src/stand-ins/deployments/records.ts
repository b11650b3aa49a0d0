/*
 * What is kept, each as one JSON text. Times are in ms since the epoch. Links are made when a record is shown: the service
 * may run at another address next time.
 */

export interface Label {
  readonly key: string;
  readonly value: string;
}

export interface DeploymentRecord {
  readonly project: string;
  readonly name: string;
  readonly id: string;
  readonly insertTime: number;
  readonly updateTime?: number;
  readonly description?: string;
  readonly labels: readonly Label[];
  readonly fingerprint: string;
  /** The name of the manifest that was deployed last with success. */
  readonly manifest?: string;
  /** What is being deployed or previewed, or was when that failed. */
  readonly update?: PendingUpdate;
  /** The name of the operation that runs, or ran last. */
  readonly operation: string;
  /** The address of the user who created it. */
  readonly owner: string;
  readonly policy?: PolicyRecord;
}

export interface PendingUpdate {
  readonly manifest?: string;
  readonly description?: string;
  readonly labels?: readonly Label[];
  /** Absent once it is deployed. */
  readonly preview?: { readonly createPolicy: CreatePolicy; readonly deletePolicy: DeletePolicy };
}

export interface PolicyRecord {
  readonly bindings: readonly Binding[];
  readonly etag: string;
}

export interface Binding {
  readonly role: string;
  readonly members: readonly string[];
}

export type CreatePolicy = 'CREATE_OR_ACQUIRE' | 'ACQUIRE' | 'CREATE';
export type DeletePolicy = 'DELETE' | 'ABANDON';
export type Intent = CreatePolicy | DeletePolicy | 'UPDATE';

export interface ResourceRecord {
  readonly deployment: string;
  readonly name: string;
  readonly id: string;
  readonly type: string;
  readonly insertTime: number;
  readonly updateTime?: number;
  /** Of the manifest that made it so. Absent until it exists. */
  readonly manifest?: string;
  readonly properties?: object;
  readonly finalProperties?: object;
  readonly accessControl?: object;
  /** Its address, once it exists. */
  readonly url?: string;
  readonly warnings: readonly Warning[];
  readonly update?: ResourceUpdate;
}

export interface ResourceUpdate {
  readonly intent: Intent;
  readonly state: 'PENDING' | 'IN_PROGRESS' | 'IN_PREVIEW' | 'FAILED' | 'ABORTED';
  readonly manifest: string;
  readonly properties?: object;
  readonly finalProperties?: object;
  readonly accessControl?: object;
  readonly errors?: readonly OperationError[];
  readonly warnings: readonly Warning[];
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly data?: readonly Label[];
}

export interface OperationError {
  readonly code: string;
  readonly message: string;
  readonly location?: string;
  readonly errorDetails?: readonly object[];
}

export interface ManifestRecord {
  readonly deployment: string;
  readonly name: string;
  readonly id: string;
  readonly insertTime: number;
  readonly config: string;
  readonly imports: readonly ImportFile[];
  readonly resources: readonly PlannedResource[];
  readonly outputs: readonly ConfigOutput[];
  /** YAML. */
  readonly expandedConfig: string;
  /** YAML. */
  readonly layout: string;
}

/** A value that the configuration shows, perhaps with references. */
export interface ConfigOutput {
  readonly name: string;
  readonly value: unknown;
}

export interface ImportFile {
  readonly name: string;
  readonly content: string;
}

/** A resource of an expanded configuration. */
export interface PlannedResource {
  readonly name: string;
  readonly type: string;
  readonly properties: object;
  readonly accessControl?: object;
  /** The resources that it requires, by references and `dependsOn`. */
  readonly after: readonly string[];
  /** The composite types that made it and are not supported. */
  readonly warnings?: readonly Warning[];
  /** Why it cannot be deployed. */
  readonly problem?: { readonly code: string; readonly message: string };
}

export interface OperationRecord {
  readonly name: string;
  readonly id: string;
  readonly type: string;
  readonly user: string;
  readonly target: OperationTarget;
  readonly insertTime: number;
  readonly startTime?: number;
  readonly endTime?: number;
  readonly status: 'PENDING' | 'RUNNING' | 'DONE';
  readonly errors: readonly OperationError[];
  readonly warnings: readonly Warning[];
  readonly work: Work;
}

export interface OperationTarget {
  readonly collection: 'deployments' | 'typeProviders' | 'compositeTypes';
  readonly name: string;
  readonly id: string;
}

/** What an operation does between its start and its end. */
export type Work =
  | {
      readonly kind: 'deploy';
      readonly manifest: string | undefined;
      readonly steps: readonly Step[];
      readonly isStopped?: true;
    }
  | { readonly kind: 'delete'; readonly steps: readonly Step[]; readonly isStopped?: true }
  | { readonly kind: 'preview'; readonly manifest: string }
  | { readonly kind: 'cancelPreview' }
  /** Waits for the end of another operation. */
  | { readonly kind: 'stop'; readonly operation: string }
  | { readonly kind: 'none' };

export interface Step {
  readonly resource: string;
  readonly intent: Intent;
  /** Steps of these resources end before. */
  readonly after: readonly string[];
  readonly state: 'waiting' | 'running' | 'done' | 'failed' | 'aborted';
  readonly startTime?: number;
  readonly endTime?: number;
}

/** What a deployed resource is: it exists at its address, whether a deployment has it or not. */
export interface AssetRecord {
  readonly url: string;
  readonly project: string;
  /** Absent once it is abandoned. */
  readonly deployment?: string;
  readonly resource?: string;
  readonly type: string;
  readonly properties: object;
  /** What references to it find. */
  readonly outputs: object;
}

export interface TypeProviderRecord {
  readonly name: string;
  readonly id: string;
  readonly insertTime: number;
  readonly owner: string;
  readonly operation: string;
  /** The members that callers set. */
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface CompositeTypeRecord extends TypeProviderRecord {}
