import type { AccessInputs, AccessSource } from '../../../model/registries/access.ts';
import { readIni } from '../../shared/registry-address.ts';
import { type AskedIndex, isTrue, type PythonClient } from './client.ts';
import { optionLines, optionsIn } from './requirement-options.ts';

/**
 * pip joins the versions of all indexes. A variable replaces the same setting of a file, a nearer file that of a
 * farther one, `[install]` that of `[global]`; lines of requirements come last.
 *
 *     PIP_EXTRA_INDEX_URL=https://a.example/simple      replaces extra-index-url of pip.conf
 *     --index-url https://b.example/simple              in requirements: replaces all indexes before it
 *     --extra-index-url https://c.example/simple        in requirements: adds one
 */
export const pip: PythonClient = {
  strongest: 'address',
  hasKeyring: (inputs) => {
    const provider = inputs.variable('PIP_KEYRING_PROVIDER') ?? settingOf(inputs.sources, ['keyring-provider'])?.value;
    return provider !== undefined && !/^(?:auto|disabled)$/.test(provider);
  },
  read(inputs) {
    const indexes = pipIndexes(inputs);
    return () => indexes && { indexes, join: 'all' };
  },
};

function pipIndexes({ sources, variable }: AccessInputs): readonly AskedIndex[] | undefined {
  const setting = (variables: readonly string[], keys: readonly string[]): Setting | undefined => {
    const name = variables.find((it) => sources.some((source) => source.name === it));
    const source = sources.find((it) => it.name === name);
    return source ? { value: source.text, source } : settingOf(sources, keys);
  };
  const index = setting(['PIP_INDEX_URL', 'PIP_PYPI_URL'], ['index-url', 'pypi-url']);
  const extra = setting(['PIP_EXTRA_INDEX_URL'], ['extra-index-url']);
  const none = variable('PIP_NO_INDEX') ?? settingOf(sources, ['no-index'])?.value;
  let indexes = [index, extra].flatMap((it) => (it ? addressesIn(it) : []));
  let isNone = isTrue(none);
  const isNamed = isNone || indexes.length > 0;
  let isWritten = false;
  // Far to near: what a file says itself stands behind what it includes.
  for (const source of sources.filter((it) => it.name === 'requirements.txt').toReversed()) {
    for (const { kind, url } of optionsIn(optionLines(source.text))) {
      if (kind === 'links') continue;
      isWritten = true;
      if (kind === 'none') isNone = true;
      else if (kind === 'instead') indexes = [{ url, source }];
      else indexes = [...indexes, { url, source }];
    }
  }
  if (!isNamed && !isWritten) return undefined;
  return isNone ? [] : indexes.slice(0, MAX_INDEXES);
}

/** Indexes of one package. Real projects have two or three. */
const MAX_INDEXES = 100;

interface Setting {
  readonly value: string;
  readonly source: AccessSource;
}

/** The value of a key in the strongest section, there in the strongest file. */
function settingOf(sources: readonly AccessSource[], keys: readonly string[]): Setting | undefined {
  const entries = sources
    .filter((it) => it.name === 'pip.conf' || it.name === 'pip.ini')
    .flatMap((source) => readIni(source.text, /[=:]/).map((it) => ({ ...it, source })));
  for (const section of ['install', 'global']) {
    const found = entries.find((it) => it.section === section && keys.includes(normalKey(it.key)) && it.value !== '');
    if (found) return found;
  }
  return undefined;
}

function normalKey(key: string): string {
  return key.toLowerCase().replaceAll('_', '-').replace(/^--/, '');
}

function addressesIn({ value, source }: Setting): AskedIndex[] {
  return value.split(/\s+/).flatMap((url) => (url === '' ? [] : [{ url, source }]));
}
