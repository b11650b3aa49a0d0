import * as l10n from '@vscode/l10n';
import { isRecord } from '../../engine/base/text.ts';
import { type Problem, shown } from './problem.ts';
import type { RuleName } from './rule-name.ts';
import type { ServiceMethod } from './service-method.ts';

/** A call, before it is built. */
export interface Call {
  readonly method: ServiceMethod;
  /** By name. */
  readonly parameters: Readonly<Record<string, readonly string[]>>;
  /** A value of JSON; undefined without a body. */
  readonly body: unknown;
  readonly options: RequestOptions;
}

/** What a person grants to one call. */
export interface RequestOptions {
  /** The version that was read, for a conditional change: `If-Match`. By default the `etag` of the body. */
  readonly etag?: string;
  /** Replaces a resource without its etag or fingerprint. */
  readonly replace?: boolean;
  /** The name of the resource that a destructive method removes. */
  readonly confirm?: string;
}

/** A rule of the contract of a service. */
interface Rule {
  /** A sentence without its full stop. */
  readonly text: () => string;
  /** What of a call breaks it, before anything is sent. Absent for a rule that informs. */
  readonly breaks?: (call: Call) => Omit<Problem, 'message' | 'rule'> | undefined;
  /** A call to make before, and what its answer must be. */
  readonly before?: BeforeRule;
}

interface BeforeRule {
  /** The id of a method that takes the parameters of the path. */
  readonly method: string;
  /** Why the call must not follow on its answer. */
  readonly breaks: (answer: unknown) => boolean;
}

/** Parameters that no call may combine with `syncToken`. */
const excludedBySyncToken: readonly string[] = [
  'iCalUID',
  'minAccessRole',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMax',
  'timeMin',
  'updatedMin',
];

/** The rules of the contracts, by the names that the tables and messages use. */
export const rules = {
  'patch-units': {
    text: () => l10n.t('A patch costs 3 quota units; get followed by update costs 2, and is preferred'),
  },
  'patch-semantics': {
    text: () =>
      l10n.t('A patch replaces every list that its body contains as a whole, and leaves absent members as they are'),
  },
  'update-replaces': {
    text: () =>
      l10n.t(
        'An update replaces the whole resource: it requires the etag of the version that was read, in the body or as the option etag, unless the option replace is given',
      ),
    breaks: (call) => (etagOf(call) === undefined && !call.options.replace ? { member: [] } : undefined),
  },
  'event-id': {
    text: () =>
      l10n.t(
        'An event is selected by its identifier; {0} with {1} selects it by its iCalendar identifier',
        'scheduling.events.list',
        'iCalUID',
      ),
    // An event has an id of letters, digits and underscores; an iCalendar identifier is mostly an address.
    breaks: ({ parameters }) => (parameters['eventId']?.[0]?.includes('@') ? { parameter: 'eventId' } : undefined),
  },
  'import-default': {
    text: () => l10n.t('An import accepts only events whose eventType is default'),
    breaks: ({ body }) => (!isRecord(body) || isDefaultEvent(body) ? undefined : { member: ['eventType'] }),
  },
  'move-destination': {
    text: () => l10n.t('A move requires the parameter destination: the calendar to move the event to'),
    breaks: ({ parameters }) => (parameters['destination'] ? undefined : { parameter: 'destination' }),
  },
  'move-default': {
    text: () =>
      l10n.t(
        'Only events whose eventType is default can be moved: not those of the types outOfOffice, focusTime, workingLocation and fromMail',
      ),
    before: { method: 'scheduling.events.get', breaks: (answer) => !isDefaultEvent(answer) },
  },
  'quick-add-text': {
    text: () => l10n.t('A quick add requires the parameter text: the description of the event'),
    breaks: ({ parameters }) => (parameters['text'] ? undefined : { parameter: 'text' }),
  },
  'clear-primary': {
    text: () =>
      l10n.t(
        'Only the primary calendar can be cleared: calendarId is “primary”; {0} removes another one',
        'scheduling.calendars.delete',
      ),
    breaks: ({ parameters }) => (isPrimary(parameters) ? undefined : { parameter: 'calendarId', similar: ['primary'] }),
  },
  'delete-secondary': {
    text: () =>
      l10n.t(
        'Only a secondary calendar can be deleted; {0} removes the events of the primary one',
        'scheduling.calendars.clear',
      ),
    breaks: ({ parameters }) => (isPrimary(parameters) ? { parameter: 'calendarId' } : undefined),
  },
  'sync-token': {
    text: () => l10n.t('syncToken cannot be combined with {0}', excludedBySyncToken.join(', ')),
    breaks: ({ parameters }) => {
      const excluded = excludedBySyncToken.find((it) => parameters[it]);
      return parameters['syncToken'] && excluded !== undefined ? { parameter: excluded } : undefined;
    },
  },
  fingerprint: {
    text: () =>
      l10n.t('The body requires the fingerprint of the deployment that was read, unless the option replace is given'),
    breaks: ({ body, options }) => {
      const isGiven = isRecord(body) && typeof body['fingerprint'] === 'string' && body['fingerprint'] !== '';
      return isGiven || options.replace ? undefined : { member: ['fingerprint'] };
    },
  },
  'policy-replaces': {
    text: () =>
      l10n.t(
        'The policy replaces the existing one: it requires the etag of the policy that was read, unless the option replace is given',
      ),
    breaks: ({ body, options }) => {
      const policy = isRecord(body) ? body['policy'] : undefined;
      const isGiven = [body, policy].some((it) => isRecord(it) && typeof it['etag'] === 'string' && it['etag'] !== '');
      return isGiven || options.replace ? undefined : { member: ['policy', 'etag'] };
    },
  },
  'rate-limit-status': {
    text: () =>
      l10n.t(
        'This call counts against the secondary rate limit alone; the headers of other answers give the same figures at no cost',
      ),
  },
} as const satisfies Readonly<Record<RuleName, Rule>>;

