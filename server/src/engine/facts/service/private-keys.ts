import * as l10n from '@vscode/l10n';
import type { PackageKey } from '../../model/keys.ts';
import type { Lookups } from '../../model/lookups.ts';
import type { ServiceFact } from '../../model/ports.ts';
import { isSuspicion } from '../../model/severity-rating.ts';
import type { Api } from './api.ts';
import type { Failed } from './responses.ts';

/*
 * Keys with `registry` name packages of private registries. Nothing about them is sent to the service: the store takes no
 * such fact, and these guards stand before the wire, whatever calls it.
 */

export function isForService(wanted: ServiceFact): boolean {
  return 'id' in wanted ? !isSuspicion(wanted.id) : wanted.key.registry === undefined;
}

export function refusingPrivateKeys(api: Api): Api {
  return {
    ...api,
    async versions(form, asked, signal) {
      const ours = asked.filter(({ key }) => !isPrivate(key));
      for (const it of asked) if (isPrivate(it.key)) it.onResult(refused());
      if (ours.length > 0) await api.versions(form, ours, signal);
    },
    package: async (key, signal) => (isPrivate(key) ? refused() : api.package(key, signal)),
    requirements: async (key, signal) => (isPrivate(key) ? refused() : api.requirements(key, signal)),
    similar: async (key, signal) => (isPrivate(key) ? refused() : api.similar(key, signal)),
  };
}

export function lookupsRefusingPrivateKeys(lookups: Lookups): Lookups {
  return {
    requirements: async (key, signal) => (isPrivate(key) ? refused() : lookups.requirements(key, signal)),
    knownRequirements: (key) => (isPrivate(key) ? undefined : lookups.knownRequirements(key)),
    query: async (query, signal) =>
      query.version && isPrivate(query.version) ? refused() : lookups.query(query, signal),
    purl: async (purl, signal) => (isPrivate(purl.key) ? refused() : lookups.purl(purl, signal)),
  };
}

function isPrivate({ registry }: PackageKey): boolean {
  return registry !== undefined;
}

function refused(): Failed {
  return { kind: 'failed', reason: l10n.t('it comes from a private registry'), outage: false };
}
