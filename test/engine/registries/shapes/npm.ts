import { basic, scope } from './person.ts';
import type { Shape } from './shape.ts';

const npm = (name: string): string => `{ "dependencies": { "${name}": "1.0.0" } }`;

export const npmShapes: readonly Shape[] = [
  {
    title: 'a scope of the person, with a token',
    files: { 'package.json': npm('@secret-home/a') },
    asked: ['home.acme.example Bearer token-of-home'],
    hover: 'From home.acme.example (~/.npmrc)',
  },
  {
    title: 'npm works offline',
    files: { 'package.json': npm('@secret-home/a'), '.npmrc': 'offline=true\n' },
    asked: [],
    hover: '.npmrc makes its client work offline',
  },
  {
    title: 'a scope of the person, with user and password',
    files: { 'package.json': npm('@secret-basic/a') },
    asked: [`basic.acme.example Basic ${Buffer.from('me:word').toString('base64')}`],
    hover: 'From basic.acme.example (~/.npmrc)',
  },
  {
    title: 'a registry of the workspace, with a token of the person',
    files: { 'package.json': npm('@secret-ws/a'), '.npmrc': scope('@secret-ws', 'https://ws.acme.example/') },
    asked: ['ws.acme.example Bearer token-of-ws'],
    hover: 'From ws.acme.example (.npmrc)',
  },
  {
    title: 'a registry of the workspace without any token',
    files: { 'package.json': npm('@secret-bare/a'), '.npmrc': scope('@secret-bare', 'https://bare.acme.example/') },
    asked: ['bare.acme.example'],
    hover: 'From bare.acme.example (.npmrc)',
  },
  {
    title: 'a port, whose token is not that of the host',
    files: { 'package.json': npm('@secret-port/a') },
    asked: ['port.acme.example:8443 Bearer token-of-port'],
    hover: 'From port.acme.example:8443 (~/.npmrc)',
  },
  {
    title: 'a token in a variable that the person names',
    files: { 'package.json': npm('@secret-variable/a') },
    asked: ['variable.acme.example Bearer token-of-variable'],
    hover: 'From variable.acme.example (~/.npmrc)',
  },
  {
    title: 'a token in a variable that the workspace names',
    files: {
      'package.json': npm('@secret-theft/a'),
      '.npmrc': `${scope('@secret-theft', 'https://theft.example/')}//theft.example/:_authToken=\${SECRET_TOKEN}\n`,
    },
    asked: [],
    hover: 'environment variable',
  },
  {
    title: 'a variable in an address of the workspace',
    files: {
      'package.json': npm('@secret-dns/a'),
      '.npmrc': scope('@secret-dns', 'https://${SECRET_TOKEN}.theft.example/'),
    },
    asked: [],
    hover: 'Not looked up',
  },
  {
    title: 'a host that looks like the one of a token',
    files: {
      'package.json': npm('@secret-typo/a'),
      '.npmrc': scope('@secret-typo', 'https://horne.acme.example/'),
    },
    asked: ['horne.acme.example'],
    hover: 'From horne.acme.example (.npmrc)',
  },
  {
    title: 'a scope of the person that the workspace sends elsewhere',
    files: {
      'package.json': npm('@secret-home/b'),
      '.npmrc': scope('@secret-home', 'https://taken.example/'),
    },
    asked: ['taken.example'],
    hover: 'From taken.example (.npmrc)',
  },
  {
    title: 'a redirect to another host, which has a token of its own',
    files: { 'package.json': npm('@secret-moved/a') },
    asked: ['elsewhere.acme.example', 'moved.acme.example Bearer token-of-moved'],
    hover: 'License MIT',
  },
  {
    title: 'a redirect from https to http',
    files: { 'package.json': npm('@secret-down/a') },
    asked: ['down.acme.example Bearer token-of-down'],
    hover: 'it redirects from https to http',
  },
  {
    title: 'a redirect to a metadata service',
    files: { 'package.json': npm('@secret-inside/a') },
    asked: ['inside.acme.example Bearer token-of-inside'],
    hover: '169.254.169.254',
  },
  {
    title: 'redirects in a circle',
    files: { 'package.json': npm('@secret-circle/a') },
    asked: ['circle.acme.example'],
    hover: 'it redirects more than 5 times',
  },
  {
    title: 'a token that the registry does not accept',
    files: { 'package.json': '{ "dependencies": { "@secret-denied/a": "1.0.0", "@secret-denied/b": "1.0.0" } }' },
    asked: ['denied.acme.example Bearer token-of-denied'],
    hover: 'denied.acme.example does not accept the credential in ~/.npmrc',
  },
  {
    title: 'a token that would be sent over plain http',
    files: { 'package.json': npm('@secret-plain/a') },
    asked: [],
    hover: 'without encryption',
  },
  {
    title: 'a registry over plain http that needs no token',
    files: { 'package.json': npm('@secret-open/a') },
    asked: ['open.acme.example'],
    hover: 'From open.acme.example (~/.npmrc)',
  },
  {
    isOfWorkspace: true,
    title: 'a token for another path of the same host',
    files: {
      'package.json': npm('@secret-paths/a'),
      '.npmrc': scope('@secret-paths', 'https://paths.acme.example/other/'),
    },
    asked: ['paths.acme.example'],
    hover: 'From paths.acme.example (.npmrc)',
  },
  {
    isOfWorkspace: true,
    title: 'a token for https at an address without TLS',
    files: {
      'package.json': npm('@secret-clear/a'),
      '.npmrc': scope('@secret-clear', 'http://ws.acme.example/'),
    },
    asked: [],
    hover: 'without encryption',
  },
  {
    isOfWorkspace: true,
    title: 'a token of the workspace for a registry of the person',
    files: {
      'package.json': npm('@secret-basic/smuggled'),
      '.npmrc': '//basic.acme.example/npm/:_authToken=smuggled\n',
    },
    asked: [],
    hover: '.npmrc is a file of the workspace and has a credential for basic.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'a user in an address of the workspace',
    files: {
      'package.json': npm('@secret-login/a'),
      '.npmrc': scope('@secret-login', 'https://me:own@login.acme.example/'),
    },
    asked: [`login.acme.example ${basic('own')}`],
    hover: 'From login.acme.example (.npmrc)',
  },
  {
    isOfWorkspace: true,
    title: 'pnpm, a registry of its workspace with a token of the person',
    files: {
      'package.json': npm('@secret-pnpm/a'),
      'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      'pnpm-workspace.yaml': "registries:\n  '@secret-pnpm': https://pnpm.acme.example/\n",
    },
    asked: ['pnpm.acme.example Bearer token-of-pnpm'],
    hover: 'From pnpm.acme.example (pnpm-workspace.yaml)',
  },
  {
    isOfWorkspace: true,
    title: 'yarn, a registry of a scope with a token beside it',
    files: {
      'package.json': npm('@secret-yarn/a'),
      'yarn.lock': '',
      '.yarnrc.yml':
        'npmScopes:\n  secret-yarn:\n    npmRegistryServer: https://yarn.acme.example\n    npmAuthToken: beside\n',
    },
    asked: ['yarn.acme.example Bearer beside'],
    hover: 'From yarn.acme.example (.yarnrc.yml)',
  },
  {
    isOfWorkspace: true,
    title: 'yarn, a registry of the workspace for a scope to which the person gives a token',
    files: {
      'package.json': npm('@secret-kept/a'),
      'yarn.lock': '',
      '.yarnrc.yml': 'npmScopes:\n  secret-kept:\n    npmRegistryServer: https://theft.example\n',
    },
    asked: [],
    hover: 'is for the name secret-kept',
  },
  {
    isOfWorkspace: true,
    title: 'yarn, a variable in a token of the workspace',
    files: {
      'package.json': npm('@secret-yarns/a'),
      'yarn.lock': '',
      '.yarnrc.yml':
        'npmScopes:\n  secret-yarns:\n    npmRegistryServer: https://theft.example\n    npmAuthToken: ${SECRET_TOKEN}\n',
    },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'yarn 1, a registry of the workspace with a token of the person for it',
    files: {
      'package.json': npm('@secret-yarn1/a'),
      'yarn.lock': '',
      '.yarnrc': '"@secret-yarn1:registry" "https://yarn1.acme.example/"\n',
    },
    asked: ['yarn1.acme.example Bearer token-of-yarn1'],
    hover: 'From yarn1.acme.example (.yarnrc)',
  },
  {
    isOfWorkspace: true,
    title: 'yarn 1, a token without an address at a registry of the workspace',
    files: {
      'package.json': npm('@secret-yarn2/a'),
      'yarn.lock': '',
      '.yarnrc': '"@secret-yarn2:registry" "https://theft.example/"\n',
    },
    asked: [],
    hover: 'is for the name _authToken',
  },
  {
    isOfWorkspace: true,
    title: 'bun, a scope with a token beside it',
    files: {
      'package.json': npm('@secret-bun/a'),
      'bun.lock': '{}',
      'bunfig.toml': '[install.scopes]\nsecret-bun = { url = "https://bun.acme.example/", token = "beside" }\n',
    },
    asked: ['bun.acme.example Bearer beside'],
    hover: 'From bun.acme.example (bunfig.toml)',
  },
  {
    isOfWorkspace: true,
    title: 'bun, a variable in a token of the workspace',
    files: {
      'package.json': npm('@secret-buns/a'),
      'bun.lock': '{}',
      'bunfig.toml': '[install.scopes]\nsecret-buns = { url = "https://theft.example/", token = "$SECRET_TOKEN" }\n',
    },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  ...[
    'http://169.254.169.254/latest/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'http://127.0.0.1:9/',
    'http://0x7f000001:9/',
    'http://2130706433:9/',
    'http://[::ffff:127.0.0.1]:9/',
    'http://localhost:9/',
    'https://metadata.google.internal./',
    'http://0251.0376.0251.0376/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://[fe80::1]/',
    'http://0.0.0.0:9/',
    'http://registry.localhost:9/',
  ].map(
    (address, at): Shape => ({
      title: `an inner address that the workspace names: ${address}`,
      files: { 'package.json': npm(`@secret-inner${at}/a`), '.npmrc': scope(`@secret-inner${at}`, address) },
      asked: [],
      hover: 'an address of this machine or its network',
    }),
  ),
];
