import { isRecord } from '../../engine/base/text.ts';
import type { VersionKey } from '../../engine/model/keys.ts';
import type { Clock } from '../../engine/model/ports.ts';
import type { System } from '../../engine/model/system.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { catalogSource } from '../catalog/source.ts';
import { type Mirror, unreachable, withAdvisories, within } from '../mirror/mirror.ts';
import { type Answer, type Freshness, mapAnswer, notKept, type Source } from '../source.ts';
import { gateLimits } from './gate.ts';

type Body = Readonly<Record<string, unknown>>;

/** Of what the catalog knows while a registry is silent: its word may be there at the next request. */
const alone: Freshness = { age: 0, lifetime: 0, found: 'asked' };

/**
 * A catalog, which knows some packages whole, in front of what registries say of all others.
 *
 * What the catalog knows of a version counts, its vulnerabilities above all; of its gaps (licenses, dates) the registry's
 * word fills what it can. A version is deprecated where either says so: the registry may have heard of it since. For the
 * same reason it says which version is the default one, and the catalog waits for it, for a while. A package that the
 * catalog has invented is never asked for.
 * @param addresses of the registries that are asked: a project behind one of them is looked up
 */
export function withCatalogInFront(
  catalog: Catalog,
  behind: Mirror,
  addresses: ReadonlyMap<System, readonly string[]>,
  clock: Clock,
): Source {
  const own = catalogSource(catalog);
  const invented = new Set(catalog.records.filter((it) => it.invented).map((it) => catalog.package(it)));

  function isInvented({ system, name }: Pick<VersionKey, 'system' | 'name'>): boolean {
    const known = catalog.package({ system, name });
    return known !== undefined && invented.has(known);
  }

  function soon<T>(asking: T | Promise<T>): Promise<T | undefined> {
    return within(Promise.resolve(asking), gateLimits.place, clock);
  }

  async function version(key: VersionKey): Promise<Answer<object>> {
    if (isInvented(key)) return own.version(key);
    const known = catalog.version(key);
    if (known === undefined) {
      const ids = catalog.affecting(key);
      const answer = await behind.version(key);
      if (ids.length === 0) return answer;
      if (answer.kind === 'found') return mapAnswer(answer, (it) => withAdvisories(it, { ids }));
      const imported = await behind.imported(key);
      if (imported === undefined) return unreachable;
      return mapAnswer(own.version(key), (it) => withAdvisories({ ...it, advisoriesComplete: false }, imported));
    }
    const [answer, imported] = [await own.version(key), await behind.imported(key)];
    if (answer.kind !== 'found') return answer;
    if (imported === undefined) return unreachable;
    const more = await soon(behind.version(key));
    const filled = more?.kind === 'found' ? filling(answer.body as Body, more.body as Body) : (answer.body as Body);
    const open = imported.asOf === undefined ? filled : { ...filled, advisoriesComplete: false };
    return {
      kind: 'found',
      body: withAddresses(withAdvisories(open, imported) as Body, addresses.get(key.system) ?? []),
      ...(isSilent(more) && { freshness: alone }),
    };
  }

  return {
    ...own,
    version,
    async package(key) {
      const known = catalog.package(key);
      if (known === undefined) return behind.package(key);
      if (isInvented(key)) return own.package(key);
      const [here, there] = await Promise.all([own.package(key), soon(behind.package(key))]);
      if (here.kind !== 'found') return here;
      if (there?.kind !== 'found') return isSilent(there) ? { ...here, freshness: alone } : here;
      return { ...there, body: withDeprecations(there.body as Body, here.body as Body) };
    },
    requirements: async (key) => {
      const answer = await own.requirements(key);
      return answer.kind === 'found' || isInvented(key) ? answer : behind.requirements(key);
    },
    similar: (key) => (catalog.package(key) ? (own.similar?.(key) ?? notKept) : notKept),
    advisory: (id) => (catalog.advisories.has(id) ? own.advisory(id) : behind.advisory(id)),
    async query(wanted) {
      const answer = await own.query(wanted);
      if (answer.kind === 'found' && answer.body.length > 0) return answer;
      if (wanted.hash === undefined && wanted.key) {
        const one = await version(wanted.key);
        return mapAnswer(one, (it) => [{ version: it, artifacts: [] }]);
      }
      const there = await behind.query(wanted);
      if (there.kind !== 'found') return there;
      const matches = await Promise.all(
        there.body.map(async (it) => {
          // Written by this service.
          const { versionKey } = it.version as { readonly versionKey: VersionKey };
          const one = await version(versionKey);
          return one.kind === 'found' ? [{ ...it, version: one.body }] : [];
        }),
      );
      return { ...there, body: matches.flat() };
    },
  };
}

function isSilent(answer: Answer<object> | undefined): boolean {
  return answer === undefined || answer.kind === 'unavailable';
}

/** Texts and lists that the catalog leaves empty, as the registry has them. */
function filling(own: Body, other: Body): Body {
  const gaps = Object.entries(other).filter(([field, value]) => {
    if (field === 'advisoriesComplete' || field === 'advisoryKeys') return false;
    const known = own[field];
    return known === undefined || known === '' || (Array.isArray(known) && known.length === 0 && Array.isArray(value));
  });
  return {
    ...own,
    ...Object.fromEntries(gaps),
    isDefault: other['isDefault'] === true,
    isDeprecated: own['isDeprecated'] === true || other['isDeprecated'] === true,
  };
}

function withAddresses(body: Body, addresses: readonly string[]): Body {
  const said = Array.isArray(body['registries']) ? body['registries'] : [];
  return { ...body, registries: [...new Set([...said, ...addresses])] };
}

/** A mirror may pass no deprecation on. */
function withDeprecations(listed: Body, { versions }: Body): Body {
  const deprecated = new Set(rowsOf(versions).flatMap((it) => (it['isDeprecated'] === true ? versionIn(it) : [])));
  const rows = rowsOf(listed['versions']).map((it) =>
    deprecated.has(versionIn(it)) ? { ...it, isDeprecated: true } : it,
  );
  return { ...listed, versions: rows };
}

function rowsOf(versions: unknown): readonly Body[] {
  return Array.isArray(versions) ? versions.filter(isRecord) : [];
}

function versionIn({ versionKey }: Body): unknown {
  return isRecord(versionKey) ? versionKey['version'] : undefined;
}
