import type { RegistryProtocol } from '../model/registries/access.ts';
import type { RegistryClient } from '../model/registries/registry-client.ts';
import { goProxy } from './go-proxy.ts';
import { mavenClient } from './maven.ts';
import { npmRegistryClient } from './npm.ts';
import { nugetClient } from './nuget.ts';
import { simpleIndex } from './simple-index.ts';
import { sparseIndexClient } from './sparse-index.ts';

/** How the registries of each protocol are asked. */
export const registryClients = {
  npm: npmRegistryClient,
  maven: mavenClient,
  'simple-index': simpleIndex,
  nuget: nugetClient,
  'sparse-index': sparseIndexClient,
  'go-proxy': goProxy,
} as const satisfies Record<RegistryProtocol, RegistryClient>;
