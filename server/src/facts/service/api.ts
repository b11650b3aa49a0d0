import type { AdvisoryFacts, PackageFacts } from '../../model/facts.ts';
import type { AdvisoryId, PackageKey, VersionKey } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { Endpoints } from './endpoints.ts';
import { readAdvisory, readPackage } from './read-answers.ts';
import { requirementsReader } from './read-requirements.ts';
import type { Learnt } from './responses.ts';
import { encode } from './responses.ts';
import { type AskedVersion, askVersions, type BatchForm } from './version-batch.ts';

/** What manifests are asked about. */
export interface Api {
  /**
   * Asks for many versions in one batch; each learns of its answer once, page by page as they come, unless the signal
   * aborts. The keys must be canonical and differ from each other.
   * @param form whether they are asked for by key or by purl
   */
  versions(form: BatchForm, asked: readonly AskedVersion[], signal?: AbortSignal): Promise<void>;
  package(key: PackageKey, signal?: AbortSignal): Promise<Learnt<PackageFacts>>;
  advisory(id: AdvisoryId, signal?: AbortSignal): Promise<Learnt<AdvisoryFacts>>;
  requirements(key: VersionKey, signal?: AbortSignal): Promise<Learnt<Requirements>>;
}

export function createApi({ get, post }: Endpoints): Api {
  return {
    versions: (form, asked, signal) => askVersions(form, (body, read) => post(form.path, body, read, signal), asked),

    package: (key, signal) =>
      get(`/systems/${key.system}/packages/${encode(key.name)}`, (it) => readPackage(it, key), signal),

    advisory: (id, signal) => get(`/advisories/${encode(id)}`, (it) => readAdvisory(it, id), signal),

    requirements: ({ system, name, version }, signal) =>
      get(
        `/systems/${system}/packages/${encode(name)}/versions/${encode(version)}:requirements`,
        requirementsReader(system),
        signal,
      ),
  };
}
