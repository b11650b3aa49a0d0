import { parseToml } from '../../../formats/toml/parse.ts';
import { textsAt, tomlAt } from '../../../formats/toml/tree.ts';
import { canonicalName } from '../../../model/keys.ts';
import type { Access, AccessInputs, AccessSource, AskedRegistry, Refusal } from '../../../model/registries/access.ts';
import type { RegistryReader } from '../../../model/registries/registry-reader.ts';
import {
  askedRegistry,
  bareAddress,
  type ClientCredential,
  credentialIn,
  type Setting,
  sameHost,
} from '../../shared/client-registry.ts';
import { type Login, readNetrc } from '../../shared/netrc.ts';
import { releaseAt } from '../releases.ts';
import type { AskedIndex, PythonClient } from './client.ts';
import { pdm } from './pdm.ts';
import { pip } from './pip.ts';
import { pipenv } from './pipenv.ts';
import { poetry } from './poetry.ts';
import { uv } from './uv.ts';

const clients = { pip, uv, poetry, pdm, pipenv } as const;

/** The lockfiles that only one client writes. */
const clientOfLockfile: ReadonlyMap<string, ClientName> = new Map([
  ['uv.lock', 'uv'],
  ['poetry.lock', 'poetry'],
  ['pdm.lock', 'pdm'],
  ['Pipfile.lock', 'pipenv'],
]);

/** The indexes of a package as the client of its project asks them. */
export const pypiAccess: RegistryReader['accessTo'] = (inputs) => {
  const readers = clientsOf(inputs).map((it) => {
    const client = clients[it];
    return { indexesOf: client.read(inputs), toRegistries: registriesOf(client, inputs) };
  });
  return ({ name, registries: own = [] }): Access | undefined => {
    const canonical = canonicalName('PYPI', name);
    const reader = readers.find((it) => it.indexesOf(canonical) !== undefined) ?? readers[0];
    const found = reader?.indexesOf(canonical);
    if (reader === undefined) return undefined;
    const { toRegistries } = reader;
    if (own.length === 0) return found && toRegistries(found.indexes, found.join);
    // What a lockfile says of a package comes before the settings, which may have its credential.
    const indexes = found?.indexes ?? [];
    // A file is no index. The one that has it may be asked, but never another.
    if (own.some((it) => releaseAt(it) !== undefined)) {
      const holding = indexes.filter((it) => own.every((file) => sameHost(it.url, file)));
      return holding.length > 0 ? toRegistries(holding, 'first') : undefined;
    }
    const known = new Map(indexes.map((it) => [bareAddress(it.url), it]));
    return toRegistries(
      own.map((url) => known.get(bareAddress(url)) ?? { url, source: ofLockfile }),
      'first',
    );
  };
};

const ofLockfile: AccessSource = { name: '', label: 'its own file', text: '', owner: 'workspace' };

type ClientName = keyof typeof clients;

/**
 * By the manifest, the lockfile beside it, and the tables of the project. Where these leave it open, or leave it to pip,
 * the clients whose settings name an index: uv installs the same files.
 */
function clientsOf(inputs: AccessInputs): readonly ClientName[] {
  const found = clientOf(inputs);
  return found === 'pip' ? ['pip', 'uv', 'pdm'] : [found];
}

function clientOf({ sources, lockfiles }: AccessInputs): ClientName {
  const nearest = sources.find(
    (it) => it.owner === 'workspace' && /^(?:requirements\.txt|Pipfile|pyproject\.toml)$/.test(it.name),
  );
  if (nearest?.name === 'Pipfile') return 'pipenv';
  if (nearest?.name === 'requirements.txt') return 'pip';
  const locked = lockfiles.flatMap((it) => clientOfLockfile.get(it) ?? []).filter((it) => it !== 'pipenv');
  if (locked[0] !== undefined) return locked[0];
  for (const source of sources.filter((it) => it.owner === 'workspace' && it.name === 'pyproject.toml')) {
    const found = clientOfProject(source);
    if (found) return found;
  }
  return lockfiles.includes('Pipfile.lock') ? 'pipenv' : 'pip';
}

