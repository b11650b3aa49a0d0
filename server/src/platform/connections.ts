import {
  type ConnectionName,
  type Credentials,
  connectionKeys,
  connectionNames,
  connectionVariable,
} from '../engine/model/connection.ts';

/** The connections that the environment sets, for the terminal and for editors without a secret storage. */
export interface EnvironmentConnections {
  /** As settings: `{ connections: { codeHost: { baseUrl } } }`. */
  readonly settings: { readonly connections: Readonly<Record<string, object>> };
  /** A credential belongs to the address beside it. */
  readonly credentials: Credentials;
}

export function environmentConnections(environment: Readonly<NodeJS.ProcessEnv>): EnvironmentConnections {
  const addressOf = (name: ConnectionName): string | undefined => environment[connectionVariable(name, 'URL')];
  const mode = environment['PACKAGE_INSIGHTS_LINK_SAFETY_MODE'];
  const threatLists = environment['PACKAGE_INSIGHTS_LINK_SAFETY_LISTS']?.split(',').map((it) => it.trim());
  const project = environment['PACKAGE_INSIGHTS_DEPLOYMENTS_PROJECT'];
  const own: Partial<Record<ConnectionName, object>> = {
    'link-safety': { ...(mode !== undefined && { mode }), ...(threatLists && { threatLists }) },
    scheduling: schedulingOf(environment),
    deployments: { ...(project !== undefined && { project }) },
  };
  const connections = Object.fromEntries(
    connectionNames.map((name) => {
      const baseUrl = addressOf(name);
      return [connectionKeys[name], { ...(baseUrl !== undefined && { baseUrl }), ...own[name] }];
    }),
  );
  return {
    settings: { connections },
    credentials: {
      async read(name, baseUrl) {
        const secret = environment[connectionVariable(name, 'TOKEN')];
        const isOfAddress = addressOf(name)?.replace(/\/+$/, '') === baseUrl;
        return secret && isOfAddress ? { secret } : undefined;
      },
    },
  };
}

/** How the variables of planned updates are spelled, after `PACKAGE_INSIGHTS_SCHEDULING_`. Lists have commas. */
const schedulingVariables = {
  CALENDAR: ['calendar', String],
  BUSY_CALENDARS: ['busyCalendars', listOf],
  WORKING_HOURS: ['workingHours', String],
  WORKING_DAYS: ['workingDays', listOf],
  SLOT_MINUTES: ['slotMinutes', Number],
} as const;

function schedulingOf(environment: Readonly<NodeJS.ProcessEnv>): object {
  return Object.fromEntries(
    Object.entries(schedulingVariables).flatMap(([name, [setting, read]]) => {
      const text = environment[`PACKAGE_INSIGHTS_SCHEDULING_${name}`];
      return text === undefined ? [] : [[setting, read(text)]];
    }),
  );
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((it) => it.trim())
    .filter((it) => it !== '');
}
