import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { versioning } from '../../../server/src/engine/ecosystems/versioning.ts';
import { listOf, rowsOf, type VersionFacts } from '../../../server/src/engine/model/facts.ts';
import type { PackageKey } from '../../../server/src/engine/model/keys.ts';
import type { Access, AskedRegistry } from '../../../server/src/engine/model/registries/access.ts';
import { accessOf, registryIdOf } from '../../../server/src/engine/model/registries/asked-registries.ts';
import { Credential } from '../../../server/src/engine/model/registries/credential.ts';
import type { PrivateFact } from '../../../server/src/engine/model/registries/private-facts.ts';
import type {
  ListedPackage,
  RegistryAnswer,
  RegistryClient,
} from '../../../server/src/engine/model/registries/registry-client.ts';
import { createPrivateFacts, privateLifetimes } from '../../../server/src/engine/registries/store.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';
import { fakeClock } from '../../harness/fake-clock.ts';

/* What the store of private facts promises, whatever the protocol: registries here are functions. */

type Answer = RegistryAnswer<ListedPackage>;

interface Asked {
  readonly host: string;
  readonly name: string;
  /** In ms since the beginning. */
  readonly at: number;
  /** Of the credential. */
  readonly mark: number | undefined;
  isAborted: boolean;
  answer(it: Answer): Promise<void>;
}

const registry = (host: string, more: Partial<AskedRegistry> = {}): AskedRegistry => {
  return { protocol: 'npm', address: `https://${host}`, from: 'settings', namedBy: 'machine', ...more };
};
const first = (...registries: readonly AskedRegistry[]): Access => ({ registries, join: 'first' });
const all = (...registries: readonly AskedRegistry[]): Access => ({ registries, join: 'all' });
const at = (access: Access, name = 'core'): PackageKey => ({ system: 'NPM', name, registry: registryIdOf(access) });
const list = (key: PackageKey): PrivateFact => ({ kind: 'package', key });
const version = (key: PackageKey, it: string): PrivateFact => ({ kind: 'version', key: { ...key, version: it } });

function factsOf(key: PackageKey, it: string, license: string, isDefault = false): VersionFacts {
  const empty = { licenseDetails: [], advisories: [], links: [], provenances: [], registries: [] };
  const summary = { version: it, isDefault, isDeprecated: false };
  const more = { purl: '', licenses: [license], projects: [], upstream: [] };
  return { ...summary, ...empty, ...more, key: { ...key, version: it } };
}

/** A package whose last version is the default one. The license tells the registries apart. */
function found(versions: readonly string[], license = 'MIT', mayHave?: ListedPackage['mayHave']): Answer {
  const key: PackageKey = { system: 'NPM', name: 'core' };
  const of = (it: string): VersionFacts => factsOf(key, it, license, it === versions.at(-1));
  return {
    kind: 'found',
    value: {
      facts: { key, purl: '', versions: listOf(versions.map(of)) },
      version: (it) => (versions.includes(it) ? of(it) : undefined),
      ...(mayHave && { mayHave }),
    },
  };
}

const absent: Answer = { kind: 'absent' };
const failed: Answer = { kind: 'failed', reason: 'HTTP 500' };

/** A store whose registries answer when a test says so, or at once with `answers`. */
function open(answers?: (asked: Asked) => Answer, ask?: RegistryClient['version']) {
  const clock = fakeClock();
  const begin = clock.now();
  const asked: Asked[] = [];
  const turns = (): Promise<void> => clock.advance(0);
  const signals = new WeakMap<object, AbortSignal>();
  const client: RegistryClient = {
    protocol: 'npm',
    list({ registry: { address, credential }, name, send }) {
      let resolve: (it: Answer) => void = () => {};
      const promise = new Promise<Answer>((it) => {
        resolve = it;
      });
      const it: Asked = {
        host: new URL(address).host,
        name,
        at: clock.now() - begin,
        mark: credential?.mark,
        isAborted: false,
        answer(answer) {
          resolve(answer);
          return turns();
        },
      };
      signals.get(send)?.addEventListener('abort', () => {
        it.isAborted = true;
        resolve({ kind: 'aborted' });
      });
      asked.push(it);
      if (answers) resolve(answers(it));
      return promise;
    },
    ...(ask && { version: ask }),
  };
  const facts = createPrivateFacts({
    clients: { npm: client },
    transport: {
      sendTo(_, signal) {
        const send = async (): Promise<Extract<Answer, { kind: 'aborted' }>> => ({ kind: 'aborted' });
        signals.set(send, signal);
        return send;
      },
      retryNow() {},
    },
    clock,
    random: () => 1,
    settings: () => readSettings({}),
    accessOf,
    isSameVersion: (system, a, b) => versioning[system].compare(a, b) === 0,
  });
  const request = async (...wanted: readonly PrivateFact[]): Promise<void> => {
    facts.request('a', wanted, []);
    await turns();
  };
  return { facts, clock, asked, request, turns };
}