function clientOfProject({ text }: AccessSource): ClientName | undefined {
  const { root } = parseToml(text);
  const named = (['uv', 'poetry', 'pdm'] as const).find((it) => tomlAt(root, 'tool', it) !== undefined);
  if (named) return named;
  const requires = textsAt(root, 'build-system', 'requires').join(' ');
  const [, backend] = /\b(uv|poetry|pdm)[-_](?:build|core|backend|pep517)/.exec(requires) ?? [];
  return backend as 'uv' | 'poetry' | 'pdm' | undefined;
}

function registriesOf(client: PythonClient, inputs: AccessInputs) {
  const { sources } = inputs;
  const netrc = readNetrc(sources, { hasDefault: true });
  const hasKeyring = client.hasKeyring?.(inputs) === true;
  const ofMachine = { ...inputs, sources: sources.filter((it) => it.owner === 'machine') };
  const ofSettings = client.read(ofMachine)('')?.indexes ?? [];
  const namedByMachine = ofSettings.map((it) => it.url);
  // A workspace has credentials in an address or beside it alone, so it always names what they are for.
  const namedBy = (index: AskedIndex) => (source: AccessSource) =>
    source.owner === 'machine' ? namedByMachine : [index.url];

  const credentialOf = (index: AskedIndex, all: readonly AskedIndex[]): ClientCredential | undefined => {
    const address: Setting = { text: index.url, source: index.source };
    if (index.login === 'unreadable') return { unreadable: address };
    const written = loginIn(index);
    const known = (client.strongest === 'login' ? [index.login, written] : [written, index.login]).filter(
      (it) => it !== undefined,
    );
    const found =
      known.find((it) => it.password !== '') ?? netrc(hostOf(index.url)) ?? known[0] ?? loginOfHost(all, index.url);
    if (found === undefined) return undefined;
    const { user, password, source, keptFor } = found;
    if (password === '' && hasKeyring) return { unreadable: address, detail: 'keyring' };
    return { parts: { kind: 'basic', user, password }, settings: [{ text: '', source }], keptFor };
  };

  const asked = (
    index: AskedIndex,
    address: Setting,
    credential: ClientCredential | undefined,
    refusal?: Refusal,
  ): AskedRegistry => askedRegistry('simple-index', { address, credential, refusal }, inputs, namedBy(index));

  return (indexes: readonly AskedIndex[], join: Access['join']): Access => ({
    registries: indexes
      .filter((it) => !isFolder(it.url))
      .map((index) => {
        const { source } = index;
        const variable = source.owner === 'workspace' ? (client.variables ?? braced).exec(index.url)?.[0] : undefined;
        // Where the workspace has variables for the user and the password alone, the person's own credential counts.
        const url = index.url.replace(userInfo, '$1');
        const isOfLogin = variable !== undefined && !(client.variables ?? braced).test(url);
        const own = isOfLogin ? credentialOf({ ...index, url }, [...ofSettings, ...indexes]) : undefined;
        if (variable !== undefined && isOfMachine(own)) return asked(index, { text: url, source }, own);
        const add = { setting: `machine ${hostOf(url)} login … password …`, file: '~/.netrc' };
        const refusal: Refusal | undefined = isOfLogin
          ? { rule: 'variable-in-workspace', from: source.label, detail: variable, add }
          : undefined;
        const address: Setting = { text: index.url, source, ...(variable !== undefined && { variable }) };
        return asked(index, address, credentialOf(index, indexes), refusal);
      }),
    join,
  });
}

function isOfMachine(credential: ClientCredential | undefined): boolean {
  if (credential === undefined || !('parts' in credential)) return false;
  return credential.settings.every(({ source }) => source.owner === 'machine');
}

const userInfo = /^(https?:\/\/)[^/?#]*@/i;
const braced = /\$\{[^}]*\}/;

function isFolder(text: string): boolean {
  return /^(?:file:|\.{0,2}(?:\/(?!\/)|\\)|[a-z]:[\\/]|~|\.{1,2}$)/i.test(text.trim());
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

/** The user and the password in an address. */
function loginIn({ url, source }: AskedIndex): Login | undefined {
  const credential = credentialIn({ text: url, source });
  if (credential?.parts.kind !== 'basic') return undefined;
  return { user: credential.parts.user, password: credential.parts.password, source };
}

/** Clients use the credential of an index for the others of its host, too. */
function loginOfHost(all: readonly AskedIndex[], url: string): Login | undefined {
  for (const other of all) {
    const login = sameHost(other.url, url) ? loginIn(other) : undefined;
    if (login) return login;
  }
  return undefined;
}
