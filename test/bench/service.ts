import { catalogSource } from '../../server/src/service/catalog-source.ts';
import { serve } from '../../server/src/service/serve.ts';
import { inlineCatalog } from '../harness/service.ts';
import { slowRelay } from '../harness/slow-relay.ts';
import { manyPackages } from './texts.ts';

/*
 * The service that is measured against, in a process of its own: near, and 60 ms away. Started by far.ts, which asks
 * it how many requests have arrived since it last asked.
 */
const seen = { GET: 0, POST: 0 };
const catalog = inlineCatalog(
  Object.fromEntries(
    manyPackages(1000).map((name) => [
      `NPM ${name}`,
      {
        versions: { '1.0.0': {}, '1.1.0': {}, '1.2.0': {}, '1.2.3': { isDefault: true }, '2.0.0-rc.1': {} },
        shared: {
          publishedAt: '2025-03-01T00:00:00Z',
          licenses: ['MIT'],
          links: [{ label: 'SOURCE_REPO', url: `https://code.example/${name}` }],
        },
      },
    ]),
  ),
);
const { url, port } = await serve({
  source: catalogSource(catalog),
  onRequest: ({ method }) => {
    seen[method === 'GET' ? 'GET' : 'POST']++;
  },
});
const slow = await slowRelay(port, 60);

process.on('message', () => {
  process.send?.({ ...seen });
  seen.GET = 0;
  seen.POST = 0;
});
process.on('disconnect', () => process.exit());
process.send?.({ near: url, far: slow.url });
