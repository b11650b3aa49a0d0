import { isRecord } from '../../base/text.ts';
import type {
  CooldownLimit,
  CooldownPattern,
  CooldownReader,
  WrittenCooldown,
} from '../../model/registries/cooldown.ts';
import {
  countOf,
  DAY,
  HOUR,
  isoDuration,
  limitReader,
  momentReader,
  oneOf,
  plainAt,
  type ReadLimit,
  readPlainSettings,
  textsOf,
  unclear,
  wordDuration,
} from '../shared/cooldown-values.ts';

/** `2026-01-31`, a moment, `7 days`, `P7D`; `false` switches it off. */
const uvLimit = limitReader(
  oneOf(
    (text) => (text === 'false' ? { kind: 'age', age: 0 } : undefined),
    exclusive(momentReader('at its end, here')),
    isoDuration,
    (text) => wordDuration(text.replace(/\s+ago$/, '')),
  ),
);

/** A moment, or `P7D` of whole days. */
const pipLimit = limitReader(
  oneOf(exclusive(momentReader('at its begin, here')), (text) => {
    const [, days] = /^P(\d+)D$/.exec(text) ?? [];
    return days === undefined ? undefined : countOf(DAY)(days);
  }),
);

/** What was uploaded at the very moment counts as later. */
function exclusive(read: (text: string) => CooldownLimit | undefined): typeof read {
  return (text) => {
    const limit = read(text);
    return limit?.kind === 'date' ? { ...limit, before: limit.before - 1 } : limit;
  };
}

/** `7d`, `1h30m`, a day, a moment. Source: pixi's reference; the begin of a day is the strictest reading. */
const pixiLimit = limitReader(oneOf(exclusive(momentReader('at its begin, UTC')), isoDuration, wordDuration));

/** Whole days. */
const poetryLimit = limitReader(countOf(DAY));

const pdmUnits: Readonly<Record<string, number>> = { h: HOUR, d: DAY, w: 7 * DAY };

/** `7d`, or a moment: one without an offset is of UTC. */
const pdmLimit = limitReader((text) => {
  const [, count = '', unit = ''] = /^(\d+)([hdw])$/.exec(text) ?? [];
  if (unit !== '') return countOf(pdmUnits[unit] ?? 0)(count);
  return momentReader('at its begin, UTC')(/T[\d:.]+$/i.test(text) ? `${text}Z` : text.toUpperCase());
});

/** Sources: uv 0.13, pip 26, Poetry 2.5 and PDM 2.29, tried. pip has no such option in requirements files. */
export const pythonCooldowns: readonly CooldownReader[] = [
  uvReader('uv.toml', []),
  uvReader('pyproject.toml', ['tool', 'uv']),
  variableReader('UV_EXCLUDE_NEWER', uvLimit),
  pixiReader('pixi.toml', []),
  pixiReader('pyproject.toml', ['tool', 'pixi']),
  ...['pip.conf', 'pip.ini'].map(pipReader),
  variableReader('PIP_UPLOADED_PRIOR_TO', pipLimit),
  {
    systems: ['PYPI'],
    names: ['poetry.toml'],
    read({ name, text }) {
      if (!text.includes('min-release-age')) return [];
      const { root, isBroken } = readPlainSettings(name, text);
      const key = 'solver.min-release-age';
      if (isBroken) return [{ key, limit: unclear('…'), refuses: true }];
      const limit = poetryLimit(plainAt(root, 'solver', 'min-release-age'));
      const except = poetryExceptions(root) ?? [];
      return limit ? [{ key, limit, ...(except.length > 0 && { except }), refuses: true }] : [];
    },
    exceptions: ({ name, text }) =>
      text.includes('min-release-age-exclude') ? poetryExceptions(readPlainSettings(name, text).root) : undefined,
  },
  variableReader('POETRY_SOLVER_MIN_RELEASE_AGE', poetryLimit),
  {
    systems: ['PYPI'],
    names: ['pdm.toml', '.pdm.toml'],
    read({ name, text }) {
      if (!text.includes('exclude-newer')) return [];
      const { root, isBroken } = readPlainSettings(name, text);
      const key = 'strategy.exclude-newer';
      const limit = isBroken ? unclear('…') : pdmLimit(plainAt(root, 'strategy', 'exclude-newer'));
      return limit ? [{ key, limit, refuses: true }] : [];
    },
  },
  {
    systems: ['PYPI'],
    names: ['pyproject.toml'],
    read({ name, text }) {
      if (!text.includes('exclude-newer')) return [];
      const pdm = plainAt(readPlainSettings(name, text).root, 'tool', 'pdm');
      const resolution = plainAt(pdm, 'resolution');
      const key = 'tool.pdm.resolution.exclude-newer';
      const own = packagesIn(plainAt(resolution, 'exclude-newer-override'), `${key}-override`, pdmLimit);
      const except = own.flatMap((it) => it.only ?? []);
      const written = [
        [key, plainAt(resolution, 'exclude-newer')],
        ['tool.pdm.options.lock', optionIn(textsOf(plainAt(pdm, 'options', 'lock')), '--exclude-newer')],
      ] as const;
      return [
        ...written.flatMap(([of, value]): WrittenCooldown[] => {
          const limit = pdmLimit(value);
          return limit ? [{ key: of, limit, ...(except.length > 0 && { except }), refuses: true }] : [];
        }),
        ...own,
      ];
    },
  },
];

