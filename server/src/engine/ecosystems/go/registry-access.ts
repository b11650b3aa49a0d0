import type { AccessInputs, AccessSource, AskedRegistry } from '../../model/registries/access.ts';
import type { RegistryReader } from '../../model/registries/registry-reader.ts';
import { askedRegistry, type ClientCredential, credentialIn, type Setting } from '../shared/client-registry.ts';
import { readNetrc } from '../shared/netrc.ts';
import { assignmentsIn, prefixPattern } from './registries.ts';

/**
 * The proxies of GOPROXY, one after the other; none for the modules that are fetched directly.
 *
 *     GOPROXY=https://a.example,https://b.example|direct      b, if a does not have the module
 *     GOPRIVATE=*.acme.example                                no proxy for these, unless GONOPROXY is set
 */
export const goAccess: RegistryReader['accessTo'] = (inputs) => {
  const said = saidBy(inputs.sources.filter((it) => it.name !== 'env' || it === usedFile(inputs)));
  const machine = (name: string): Setting | undefined => said(name, 'machine');
  const proxy = machine('GOPROXY') ?? said('GOPROXY', 'workspace');
  const directly = (['machine', 'workspace'] as const).flatMap((owner) => {
    const { text = '' } = said('GONOPROXY', owner) ?? said('GOPRIVATE', owner) ?? {};
    return patternsIn(text);
  });
  const named = addressesIn(machine('GOPROXY')?.text ?? '').map((it) => it.text);
  const namedBy = ({ owner }: AccessSource): readonly string[] => (owner === 'machine' ? named : []);
  const credentialOf = credentialsOf(inputs, machine('GOAUTH'));
  const registries = proxy
    ? addressesIn(proxy.text).map(({ text, isOptional }): AskedRegistry => {
        const variable = proxy.source.owner === 'workspace' ? /\$\{[^}]*\}/.exec(text)?.[0] : undefined;
        const address: Setting = { text, source: proxy.source, ...(variable !== undefined && { variable }) };
        const credential = credentialOf(address);
        const asked = askedRegistry('go-proxy', { address, ...(credential && { credential }) }, inputs, (source) =>
          source === proxy.source ? [text] : namedBy(source),
        );
        return isOptional ? { ...asked, isOptional } : asked;
      })
    : [];
  return ({ name }) => {
    if (directly.some((matches) => matches(name))) return { registries: [], join: 'first' };
    return proxy && { registries, join: 'first' };
  };
};

/** The file of `go env -w` that is in force: of several places only the first. */
function usedFile({ sources, variable }: AccessInputs): AccessSource | undefined {
  return variable('GOENV') === 'off' ? undefined : sources.find((it) => it.name === 'env');
}

/** The strongest value of a variable. An empty one counts as not set. */
function saidBy(sources: readonly AccessSource[]) {
  const all = sources.flatMap((source) => assignmentsIn(source).map((it) => ({ ...it, source })));
  return (name: string, owner: AccessSource['owner']): Setting | undefined => {
    const found = all.find((it) => it.key === name && it.source.owner === owner && it.value.trim() !== '');
    return found && { text: found.value, source: found.source };
  };
}

function patternsIn(text: string): ((path: string) => boolean)[] {
  return text
    .split(',')
    .filter((it) => it.trim() !== '')
    .map((it) => prefixPattern(it.trim()));
}

interface ProxyAddress {
  readonly text: string;
  readonly isOptional?: true;
}

/** Up to `direct` or `off`, behind which nothing is asked. Folders are no registries. Source: `go help goproxy`. */
function addressesIn(list: string): ProxyAddress[] {
  const found: ProxyAddress[] = [];
  for (const [, written = '', separator] of list.matchAll(/([^,|]*)([,|]|$)/g)) {
    const text = written.trim();
    if (text === 'direct' || text === 'off' || found.length >= MAX_PROXIES) break;
    if (text === '' || /^(?:file:|[\\/]|[a-z]:[\\/])/i.test(text)) continue;
    found.push({
      text: text.includes(':/') ? text : `https://${text}`,
      ...(separator === '|' && { isOptional: true }),
    });
  }
  return found;
}

/** Proxies of one list. Real ones have two or three. */
const MAX_PROXIES = 100;

/** What is sent to a proxy: over https that of GOAUTH, which is `netrc` if it is not set, else that in the address. */
function credentialsOf({ sources }: AccessInputs, goAuth: Setting | undefined) {
  const commands = (goAuth?.text ?? 'netrc').split(';').map((it) => it.trim());
  const netrc = commands.includes('netrc') ? readNetrc(sources, { hasDefault: false }) : () => undefined;
  const program = commands.find((it) => it !== 'netrc' && it !== 'off' && it !== '');
  return (address: Setting): ClientCredential | undefined => {
    const url = URL.canParse(address.text) ? new URL(address.text) : undefined;
    const own = credentialIn(address);
    if (url?.protocol !== 'https:') return own;
    for (const place of placesOf(url)) {
      const login = netrc(place);
      if (login === undefined || login.user === '' || login.password === '') continue;
      const { user, password, source } = login;
      return { parts: { kind: 'basic', user, password }, settings: [{ text: '', source }] };
    }
    if (own || program === undefined || goAuth === undefined) return own;
    return { unreadable: goAuth, detail: program.split(/\s/, 1)[0] ?? '' };
  };
}

/** `acme.example:8443/team/go`, `acme.example:8443/team`, `acme.example:8443`. */
function placesOf({ host, pathname }: URL): string[] {
  const parts = pathname.split('/').filter((it) => it !== '');
  return Array.from({ length: parts.length + 1 }, (_, at) => [host, ...parts.slice(0, parts.length - at)].join('/'));
}
