import type { CooldownReader, WrittenCooldown } from '../../model/registries/cooldown.ts';
import {
  DAY,
  HOUR,
  limitReader,
  MINUTE,
  plainAt,
  readPlainSettings,
  SECOND,
  unclear,
} from '../shared/cooldown-values.ts';

/** A month is the average one. */
const units: Readonly<Record<string, number>> = {
  second: SECOND,
  minute: MINUTE,
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 2_629_746 * SECOND,
};

/** `7 days`; `0` switches it off. */
const cargoLimit = limitReader((text) => {
  if (text === '0') return { kind: 'age', age: 0 };
  const [, count, word = ''] = /^(\d+) ?([a-z]+?)s?$/.exec(text) ?? [];
  const unit = units[word];
  return unit === undefined ? undefined : { kind: 'age', age: Number(count) * unit };
});

const registry = ['registries', 'crates-io', 'min-publish-age'];
const global = ['registry', 'global-min-publish-age'];

/**
 *     [registry]                             of all registries
 *     global-min-publish-age = "7 days"
 *     [registries.crates-io]                 before that of all
 *     min-publish-age = "3 days"
 *     [resolver]
 *     incompatible-publish-age = "allow"     switches both off
 *
 * Source: Cargo's book, and Cargo itself. Stable from 1.100 on. Other registries are private.
 */
export const cargoCooldowns: readonly CooldownReader[] = [
  {
    systems: ['CARGO'],
    names: ['.cargo/config.toml', '.cargo/config'],
    read({ text }) {
      if (!text.includes('min-publish-age')) return [];
      const { root, isBroken } = readPlainSettings('config.toml', text);
      if (isBroken) return [{ key: global.join('.'), limit: unclear('…'), refuses: true }];
      if (plainAt(root, 'resolver', 'incompatible-publish-age') === 'allow') return [];
      return [registry, global].flatMap((path) => rule(path.join('.'), plainAt(root, ...path))).slice(0, 1);
    },
  },
  ...['CARGO_REGISTRIES_CRATES_IO_MIN_PUBLISH_AGE', 'CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE'].map(
    (name): CooldownReader => ({ systems: ['CARGO'], names: [name], read: ({ text }) => rule(name, text) }),
  ),
];

function rule(key: string, value: unknown): WrittenCooldown[] {
  const limit = cargoLimit(value);
  return limit ? [{ key, limit, refuses: true }] : [];
}