/** Of a text it takes each character as a name. */
function poetryExceptions(root: unknown): readonly CooldownPattern[] | undefined {
  const excluded = plainAt(root, 'solver', 'min-release-age-exclude');
  if (excluded === undefined) return undefined;
  return Array.isArray(excluded) ? textsOf(excluded).map((it) => ({ name: it })) : [];
}

/** @param above the tables that contain its settings */
function pixiReader(file: string, above: readonly string[]): CooldownReader {
  return {
    systems: ['PYPI'],
    names: [file],
    read({ name, text }) {
      if (!text.includes('exclude-newer')) return [];
      const pixi = plainAt(readPlainSettings(name, text).root, ...above);
      return ['workspace', 'project'].flatMap((table): WrittenCooldown[] => {
        const limit = pixiLimit(plainAt(pixi, table, 'exclude-newer'));
        return limit ? [{ key: [...above, table, 'exclude-newer'].join('.'), limit, refuses: true }] : [];
      });
    },
  };
}

/** `--name value`, `--name=value` */
function optionIn(given: readonly string[], name: string): string | undefined {
  const at = given.findIndex((it) => it === name || it.startsWith(`${name}=`));
  return given[at] === name ? given[at + 1] : given[at]?.slice(name.length + 1);
}

function variableReader(name: string, limitIn: ReadLimit): CooldownReader {
  return {
    systems: ['PYPI'],
    names: [name],
    read({ text }) {
      const limit = limitIn(text);
      return limit ? [{ key: name, limit, refuses: true }] : [];
    },
  };
}

/** @param above the tables that contain its settings */
function uvReader(file: string, above: readonly string[]): CooldownReader {
  return {
    systems: ['PYPI'],
    names: [file],
    read({ name, text }) {
      if (!text.includes('exclude-newer')) return [];
      const { root, isBroken } = readPlainSettings(name, text);
      const key = [...above, 'exclude-newer'].join('.');
      if (isBroken) return [{ key, limit: unclear('…'), refuses: true }];
      const uv = plainAt(root, ...above);
      const general = [uv, plainAt(uv, 'pip')];
      const own = general.flatMap((it) => packagesIn(plainAt(it, 'exclude-newer-package'), `${key}-package`, uvLimit));
      const except = own.flatMap((it) => it.only ?? []);
      const indexes = plainAt(uv, 'index');
      return [
        ...[...general, ...(Array.isArray(indexes) ? indexes : [])].flatMap((it): WrittenCooldown[] => {
          const limit = uvLimit(plainAt(it, 'exclude-newer'));
          return limit ? [{ key, limit, ...(except.length > 0 && { except }), refuses: true }] : [];
        }),
        ...own,
      ];
    },
  };
}

/** `{ tqdm = "2026-01-31", own = false }`, also as a list of `own=2026-01-31` */
function packagesIn(value: unknown, key: string, limitIn: ReadLimit): WrittenCooldown[] {
  const pairs = isRecord(value)
    ? Object.entries(value)
    : textsOf(value).map((it) => [it.slice(0, it.indexOf('=')), it.slice(it.indexOf('=') + 1)] as const);
  return pairs.flatMap(([name, given]): WrittenCooldown[] => {
    const limit = given === 'false' ? ({ kind: 'age', age: 0 } as const) : limitIn(given);
    return limit ? [{ key: `${key}.${name}`, limit, only: [{ name }], refuses: true }] : [];
  });
}

function pipReader(file: string): CooldownReader {
  return {
    systems: ['PYPI'],
    names: [file],
    read({ name, text }) {
      const { root } = readPlainSettings(name, text);
      return Object.entries(root).flatMap(([key, value]): WrittenCooldown[] => {
        if (!/^[\w-]+\.uploaded[-_]prior[-_]to$/.test(key)) return [];
        const limit = pipLimit(value);
        return limit ? [{ key: key.slice(key.indexOf('.') + 1), limit, refuses: true }] : [];
      });
    },
  };
}
