import { posix, win32 } from 'node:path';
import type { MachineCredentials, ReadCredentials } from '../engine/model/registries/access.ts';
import type { RegistrySource } from '../engine/model/registry.ts';
import type { System } from '../engine/model/system.ts';
import { type MachinePlace, readEach, remembered, thisMachine } from './machine-settings.ts';

/**
 * Reads credentials for private registries from the environment and the well-known files of this machine.
 * @param folders URIs of the open folders
 */
export function machineCredentials(folders: () => readonly string[], machine = thisMachine()): ReadCredentials {
  const { environment, platform, home } = machine;
  let variables: ReturnType<typeof credentialVariables> | undefined;
  let places: ReturnType<typeof credentialPlaces> | undefined;
  return remembered(folders, async (system, open): Promise<MachineCredentials> => {
    variables ??= credentialVariables(environment);
    places ??= credentialPlaces(environment, platform, home);
    const files = await readEach(places[system], open, home);
    return { variables: variables[system], files, variable: (name) => environment[name] };
  });
}

/** The variables that hold credentials, or that only a client that is asked needs. */
const variableNames = {
  GO: /^GOAUTH$/,
  NPM: /^(?:YARN_NPM_(?:AUTH_(?:TOKEN|IDENT)|ALWAYS_AUTH)|BUN_CONFIG_TOKEN)$/,
  CARGO: /^CARGO_REGISTR(?:Y|IES_\w+)_(?:TOKEN|(?:GLOBAL_)?CREDENTIAL_PROVIDERS?)$/,
  MAVEN: /^$/,
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
    MAVEN: [],
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