describe('requests', () => {
  test('a package and its versions wait for one request', async () => {
    const key = at(first(registry('one.example')));
    const { facts, asked, request } = open();
    await request(list(key), version(key, '1.0.0'), version(key, '1.1.0'), version(key, '9.0.0'));
    assert.equal(asked.length, 1);
    assert.equal(facts.package(key).state, 'pending');
    await asked[0]?.answer(found(['1.0.0', '1.1.0']));
    assert.equal(facts.package(key).state, 'ready');
    assert.equal(facts.version({ ...key, version: '1.0.0' }).state, 'ready');
    assert.equal(facts.version({ ...key, version: '9.0.0' }).state, 'unknown');
    assert.equal(asked.length, 1);
  });

  test('what nobody waits for any more ends, and is asked for again when it is wanted', async () => {
    const key = at(first(registry('one.example')));
    const { facts, asked, request, turns } = open();
    await request(list(key));
    facts.request('b', [version(key, '1.0.0')], []);
    await turns();
    facts.release('a');
    await turns();
    assert.equal(asked[0]?.isAborted, false);
    facts.release('b');
    await turns();
    assert.equal(asked[0]?.isAborted, true);
    await request(list(key));
    await asked[1]?.answer(found(['1.0.0']));
    assert.equal(facts.package(key).state, 'ready');
  });

  test('a host answers about eight packages at a time, and others do not wait for it', async () => {
    const { asked, request } = open();
    const one = first(registry('one.example'));
    const names = Array.from({ length: 20 }, (_, it) => `package-${it}`);
    await request(...names.map((it) => list(at(one, it))), list(at(first(registry('two.example')))));
    const hosts = (): string[] => asked.map((it) => it.host);
    assert.equal(hosts().filter((it) => it === 'one.example').length, 8);
    assert.equal(hosts().filter((it) => it === 'two.example').length, 1);
    await asked[0]?.answer(found(['1.0.0']));
    assert.equal(hosts().filter((it) => it === 'one.example').length, 9);
  });
});

describe('failures', () => {
  test('a registry that is down is asked again, less and less often, and its answer counts', async () => {
    const key = at(first(registry('one.example')));
    let isDown = true;
    const { facts, clock, asked, request } = open(() => (isDown ? failed : found(['1.0.0'])));
    await request(list(key));
    const insight = facts.package(key);
    assert.ok(insight.state === 'failed' && insight.reason === 'one.example: HTTP 500');
    await clock.advance(60 * 60_000);
    const gaps = asked.slice(1).map((it, index) => it.at - (asked[index]?.at ?? 0));
    const { first: firstRetry, longest: maxRetry } = privateLifetimes.retry;
    assert.deepEqual(
      gaps,
      gaps.toSorted((a, b) => a - b),
    );
    assert.deepEqual([gaps[0], gaps.at(-1)], [firstRetry, maxRetry]);
    isDown = false;
    await clock.advance(maxRetry);
    assert.equal(facts.package(key).state, 'ready');
  });

  test('a credential that is not accepted is not sent again until everything is looked up again', async () => {
    const credential = new Credential({ kind: 'bearer', token: 'wrong' }, '~/.npmrc');
    const key = at(first(registry('one.example', { credential })));
    const { facts, clock, asked, request, turns } = open(() => ({ kind: 'denied' }));
    await request(list(key));
    await clock.advance(23 * 60 * 60_000);
    assert.equal(asked.length, 1);
    const insight = facts.package(key);
    assert.ok(insight.state === 'failed' && insight.reason.includes('~/.npmrc'));
    facts.expire();
    await turns();
    assert.equal(asked.length, 2);
  });

  test('an old answer stays while it is asked for again, and when that fails', async () => {
    const key = at(first(registry('one.example')));
    const { facts, asked, request, turns } = open();
    await request(list(key));
    await asked[0]?.answer(found(['1.0.0']));
    facts.expire();
    await turns();
    const during = facts.package(key);
    assert.ok(during.state === 'ready' && during.refresh === 'pending');
    await asked[1]?.answer(failed);
    const after = facts.package(key);
    assert.ok(after.state === 'ready' && after.value.versions.names.length === 1);
    assert.deepEqual(after.refresh, { failed: 'one.example: HTTP 500' });
  });
});

