import {
  connectionKeys,
  connectionNames,
  linkSafetyModes,
  threatListPattern,
  usualThreatLists,
} from '../model/connection.ts';
import { servicePattern } from '../model/links.ts';
import { hoursPattern, weekDays } from '../model/schedule-settings.ts';
import type { Declaration } from './declaration.ts';

/** The form of a project: `my-project`, `example.com:my-project`, `123456`. Source: the contract of the service. */
const projectPattern =
  '^((([-a-z0-9]{1,63}\\.)*[a-z]([-a-z0-9]{0,61}[a-z0-9])?:)?([0-9]{1,19}|[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?))?$';

/** Requests a day. The code host allows 5,000 an hour with a credential; a workspace has a few hundred repositories. */
const DEFAULT_DAILY_BUDGET = 2000;

const connectionPurposes = {
  'code-host': 'archived repositories, last push and open issues of packages',
  'link-safety': 'checks of the links that packages declare',
  scheduling: 'calendar events for updates',
  deployments: 'types and states of deployment manifests',
  'token-audit': 'the use of your credentials',
} as const;

const addresses: Readonly<Record<string, Declaration>> = Object.fromEntries(
  connectionNames.flatMap((name): [string, Declaration][] => {
    const key = `connections.${connectionKeys[name]}`;
    const baseUrl: Declaration = {
      type: 'string',
      default: '',
      pattern: `^$|${servicePattern}`,
      patternErrorMessage: 'An address like https://service.example, or http://127.0.0.1:8080 on this machine.',
      scope: 'machine',
      markdownDescription: `Address of the service for ${connectionPurposes[name]}. Empty: not connected, and nothing is sent.`,
    };
    const dailyBudget: Declaration = {
      type: 'integer',
      default: DEFAULT_DAILY_BUDGET,
      minimum: 0,
      maximum: 1_000_000,
      scope: 'machine',
      isAdvanced: true,
      markdownDescription: `Requests a day (UTC) for ${connectionPurposes[name]}. After that, nothing is sent in the background until the next day, only what you ask for yourself.`,
    };
    return [
      [`${key}.baseUrl`, baseUrl],
      [`${key}.dailyBudget`, dailyBudget],
    ];
  }),
);

/** The settings of connected services. */
export const connectionSettings: Readonly<Record<string, Declaration>> = {
  ...addresses,
  'connections.linkSafety.mode': {
    type: 'string',
    default: 'off',
    enum: linkSafetyModes,
    enumDescriptions: [
      'Links are not checked.',
      'The addresses of links are sent to the connected service.',
      'Lists are kept on this machine. Only the beginnings of hashes are sent, and only for links that may be on a list.',
    ],
    scope: 'machine',
    markdownDescription: 'Whether the links that packages declare are checked before they can be clicked.',
  },
  'connections.linkSafety.threatLists': {
    type: 'array',
    items: {
      type: 'string',
      pattern: threatListPattern,
      patternErrorMessage: 'A list of addresses like MALWARE, or MALWARE/WINDOWS/URL.',
    },
    default: usualThreatLists,
    scope: 'machine',
    isAdvanced: true,
    markdownDescription:
      'The lists that links are checked against. *Package Insights: Choose Threat Lists…* shows those of the connected service. With an invalid name, an empty list or a list that the service does not have, no link counts as checked.',
  },
  'connections.deployments.project': {
    type: 'string',
    default: '',
    pattern: projectPattern,
    patternErrorMessage: 'The name or the number of a project, such as “my-project”.',
    scope: 'machine',
    markdownDescription:
      'The project of deployment manifests. Empty: none is chosen, and nothing about deployment manifests is sent.',
  },
  'connections.scheduling.calendar': {
    type: 'string',
    default: '',
    scope: 'machine',
    markdownDescription:
      'Id of the calendar for scheduled updates. Empty: the one that was chosen with a command. Nothing is sent in the background until a calendar is chosen.',
  },
  'connections.scheduling.busyCalendars': {
    type: 'array',
    items: { type: 'string' },
    default: ['primary'],
    scope: 'machine',
    isAdvanced: true,
    markdownDescription: 'Ids of the calendars whose events are busy times when a time for an update is proposed.',
  },
  'connections.scheduling.workingHours': {
    type: 'string',
    default: '09:00-17:00',
    pattern: hoursPattern,
    patternErrorMessage: 'Enter two times of a day, for example “09:00-17:00”.',
    scope: 'machine',
    isAdvanced: true,
    markdownDescription:
      'Hours in which a time for an update is proposed, in the time zone of the calendar. Maintenance windows take precedence.',
  },
  'connections.scheduling.workingDays': {
    type: 'array',
    items: {
      type: 'string',
      pattern: `^(${weekDays.join('|')})$`,
      patternErrorMessage: 'Enter “mon”, “tue”, “wed”, “thu”, “fri”, “sat” or “sun”.',
    },
    default: ['mon', 'tue', 'wed', 'thu', 'fri'],
    scope: 'machine',
    isAdvanced: true,
    markdownDescription: 'Days on which a time for an update is proposed.',
  },
  'connections.scheduling.slotMinutes': {
    type: 'integer',
    default: 30,
    minimum: 5,
    maximum: 480,
    scope: 'machine',
    isAdvanced: true,
    markdownDescription: 'Length of the event for an update, in minutes.',
  },
  'connections.scheduling.notifications': {
    type: 'string',
    default: '',
    pattern: `^$|${servicePattern}`,
    patternErrorMessage: 'An https address, or http://127.0.0.1:PORT on this machine.',
    scope: 'machine',
    isAdvanced: true,
    markdownDescription:
      'Address that the calendar notifies of changes. At an address of this machine, the extension listens itself. Empty: changes are requested every 15 minutes.',
  },
};
