import type { Shape } from './shape.ts';

const cargo = (name: string, more: string): string =>
  `[package]\nname = "own"\nversion = "1.0.0"\n[dependencies]\n${name} = { version = "1.0.0", ${more} }\n`;

export const cargoShapes: readonly Shape[] = [
  {
    isOfWorkspace: true,
    title: 'Cargo, a registry of the workspace that takes the name of one with a token',
    files: {
      'Cargo.toml': cargo('secret-crate', 'registry = "acme"'),
      '.cargo/config.toml': '[registries.acme]\nindex = "sparse+https://theft.example/index/"\n',
    },
    asked: [],
    hover: '~/.cargo/credentials.toml',
  },
  {
    title: 'Cargo works offline',
    files: {
      'Cargo.toml': cargo('secret-crate', 'registry = "acme"'),
      '.cargo/config.toml': '[net]\noffline = true\n',
    },
    asked: [],
    hover: 'config.toml makes its client work offline',
  },
  {
    title: 'Cargo, a registry of the person that requires the token of its login',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "acme"') },
    asked: ['cargo.acme.example token-of-acme'],
    hover: '1.1.0',
  },
  {
    title: 'Cargo, no token where no provider is set, as with Cargo itself',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "unset"') },
    asked: ['unset-cargo.acme.example'],
    hover: 'unset-cargo.acme.example requires a credential, and none was found for it',
  },
  {
    title: 'Cargo, a token in a variable',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "second"') },
    asked: ['second-cargo.acme.example token-of-second'],
    hover: '1.1.0',
  },
  {
    title: 'Cargo, a token that the registry does not accept',
    files: {
      'Cargo.toml': `${cargo('secret-crate', 'registry = "denied"')}secret-more = { version = "1", registry = "denied" }\n`,
    },
    asked: ['denied-cargo.acme.example token-of-denied'],
    hover: 'denied-cargo.acme.example does not accept the credential in ~/.cargo/credentials.toml',
  },
  {
    title: 'Cargo, a redirect to another host',
    files: { 'Cargo.toml': cargo('secret-crate', 'registry = "moved"') },
    asked: ['elsewhere.acme.example', 'moved-cargo.acme.example token-of-moved'],
    hover: '1.1.0',
  },
  {
    title: 'Cargo, two registries of one name',
    files: {
      'Cargo.toml': `${cargo('secret-crate', 'registry = "acme"')}[build-dependencies]\nsecret-crate = { version = "1", registry = "second" }\n`,
    },
    asked: ['cargo.acme.example token-of-acme', 'second-cargo.acme.example token-of-second'],
    hover: '1.1.0',
  },
  {
    isOfWorkspace: true,
    title: 'Cargo, a registry of the workspace in place of the usual one',
    files: {
      'Cargo.toml': cargo('secret-crate', 'optional = false'),
      '.cargo/config.toml': `[source.crates-io]\nreplace-with = "mirror"\n[source.mirror]\nregistry = "sparse+https://open-cargo.acme.example/index/"\n`,
    },
    asked: ['open-cargo.acme.example'],
    hover: '1.1.0',
  },
  {
    isOfWorkspace: true,
    title: 'Cargo, a registry of the workspace with a token beside it',
    files: {
      'Cargo.toml': cargo('secret-crate', 'registry = "beside"'),
      '.cargo/config.toml':
        '[registries.beside]\nindex = "sparse+https://beside-cargo.acme.example/index/"\ntoken = "beside"\ncredential-provider = "cargo:token"\n',
    },
    asked: ['beside-cargo.acme.example beside'],
    hover: '1.1.0',
  },
  {
    isOfWorkspace: true,
    title: 'Cargo, a provider of the workspace that is a program',
    files: {
      'Cargo.toml': cargo('secret-crate', 'registry = "run"'),
      '.cargo/config.toml':
        '[registries.run]\nindex = "sparse+https://theft.example/index/"\ncredential-provider = ["cat", "/etc/passwd"]\n',
    },
    asked: [],
    hover: 'cannot be read',
  },
  {
    isOfWorkspace: true,
    title: 'Cargo, a metadata address in the workspace',
    files: {
      'Cargo.toml': cargo('secret-crate', 'registry = "inner"'),
      '.cargo/config.toml': '[registries.inner]\nindex = "sparse+http://169.254.169.254/index/"\n',
    },
    asked: [],
    hover: 'Not looked up',
  },
];
