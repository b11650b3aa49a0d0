import type { MachineCredentials, ReadCredentials } from '../engine/model/registries/access.ts';
import type { RegistrySource } from '../engine/model/registry.ts';
import type { System } from '../engine/model/system.ts';
import { type MachinePlace, MachineRoots } from './machine-roots.ts';
import { readEach, remembered, thisMachine } from './machine-settings.ts';

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
  const { homes, config, cargo, of, below } = new MachineRoots(environment, platform, home);
  const paths = [...of('NETRC'), ...below(homes, '.netrc'), ...below(homes, '_netrc')];
  const netrc = paths.map((path) => ({ name: '.netrc', path }));
  const poetry = [...of('POETRY_CONFIG_DIR'), ...below(config, 'pypoetry')];
  return {
    GO: netrc,
    NPM: [],
    CARGO: cargo.flatMap((it) =>
      ['credentials.toml', 'credentials'].flatMap((name) =>
        below([it], name).map((path) => ({ name: 'credentials.toml', path })),
      ),
    ),
    MAVEN: [],
    PYPI: [
      ...poetry.flatMap((it) => [
        ...below([it], 'auth.toml').map((path) => ({ name: 'auth.toml', path })),
        ...below([it], 'config.toml').map((path) => ({ name: 'poetry.toml', path })),
      ]),
      ...netrc,
    ],
    NUGET: [],
  };
}
