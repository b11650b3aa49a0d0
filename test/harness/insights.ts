import { createMemoryCache } from '../../server/src/engine/facts/cache/cache.ts';
import { createInsights } from '../../server/src/engine/facts/store/fact-store.ts';
import { createHttp } from '../../server/src/engine/http/client.ts';
import type { Clock, ConnectedInsights } from '../../server/src/engine/model/ports.ts';
import type { Settings } from '../../server/src/engine/model/settings.ts';

/** Time that stands still for what is shown, and goes on for what is waited for. */
const usual: Clock = {
  now: () => Date.UTC(2026, 0, 1),
  after(ms, call) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

/** The client of the service as the roots make it, but for the time of day. */
export function makeInsights(settings: Settings, clock: Clock = usual): ConnectedInsights {
  const http = createHttp({ clock, userAgent: 'package-insights-test' });
  const insights = createInsights({ settings: () => settings, http, clock, cache: createMemoryCache() });
  return {
    ...insights,
    async close() {
      await insights.close();
      await http.close();
    },
  };
}
