import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registryReaders } from '../../../../server/src/engine/ecosystems/registries.ts';
import { isFolderAddress } from '../../../../server/src/engine/ecosystems/shared/registry-address.ts';
import type { AccessSource, AskedRegistry } from '../../../../server/src/engine/model/registries/access.ts';
import { knownHost, type RoutedPackage } from '../../../../server/src/engine/model/registry.ts';
import { randomFrom } from '../../../tools/soak/random.ts';
import { inputsOf, settingsOfClients } from './random-settings.ts';

/*
 * Two questions about random settings of each client: where may a package come from, and where does its client ask for it?
 * A registry that is asked, and that the package may not come from, is one whose name would have been sent to the public
 * service.
 */

const ROUNDS = 500;

for (const settings of settingsOfClients) {
  test(`what ${settings.client} asks for a package is among those that it may come from`, () => {
    const random = randomFrom(20_261_127);
    const reader = registryReaders[settings.system];
    let asked = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const sources = settings.sources(random);
      const owners = reader.ownersOf(sources);
      const access = reader.accessTo(inputsOf(settings, sources));
      for (const it of settings.asked) {
        const hosts = hostsAsked(access(it)?.registries ?? [], it);
        asked += hosts.length;
        // One that is not known may be any.
        const known = owners(it).map(knownHost);
        if (known.includes(undefined)) continue;
        const missing = hosts.filter((host) => !known.includes(host));
        assert.deepEqual(missing, [], `${JSON.stringify(it)} of [${known}]\n${shown(sources)}`);
      }
    }
    assert.ok(asked > ROUNDS, 'the settings name registries');
  });
}

/** Folders are no registries, and Maven asks one for releases or for snapshots alone. */
function hostsAsked(registries: readonly AskedRegistry[], { version }: RoutedPackage): readonly string[] {
  const kind = version === undefined ? undefined : version.endsWith('-SNAPSHOT') ? 'snapshots' : 'releases';
  return registries
    .filter(({ takes, address }) => !isFolderAddress(address) && (takes ?? kind) === (kind ?? takes))
    .map(({ address }) => (URL.canParse(address) ? new URL(address).hostname : address));
}

function shown(sources: readonly AccessSource[]): string {
  return sources.map(({ label, owner, text }) => `--- ${label} (${owner})\n${text}`).join('\n');
}
