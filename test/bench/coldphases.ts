import { packageJson, packageLock, manyPackages } from './texts.ts';
import { Workspace } from '../../server/src/engine/workspace.ts';
import { createInsights } from '../../server/src/insights/insights.ts';
import { createMemoryCache } from '../../server/src/cache/memory.ts';
import { systemClock } from '../../server/src/clock.ts';
import { readSettings } from '../../server/src/lsp/settings.ts';


const names = manyPackages(800);
const [text, lock] = [packageJson(names, '^1.0.0'), packageLock(names)];
const settings = { ...readSettings(undefined), baseUrl: 'http://127.0.0.1:1' } as any;
const bodies: string[] = [];
const http = { request: async ({ body }: any) => { marks.push(['request', performance.now()]); bodies.push(body); return new Promise((r) => answers.push(r)); }, close: async () => {}, prepare: async () => {} } as any;
const answers: any[] = [];
const marks: [string, number][] = [];
(globalThis as any).ST = (x: string) => marks.push([x, performance.now()]);
const insights = createInsights({ settings: () => settings, http, clock: systemClock, cache: createMemoryCache() });
const files = { read: async (u: string) => (u.endsWith('package-lock.json') ? lock : undefined), list: async () => undefined, stat: async () => undefined } as any;
const ws = new Workspace(files, insights as any, () => settings, { now: () => Date.now(), isTrusted: () => true } as any);
setTimeout(async () => {
  const began = performance.now();
  ws.update({ uri: 'file:///w/package.json', version: 1, text });
  await ws.snapshot('file:///w/package.json');
  marks.push(['snapshot', performance.now()]);
  setTimeout(async () => {
    const waited = performance.now();
    let t2 = 0;
    insights.onDidLearn(() => { (async () => { const a = performance.now(); await ws.learn(); marks.push([`learn took ${(performance.now() - a).toFixed(1)}`, performance.now() - waited + began]); })(); });
    bodies.forEach((b, i) => {
      const asked = JSON.parse(b).requests;
      const responses = asked.map((it: any) => ({ request: it, version: { versionKey: it.versionKey, publishedAt: '2025-03-01T00:00:00Z', isDefault: true, licenses: ['MIT'], licenseDetails: [{ license: 'MIT', spdx: 'MIT' }], advisoryKeys: [], links: [{ label: 'SOURCE_REPO', url: 'https://code.example/x' }], slsaProvenances: [], attestations: [], registries: ['https://registry.example/'], relatedProjects: [], upstreamIdentifiers: [] } }));
      const t = JSON.stringify({ responses, nextPageToken: '' });
      setImmediate(() => answers[i]({ kind: 'answer', status: 200, headers: {}, text: t }));
    });
    t2 = performance.now();
    setTimeout(() => {
      console.log(marks.map(([n, t]) => `${n} ${(t - began).toFixed(1)}`).join(' | '));
      process.exit(0);
    }, 300);
    void t2;
  }, 100);
}, 50);
