import { randomOf } from '../clients/random.ts';

/** What each version of a module requires, by path and version. */
export type GoUniverse = Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>>;

export interface GoProject {
  readonly universe: GoUniverse;
  readonly files: Readonly<Record<string, string>>;
}

const paths = ['alpha', 'beta', 'gamma/v2', 'delta', 'eps/v3', 'zeta', 'eta', 'theta'].map((it) => `example.com/${it}`);

function versionsOf(path: string): string[] {
  const major = /\/v(\d+)$/.exec(path)?.[1] ?? '1';
  const usual = ['0.0', '0.1', '1.0', '1.1-rc.1', '1.1', '2.0', '2.3'].map((it) => `v${major}.${it}`);
  const early = major === '1' ? ['v0.1.0', 'v0.0.0-20240102030405-0123456789ab'] : [];
  return [...early, ...usual, ...(path.endsWith('delta') ? ['v2.0.0+incompatible'] : [])];
}

/** A project as people write them, before Go has raised anything in it. */
export function goProjectOf(seed: number): GoProject {
  const random = randomOf(seed * 100 + 60);
  const universe: Record<string, Record<string, Record<string, string>>> = {};
  for (const path of [...paths.toReversed(), 'example.com/fork']) {
    const others = Object.keys(universe);
    universe[path] = Object.fromEntries(
      versionsOf(path)
        .filter((it) => it.endsWith('.1.0') || random.is(0.7))
        .map((version) => {
          const requires: Record<string, string> = {};
          for (let at = random.below(3); at > 0 && others.length > 0; at--) {
            const to = random.one(others);
            requires[to] = random.one(Object.keys(universe[to] ?? {}));
          }
          return [version, path.endsWith('fork') ? {} : requires];
        }),
    );
  }
  const version = (path: string): string => random.one(Object.keys(universe[path] ?? {}));
  const direct = [...new Set(Array.from({ length: 1 + random.below(5) }, () => random.one(paths)))];
  const requires = direct.map((it) => `\t${it} ${version(it)}${random.is(0.2) ? ' // indirect' : ''}\n`).join('');
  const rules: string[] = [];
  const excluded = random.is(0.4) ? random.one([...direct, ...direct, ...paths]) : undefined;
  if (excluded) rules.push(`exclude ${excluded} ${version(excluded)}`);
  const replaced = random.is(0.4) ? random.one([...direct, ...paths]) : undefined;
  const all = replaced && random.is(0.5) ? '' : ` ${version(replaced ?? 'example.com/fork')}`;
  if (replaced)
    rules.push(
      `replace ${replaced}${all} => ${random.is(0.3) ? './own' : `example.com/fork ${version('example.com/fork')}`}`,
    );
  return {
    universe,
    files: {
      'go.mod': `module example.com/app\n\ngo 1.22\n\nrequire (\n${requires})\n${rules.map((it) => `\n${it}\n`).join('')}`,
      'own/go.mod': `module ${replaced ?? 'example.com/own'}\n\ngo 1.22\n`,
    },
  };
}
