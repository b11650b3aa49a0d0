import * as l10n from '@vscode/l10n';
import { directoryOf, nameOf, relativeTo, sameUri } from '../../base/uri.ts';
import { builtInCooldowns, cooldownFiles, cooldownReaders, updateServiceFiles } from '../../ecosystems/cooldowns.ts';
import { MAX_SETTINGS_LENGTH } from '../../ecosystems/shared/registry-address.ts';
import type { FoundLockfile } from '../../model/manifest-chain.ts';
import type { CooldownReader, CooldownRule } from '../../model/registries/cooldown.ts';
import type { RegistrySource } from '../../model/registry.ts';
import type { System } from '../../model/system.ts';
import type { FileReads } from './file-reads.ts';
import { settingsAbove, settingsAtTop, settingsBefore } from './settings-files.ts';

type Source = RegistrySource & { readonly uri?: string };

/** What the settings of package managers say of young versions, those of the machine and those of the workspace. */
export async function readCooldowns(
  uri: string,
  systems: ReadonlySet<System>,
  reading: FileReads,
  known: ReadonlyMap<System, readonly Source[]>,
  lockfiles: readonly FoundLockfile[],
): Promise<readonly CooldownRule[]> {
  const rules: CooldownRule[] = [];
  if (systems.size === 0) return rules;
  // Services that update look at the root of a repository alone.
  const atTop = await settingsAtTop(reading, uri, updateServiceFiles, MAX_SETTINGS_LENGTH);
  for (const system of systems) {
    const readers = cooldownReaders.filter((it) => it.systems === 'all' || it.systems.includes(system));
    const sources = known.get(system) ?? [];
    const seen = new Set(sources.flatMap((it) => (it.uri === undefined ? [] : [sameUri(it.uri)])));
    const above = cooldownFiles(system);
    const more = await settingsAbove(reading, uri, { above }, { length: MAX_SETTINGS_LENGTH, exclude: seen });
    const readersOf = ({ label, name }: Source): CooldownReader[] =>
      readers.filter(({ names }) => names.some((it) => it === label || nameOf(it) === name));
    const all = [...sources, ...more, ...atTop];
    // Which of several comes last is not known of all: what each excepts is excepted.
    const excepted = (reader: CooldownReader, rule: CooldownRule): CooldownRule => {
      const lists = all
        .filter((it) => reader.exceptions && readersOf(it).includes(reader))
        .flatMap((it) => {
          const found = reader.exceptions?.({ name: nameOf(it.name), text: it.text });
          return found ? [new Set(found.map(({ name }) => name))] : [];
        });
      if (rule.except === undefined || lists.length === 0) return rule;
      return { ...rule, except: rule.except.filter(({ name }) => lists.every((it) => it.has(name))) };
    };
    const rulesOf = (source: Source): CooldownRule[] =>
      readersOf(source).flatMap((it) => rulesIn(source, it, system, uri).map((rule) => excepted(it, rule)));
    const now = all.flatMap(rulesOf);
    const before = settingsBefore(reading.reader, uri, [...above, ...updateServiceFiles]).flatMap(rulesOf);
    const loosened = before.filter((it) => it.limit.kind !== 'unclear' && !now.some((rule) => isAsStrict(rule, it)));
    rules.push(...now, ...loosened.map((it): CooldownRule => ({ ...it, isLoosened: true })));
  }
  const builtIn = builtInCooldowns.filter(
    ({ lockfile, isFor, keys }) =>
      lockfiles.some((it) => it.format.id === lockfile && isFor(it.text)) &&
      !rules.some((it) => keys.includes(it.key) && it.only === undefined),
  );
  return [...rules, ...builtIn.map((it): CooldownRule => ({ ...it.rule, system: 'NPM' }))];
}

/** Whether a rule keeps back all that one of the same file did before a change. */
function isAsStrict(now: CooldownRule, before: CooldownRule): boolean {
  const others = ({ limit: _, except: __, ...rest }: CooldownRule): string => JSON.stringify(rest);
  if (others(now) !== others(before)) return false;
  const known = new Set((before.except ?? []).map((it) => JSON.stringify(it)));
  if (now.except?.some((it) => !known.has(JSON.stringify(it)))) return false;
  const [{ limit }, former] = [now, before.limit];
  if (limit.kind === 'age' && former.kind === 'age') return limit.age >= former.age;
  return limit.kind === 'date' && former.kind === 'date' && limit.before <= former.before;
}

function rulesIn(source: Source, reader: CooldownReader, system: System, uri: string): CooldownRule[] {
  const { label, text, unreadable } = source;
  if (unreadable) {
    const limit = { kind: 'unclear', text: l10n.t('cannot be read') } as const;
    return [{ key: label, limit, system, ...(reader.systems !== 'all' && { refuses: true }) }];
  }
  const base = source.uri?.endsWith(label) ? source.uri.slice(0, -label.length) : source.uri;
  const directory = base === undefined ? undefined : relativeTo(directoryOf(base), directoryOf(uri));
  const name = reader.names.includes(label) ? label : nameOf(source.name);
  const written = reader.read({ name, text, ...(directory !== undefined && { directory }) }, system);
  return written.map((it) => ({ ...it, from: label, system }));
}
