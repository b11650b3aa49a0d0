import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* A patch of Cargo without an effect hides nothing: the crate comes from its registry. */

const run = await startHiding();

const root = '[package]\nname = "a"\nversion = "1.0.0"\n\n[dependencies]\nevil = "1.0.0"\n';
const crate = (version: string) => `[package]\nname = "evil"\nversion = "${version}"\n`;
const lock = (source: string) =>
  `version = 4\n\n[[package]]\nname = "a"\nversion = "1.0.0"\ndependencies = [\n "evil",\n]\n\n[[package]]\nname = "evil"\nversion = "1.0.0"\n${source}`;
const locked = lock('source = "registry+https://registry.example/crates.io-index"\n');
const patch = (from: string): string => `[patch.crates-io]\nevil = { ${from} }\n`;
const config = (from: string, version: string): Files => ({
  'Cargo.toml': root,
  '.cargo/config.toml': patch(from),
  'x/Cargo.toml': crate(version),
});
const own = (from: string): Files => ({ 'Cargo.toml': `${root}${patch(from)}`, 'x/Cargo.toml': crate('9.0.0') });
const git = 'git = "https://host.example/x.git"';

testHidden(
  {
    'another version in the folder': config('path = "x"', '9.0.0'),
    'another version under another key': config('path = "x", package = "evil"', '9.0.0'),
    'a registry in Cargo.lock': { ...config('path = "x"', '1.0.0'), 'Cargo.lock': locked },
    'a folder of Cargo.toml with another version': { ...own('path = "x"'), 'Cargo.lock': locked },
    'a repository of Cargo.toml with another version': { ...own(git), 'Cargo.lock': locked },
    'a repository of Cargo.toml that Cargo.lock calls unused': {
      ...own(git),
      'Cargo.lock': `${locked}\n[[patch.unused]]\nname = "evil"\nversion = "9.0.0"\nsource = "git+https://host.example/x.git#00"\n`,
    },
    'a registry in Cargo.lock, and a repository': { ...config(git, '9.0.0'), 'Cargo.lock': locked },
  },
  run,
);

testPlain(
  {
    'the version that is required': config('path = "x"', '1.0.0'),
    'the version of the folder in Cargo.lock': { ...config('path = "x"', '1.0.0'), 'Cargo.lock': lock('') },
    'a repository': config(git, '9.0.0'),
    'a repository of Cargo.toml': own(git),
    'a repository of Cargo.toml in Cargo.lock': {
      ...own(git),
      'Cargo.lock': lock('source = "git+https://host.example/x.git#00"\n'),
    },
  },
  run,
);
