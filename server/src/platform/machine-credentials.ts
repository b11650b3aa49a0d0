import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';
import type { MachineCredentials, ReadCredentials } from '../model/registries/access.ts';
import type { RegistrySource } from '../model/registry.ts';
import type { System } from '../model/system.ts';
import { systemClock } from './clock.ts';
import { type MachinePlace, readEach } from './machine-settings.ts';

/** Reads credentials for private registries from the environment and the well-known files of this machine. */
export function machineCredentials(): ReadCredentials {
  let variables: ReturnType<typeof credentialVariables> | undefined;
  let places: ReturnType<typeof credentialPlaces> | undefined;
  const known = new Map<System, { readonly at: number; readonly answer: Promise<MachineCredentials> }>();
  return (system) => {
    const before = known.get(system);
    if (before && Math.abs(systemClock.now() - before.at) < MAX_AGE) return before.answer;
    variables ??= credentialVariables(process.env);
    places ??= credentialPlaces(process.env, process.platform, homedir());
    const ofSystem = variables[system];
    const answer = readEach(places[system]).then((files) => ({
      variables: ofSystem,
      files,
      variable: (name: string) => process.env[name],
    }));
    known.set(system, { at: systemClock.now(), answer });
    return answer;
  };
}

/** In ms, as of the settings of the machine. */
const MAX_AGE = 5000;

/** The variables that hold credentials, or that only a client that is asked needs. */
const variableNames = {
  GO: /^GOAUTH$/,
  NPM: /^(?:YARN_NPM_(?:AUTH_(?:TOKEN|IDENT)|ALWAYS_AUTH)|BUN_CONFIG_TOKEN)$/,
  CARGO: /^CARGO_REGISTR(?:Y|IES_\w+)_(?:TOKEN|(?:GLOBAL_)?CREDENTIAL_PROVIDERS?)$/,
  MAVEN: /^ORG_GRADLE_PROJECT_.+$/i,
  PYPI: /^(?:UV_INDEX_\w+_(?:USERNAME|PASSWORD)|POETRY_HTTP_BASIC_\w+_(?:USERNAME|PASSWORD)|POETRY_(?:PYPI_TOKEN|REPOSITORIES)_\w+)$/,
  NUGET: /^NuGetPackageSourceCredentials_.+$/i,
} as const satisfies Record<System, RegExp>;

/** By system. Names are in upper case, except that npm's settings become lines of an `.npmrc`. */
export function credentialVariables(
  environment: Readonly<NodeJS.ProcessEnv>,
): Record<System, readonly RegistrySource[]> {
  const all = Object.entries(environment).filter(([, text]) => text !== undefined && text !== '');
  const of = (system: System): RegistrySource[] =>
    all.flatMap(([name, text = '']) =>
      variableNames[system].test(name) ? [{ name: name.toUpperCase(), label: name, text }] : [],
    );
  // `npm_config_//npm.acme.example/:_authToken`. The case of the path and of the setting counts.
  const npm = all.flatMap(([name, text = '']): RegistrySource[] => {
    const setting = /^p?npm_config_(\/\/.+:_?\w+)$/i.exec(name)?.[1];
    return setting === undefined ? [] : [{ name: '.npmrc', label: name, text: `${setting}=${JSON.stringify(text)}` }];
  });
  return {
    GO: of('GO'),
    NPM: [...npm, ...of('NPM')],
    CARGO: of('CARGO'),
    MAVEN: of('MAVEN'),
    PYPI: of('PYPI'),
    NUGET: of('NUGET'),
  };
}

/** The files that hold credentials, beside the settings files of `machinePlaces`; the strongest first. */
export function credentialPlaces(
  environment: Readonly<NodeJS.ProcessEnv>,
  platform: NodeJS.Platform,
  home: string,
): Record<System, readonly MachinePlace[]> {
  const isWindows = platform === 'win32';
  const { join } = isWindows ? win32 : posix;
  const of = (name: string): string[] => {
    const value = environment[name];
    return value ? [value] : [];
  };
  const homes = home === '' ? [] : [home];
  const config = isWindows
    ? of('APPDATA')
    : platform === 'darwin'
      ? homes.map((it) => join(it, 'Library', 'Application Support'))
      : [...of('XDG_CONFIG_HOME'), ...homes.map((it) => join(it, '.config'))];
  const netrc = [...of('NETRC'), ...homes.flatMap((it) => [join(it, '.netrc'), join(it, '_netrc')])].map((path) => ({
    name: '.netrc',
    path,
  }));
  const poetry = [...of('POETRY_CONFIG_DIR'), ...config.map((it) => join(it, 'pypoetry'))];
  return {
    GO: netrc,
    NPM: [],
    CARGO: [...of('CARGO_HOME'), ...homes.map((it) => join(it, '.cargo'))].flatMap((it) =>
      ['credentials.toml', 'credentials'].map((name) => ({ name: 'credentials.toml', path: join(it, name) })),
    ),
    MAVEN: [...of('GRADLE_USER_HOME'), ...homes.map((it) => join(it, '.gradle'))].map((it) => ({
      name: 'gradle.properties',
      path: join(it, 'gradle.properties'),
    })),
    PYPI: [
      ...poetry.flatMap((it) => [
        { name: 'auth.toml', path: join(it, 'auth.toml') },
        { name: 'poetry.toml', path: join(it, 'config.toml') },
      ]),
      ...netrc,
    ],
    NUGET: [],
  };
}