/** What is known in the end where several registries are asked. */
const orders: readonly {
  readonly title: string;
  readonly access: Access;
  readonly answers: Readonly<Record<string, Answer>>;
  readonly asked: readonly string[];
  readonly known: readonly string[] | 'unknown' | 'failed';
}[] = [
  {
    title: 'the first one that has the package has all of its versions',
    access: first(registry('one.example'), registry('two.example'), registry('three.example')),
    answers: { one: absent, two: found(['1.0.0']), three: found(['2.0.0']) },
    asked: ['one.example', 'two.example'],
    known: ['1.0.0 default'],
  },
  {
    title: 'versions that are joined have one default, the highest one, and each is there once',
    access: all(registry('one.example'), registry('two.example'), registry('three.example')),
    answers: { one: found(['1.0.0', '1.2.0']), two: absent, three: found(['1.0.0', '1.1.0']) },
    asked: ['one.example', 'two.example', 'three.example'],
    known: ['1.0.0', '1.1.0', '1.2.0 default'],
  },
  {
    title: 'one of several that fails may have the package',
    access: all(registry('one.example'), registry('two.example')),
    answers: { one: found(['1.0.0']), two: failed },
    asked: ['one.example', 'two.example'],
    known: 'failed',
  },
  {
    title: 'nothing behind one that fails is asked',
    access: first(registry('one.example'), registry('two.example')),
    answers: { one: failed, two: found(['1.0.0']) },
    asked: ['one.example'],
    known: 'failed',
  },
  {
    title: 'behind one with | the next one is asked after a failure, too',
    access: first(registry('one.example', { isOptional: true }), registry('two.example')),
    answers: { one: failed, two: found(['1.0.0']) },
    asked: ['one.example', 'two.example'],
    known: ['1.0.0 default'],
  },
  {
    title: 'a failure that was passed over counts where no other registry has the package',
    access: first(registry('one.example', { isOptional: true }), registry('two.example')),
    answers: { one: failed, two: absent },
    asked: ['one.example', 'two.example'],
    known: 'failed',
  },
  {
    title: 'one that must not be asked is not passed over, even with |',
    access: first(
      registry('one.example', { isOptional: true, refusal: { rule: 'untrusted', from: 'settings' } }),
      registry('two.example'),
    ),
    answers: { two: found(['1.0.0']) },
    asked: [],
    known: 'failed',
  },
  {
    title: 'a package that no registry has is unknown',
    access: all(registry('one.example'), registry('two.example')),
    answers: { one: absent, two: absent },
    asked: ['one.example', 'two.example'],
    known: 'unknown',
  },
];

describe('several registries', () => {
  for (const { title, access, answers, asked: expected, known } of orders)
    test(title, async () => {
      const key = at(access);
      const { facts, asked, request } = open(({ host }) => answers[host.split('.')[0] ?? ''] ?? absent);
      await request(list(key));
      const insight = facts.package(key);
      const versions =
        insight.state === 'ready'
          ? rowsOf(insight.value.versions)
              .map((it) => (it.isDefault ? `${it.version} default` : it.version))
              .sort()
          : insight.state;
      assert.deepEqual(versions, known);
      assert.deepEqual(
        asked.map((it) => it.host),
        expected,
      );
    });

  test('a version is that of the first registry that has it', async () => {
    const key = at(all(registry('one.example'), registry('two.example')));
    const { facts, request } = open(({ host }) =>
      host === 'one.example' ? found(['1.0.0'], 'MIT') : found(['1.0.0', '2.0.0'], 'ISC'),
    );
    await request(version(key, '1.0.0'), version(key, '2.0.0'));
    const licenses = ['1.0.0', '2.0.0'].map((it) => {
      const insight = facts.version({ ...key, version: it });
      return insight.state === 'ready' ? [insight.value.licenses[0], insight.value.isDefault] : insight.state;
    });
    assert.deepEqual(licenses, [
      ['MIT', false],
      ['ISC', true],
    ]);
  });
});

test('what one credential may see is kept apart from what another one may', async () => {
  const by = (token: string): PackageKey =>
    at(first(registry('one.example', { credential: new Credential({ kind: 'bearer', token }, '~/.npmrc') })));
  const [anna, tom] = [by('of-anna'), by('of-tom')];
  const { facts, asked, request } = open(({ mark }) => (mark === asked[0]?.mark ? found(['1.0.0']) : absent));
  await request(list(anna), list(tom));
  assert.deepEqual([facts.package(anna).state, facts.package(tom).state], ['ready', 'unknown']);
  assert.equal(asked.length, 2);
  assert.equal(registryIdOf(first(registry('one.example'))).includes('anna'), false);
});

test('a commit that no list has is asked for by itself, and another unknown version is not', async () => {
  const commit = 'v0.0.0-20260101000000-abcdefabcdef';
  const wanted: string[] = [];
  const key = at(first(registry('one.example')));
  const { facts, request } = open(
    () => found(['v1.0.0'], 'MIT', (it) => it === commit),
    async (_, it) => {
      wanted.push(it);
      return { kind: 'found', value: factsOf({ system: 'NPM', name: 'core' }, it, 'ISC') };
    },
  );
  await request(version(key, commit), version(key, 'v9.0.0'));
  assert.equal(facts.version({ ...key, version: commit }).state, 'ready');
  assert.equal(facts.version({ ...key, version: 'v9.0.0' }).state, 'unknown');
  assert.deepEqual(wanted, [commit]);
});
