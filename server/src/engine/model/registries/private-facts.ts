import type { Insight, PackageFacts, VersionFacts } from '../facts.ts';
import type { PackageKey, VersionKey } from '../keys.ts';
import type { Clock, ServiceFact } from '../ports.ts';
import type { Settings } from '../settings.ts';
import type { System } from '../system.ts';
import type { Access } from './access.ts';

/** A fact that private registries give. */
export type PrivateFact = Extract<ServiceFact, { readonly kind: 'version' | 'package' }>;

/** The facts of packages of private registries, by keys with `registry`. As `Insights` otherwise. */
export interface PrivateFacts {
  version(key: VersionKey): Insight<VersionFacts>;
  package(key: PackageKey): Insight<PackageFacts>;
  request(owner: string, wanted: readonly PrivateFact[], background: readonly PrivateFact[]): void;
  requestAlso(owner: string, wanted: readonly PrivateFact[]): void;
  release(owner: string): void;
  /** Asks for these packages first, by `packageId`. */
  prioritize(packages: ReadonlySet<string>): void;
  whenSettled(owner: string, patience: number, signal?: AbortSignal): Promise<void>;
  onDidChange(listener: (isSettled: boolean) => void): void;
  revision(): number;
  /** Asks again, also with credentials that were not accepted. */
  expire(): void;
  close(): void;
}

/** What the program passes to them. They are a bundle of their own, with its own copies of all modules. */
export interface PrivateFactsHost {
  readonly settings: () => Settings;
  readonly clock: Clock;
  /** The registries of a key's `registry`. */
  readonly accessOf: (id: string) => Access | undefined;
  /** Whether two spellings are the same version: `1.0` and `1.0.0` of NuGet. */
  readonly isSameVersion: (system: System, a: string, b: string) => boolean;
}