/** The sentence of a rule, without its full stop. */
export function ruleText(name: RuleName): string {
  return rules[name].text();
}

/** The rules that a call breaks. */
export function brokenRules(call: Call): Problem[] {
  return call.method.rules.flatMap((name): Problem[] => {
    const rule: Rule = rules[name];
    const found = rule.breaks?.(call);
    return found ? [{ ...found, message: rule.text(), rule: name }] : [];
  });
}

/** The call that a rule requires before a method, with the check of its answer. */
export function ruleBefore(method: ServiceMethod): RequiredCall | undefined {
  for (const name of method.rules) {
    const { before, text }: Rule = rules[name];
    if (before === undefined) continue;
    return {
      method: before.method,
      rule: name,
      check: (answer) => (before.breaks(answer) ? { message: text(), rule: name } : undefined),
    };
  }
  return undefined;
}

/** A call that is made before another one. */
export interface RequiredCall {
  readonly method: string;
  readonly rule: RuleName;
  /** Why the other call must not be sent on this answer. */
  check(answer: unknown): Problem | undefined;
}

/** The etag of a conditional change. */
export function etagOf({ method, body, options }: Call): string | undefined {
  if (options.etag !== undefined) return options.etag;
  if (method.verb !== 'PUT' || !isRecord(body)) return undefined;
  const { etag } = body;
  return typeof etag === 'string' && etag !== '' ? etag : undefined;
}

/**
 * Whether a destructive call may be sent: it gives the name of its resource.
 * @param name the value of the parameter that names the resource
 */
export function confirmation({ method, options }: Call, name: string): Problem | undefined {
  if (method.effect !== 'destroy' || options.confirm === name) return undefined;
  const message =
    options.confirm === undefined
      ? l10n.t('{0} cannot be undone: it requires the name {1} as the option confirm', method.id, shown(name))
      : l10n.t(
          '{0} cannot be undone: the option confirm is {1}, and the name is {2}',
          method.id,
          shown(options.confirm),
          shown(name),
        );
  return { message };
}

function isPrimary(parameters: Call['parameters']): boolean {
  return parameters['calendarId']?.[0] === 'primary';
}

/** Whether an event has the type `default`, which is also the one of an event without a type. */
function isDefaultEvent(event: unknown): boolean {
  if (!isRecord(event)) return false;
  const { eventType } = event;
  return eventType === undefined || eventType === null || eventType === 'default';
}
