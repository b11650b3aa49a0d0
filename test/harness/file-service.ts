import { after } from 'node:test';
import { type StartedService, startService } from './service.ts';

/** A service that ends with the tests of the file it is started in. */
export async function startServiceForFile(catalog?: Parameters<typeof startService>[0]): Promise<StartedService> {
  const service = await startService(catalog);
  after(() => service.close());
  return service;
}
