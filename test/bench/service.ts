import { catalogSource } from '../../server/src/service/catalog-source.ts';
import { type SeenRequest, serve } from '../../server/src/service/serve.ts';
import { inlineCatalog } from '../harness/service.ts';
import { slowRelay } from '../harness/slow-relay.ts';
import { manyPackages } from './texts.ts';

/*
 * The service that is measured against, in a process of its own: near, and 60 and 100 ms away. Whoever started it asks
 * it which requests have arrived since it last asked.
 */
const seen: SeenRequest[] = [];
const catalog = inlineCatalog(
  Object.fromEntries(
    manyPackages(5000).map((name) => [
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
const { url, port } = await serve({ source: catalogSource(catalog), onRequest: (it) => void seen.push(it) });
const [far, farther] = [await slowRelay(port, 60), await slowRelay(port, 100)];

process.on('message', () => process.send?.(seen.splice(0)));
process.on('disconnect', () => process.exit());
process.send?.({ 0: url, 60: far.url, 100: farther.url });
