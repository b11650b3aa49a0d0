import type { Http } from '../engine/http/types.ts';
import type { PrivateFacts, PrivateFactsHost } from '../engine/model/registries/private-facts.ts';
import { registryClients } from '../engine/registries/clients.ts';
import { createPrivateFacts } from '../engine/registries/store.ts';
import { createTransport } from '../engine/registries/transport.ts';
import { loadTranslations } from '../platform/language.ts';

/*
 * The facts of private registries. A bundle of its own, which the programs load when the settings permit to ask them and
 * the first private name is met.
 */

/** @param locale of all texts; undefined for English. This bundle has its own copy of the translations. */
export function openPrivateFacts(
  host: PrivateFactsHost,
  http: Pick<Http, 'request'>,
  locale: string | undefined,
): PrivateFacts {
  if (locale !== undefined) loadTranslations(locale);
  const { settings, clock } = host;
  const transport = createTransport({ http, clock, settings, random: Math.random });
  return createPrivateFacts({ ...host, clients: registryClients, transport, random: Math.random });
}
