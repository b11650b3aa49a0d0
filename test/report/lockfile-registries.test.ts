import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Cache, CacheEntry } from '../../server/src/facts/cache/cache.ts';
import { createInsights } from '../../server/src/facts/store/fact-store.ts';
import { createHttp } from '../../server/src/http/client.ts';
import type { Settings } from '../../server/src/model/settings.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import type { Report } from '../../server/src/report/report.ts';
import { folderWith } from '../cli/program.ts';
import { runHere } from '../cli/terminal.ts';
import { type LockedProject, lockedProjects, type Origins } from '../ecosystems/lockfiles/projects.ts';
import { askedNames } from '../harness/asked-names.ts';
import { builtInHosts } from '../harness/built-in.ts';
import { startServiceForFile } from '../harness/file-service.ts';
import type { InlineCatalog } from '../harness/service.ts';

/* What the address of a registry in a lockfile changes: nothing where it is public, and nothing else where it is not. */

const systems = ['NPM', 'CARGO', 'PYPI', 'NUGET', 'MAVEN'] as const;

function namesIn(system: (typeof systems)[number]): readonly string[] {
  const names = ['outer', 'inner'];
  return system === 'MAVEN' ? names.map((it) => `com.example:${it}`) : names;
}

const catalog: InlineCatalog = {
  // The well-known versions by which a service tells which registries are public.
  'NPM lodash': { versions: ['4.17.21'] },
  'CARGO serde': { versions: ['1.0.0'] },
  'PYPI requests': { versions: ['2.31.0'] },
  'NUGET newtonsoft.json': { versions: ['13.0.3'] },
  'MAVEN junit:junit': { versions: ['4.13.2'] },
  ...Object.fromEntries(
    systems.flatMap((system) => namesIn(system).map((name) => [`${system} ${name}`, { versions: ['1.0.0', '1.1.0'] }])),
  ),
  ...Object.fromEntries(
    ['outer', 'inner'].map((name, at) => [
      `advisory GHSA-${name}`,
      {
        title: `${name} is slow`,
        cvss3Score: 7.5,
        affected: systems.map((system) => ({
          system,
          name: namesIn(system)[at] ?? '',
          ranges: [{ introduced: '0', fixed: '1.1.0' }],
        })),
      },
    ]),
  ),
};

const service = await startServiceForFile(catalog);
const http = createHttp({ clock: systemClock, userAgent: 'package-insights-test' });
after(() => http.close());

/** Everything that is set stays, as on a disk. */
function keepingAll(): Cache {
  const all = new Map<string, CacheEntry>();
  return {
    get: (id) => all.get(id),
    set(entries) {
      for (const [id, it] of entries) all.set(id, it);
    },
    expire() {},
  };
}

const registry = 'https://registry.example';
/** A second name of the public registry, which package managers of the machine have built in. */
const alias = 'https://alias.registry.example';
const foreign = 'https://npm.acme.example';

interface Variant {
  readonly title: string;
  readonly origins: Origins;
  /** What stays on the machine. */
  readonly kept: readonly (keyof Origins)[];
}

const variants: readonly Variant[] = [
  { title: 'no addresses', origins: { outer: undefined, inner: undefined }, kept: [] },
  { title: 'addresses of the public registry', origins: { outer: registry, inner: registry }, kept: [] },
  { title: 'addresses of an alias of it', origins: { outer: alias, inner: alias }, kept: [] },
  { title: 'a foreign host below', origins: { outer: registry, inner: foreign }, kept: ['inner'] },
  // { title: 'a foreign host', origins: { outer: foreign, inner: registry }, kept: ['outer'] },
];

/** The variants that the tool of a project writes. */
function variantsOf({ namesRegistries }: LockedProject): readonly Variant[] {
  return variants.filter(({ origins }) => namesRegistries || Object.values(origins).every((it) => it === undefined));
}

/** What is found, and how much of what is below was checked: `[total, withheld]`. */
interface Told {
  readonly code: number | null;
  readonly findings: readonly string[];
  readonly below: readonly number[];
  readonly withheld: number;
}

/** The same for every way to say that a package comes from the public registry. */
function expectedOf({ recordsRequirements }: LockedProject, kept: Variant['kept']): Told {
  const isKnown = !kept.includes('outer');
  const findsBelow = recordsRequirements && !kept.includes('inner') && isKnown;
  return {
    code: isKnown ? 1 : 0,
    findings: [...(isKnown ? ['advisory'] : []), ...(findsBelow ? ['advisory-below'] : [])],
    below: recordsRequirements && isKnown ? [1, kept.includes('inner') ? 1 : 0] : [],
    withheld: isKnown ? 0 : 1,
  };
}

async function check(path: string, manifest: string, cache: Cache): Promise<Told> {
  const insights = (settings: Settings) =>
    createInsights({ settings: () => settings, http, clock: systemClock, cache });
  const { out, code } = await runHere(['check', manifest, '--format', 'json', '--base-url', service.url], path, {
    insights,
    clock: systemClock,
    disk: (roots) => ({ ...diskFiles(() => roots), builtIn: builtInHosts('alias.registry.example') }),
  });
  const { findings, coverage, withheld } = JSON.parse(out) as Report;
  const { below } = coverage;
  return {
    code,
    findings: findings.map((it) => it.code),
    below: below ? [below.total, below.withheld] : [],
    withheld: withheld.reduce((sum, it) => sum + it.count, 0),
  };
}

for (const project of lockedProjects) {
  test(`a check with ${project.title} finds the same, whatever it says of registries, in a first run, too`, async () => {
    for (const { title, origins, kept } of variantsOf(project)) {
      const folder = folderWith({ ...project.files, [project.lockfile]: project.text(origins) });
      const cache = keepingAll();
      const from = service.requests.length;
      const [cold, warm] = [
        await check(folder.path, project.manifest, cache),
        await check(folder.path, project.manifest, cache),
      ];
      folder.remove();
      const expected = expectedOf(project, kept);
      assert.deepEqual({ cold, warm }, { cold: expected, warm: expected }, title);
      const asked = askedNames(service.requests.slice(from));
      for (const it of kept) assert.ok(!asked.includes(it), `${title}: ${it} is not asked about`);
    }
  });
}
