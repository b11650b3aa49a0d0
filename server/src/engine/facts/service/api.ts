import type { AdvisoryFacts, PackageFacts } from '../../model/facts.ts';
import type { AdvisoryId, PackageKey, VersionKey } from '../../model/keys.ts';
import type { Requirements } from '../../model/lookups.ts';
import type { ProjectFacts, ProjectId } from '../../model/signals/project.ts';
import type { SimilarFacts } from '../../model/signals/similar.ts';
import type { Endpoints } from './endpoints.ts';
import { readAdvisory, readPackage, readVersion } from './read-answers.ts';
import { readUsualList } from './read-list.ts';
import { requirementsReader } from './read-requirements.ts';
import { readProject, readSimilar } from './read-signals.ts';
import type { LookupResult } from './responses.ts';
import { encode } from './responses.ts';
import { untilUnserved } from './signal-methods.ts';
import { type BatchForm, type RequestedVersion, requestVersions } from './version-batch.ts';

/** Requests for the facts of manifests. */
export interface Api {
  /**
   * Requests many versions in one batch. Each gets its result once, page by page, unless the signal aborts. The keys must
   * be canonical and distinct.
   * @param form whether they are requested by key or by purl
   */
  versions(form: BatchForm, asked: readonly RequestedVersion[], signal?: AbortSignal): Promise<void>;
  package(key: PackageKey, signal?: AbortSignal): Promise<LookupResult<PackageFacts>>;
  advisory(id: AdvisoryId, signal?: AbortSignal): Promise<LookupResult<AdvisoryFacts>>;
  project(id: ProjectId, signal?: AbortSignal): Promise<LookupResult<ProjectFacts>>;
  /** The packages that are named similarly. */
  similar(key: PackageKey, signal?: AbortSignal): Promise<LookupResult<SimilarFacts>>;
  requirements(key: VersionKey, signal?: AbortSignal): Promise<LookupResult<Requirements>>;
}

export function createApi({ get, getBy, post }: Endpoints): Api {
  return {
    versions: (form, asked, signal) =>
      requestVersions(form, (body, read) => post(form.path, body, read, signal), asked, readVersion),

    package: (key, signal) =>
      get(
        `/systems/${key.system}/packages/${encode(key.name)}`,
        (it) => readPackage(it, key),
        signal,
        (text) => readUsualList(text, key),
      ),

    advisory: (id, signal) => get(`/advisories/${encode(id)}`, (it) => readAdvisory(it, id), signal),

    project: untilUnserved((id, signal) => getBy(`/projects/${encode(id)}`, (it) => readProject(it, id), signal)),

    similar: untilUnserved((key, signal) =>
      getBy(
        `/systems/${key.system}/packages/${encode(key.name)}:similarlyNamedPackages`,
        (it) => readSimilar(it, key),
        signal,
      ),
    ),

    requirements: ({ system, name, version }, signal) =>
      get(
        `/systems/${system}/packages/${encode(name)}/versions/${encode(version)}:requirements`,
        requirementsReader(system),
        signal,
      ),
  };
}
