import { type StartedService, startService } from '../harness/service.ts';
import { slowRelay } from '../harness/slow-relay.ts';
import type { Afterwards } from './workspace.ts';

/** How far away a service may be, in ms there and back: another continent. */
const roundTrip = 200;

/** A service over the embedded catalog that is far away, and that tells what it was asked. */
export async function startFarService(context: Afterwards): Promise<Pick<StartedService, 'url' | 'requests'>> {
  const { url, requests, close } = await startService();
  context.after(close);
  const relay = await slowRelay(Number(new URL(url).port), roundTrip);
  context.after(relay.close);
  return { url: relay.url, requests };
}
