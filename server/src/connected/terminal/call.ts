import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../../engine/base/file-error.ts';
import { connectionNames, connectionVariable, readConnectionAddress } from '../../engine/model/connection.ts';
import { jsonText } from '../../engine/report/formats/format.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type Command, type Option, type OptionTable, type OptionValues, UsageError } from '../../terminal/command.ts';
import { notOneOf, rawOptions, rawPositionals } from '../../terminal/options.ts';
import { type BuiltRequest, buildRequest, type GivenParameters } from '../api/build-request.ts';
import { costText } from '../api/cost.ts';
import { dryRun, dryRunFormats } from '../api/dry-run.ts';
import { adviceFor } from '../api/errors.ts';
import { readJson } from '../api/json.ts';
import { type CallResult, hasPages, joinPages, pages, sendBuilt } from '../api/pages.ts';
import type { Problem } from '../api/problem.ts';
import { type RequestOptions, ruleText } from '../api/rules.ts';
import {
  allMethods,
  findMethod,
  methodsOf,
  type Parameter,
  type ServiceMethod,
  type Type,
} from '../api/service-method.ts';
import { valueTypeOf } from '../api/value-types.ts';
import type { ConnectedTerminal, ServiceSession } from './connected-terminal.ts';

/** The options that are no parameters of a method. No method has a parameter of such a name. */
const callOptions = {
  list: { help: () => l10n.t('list every method, or those of a service: id, verb, units, effect, path') },
  json: { help: () => l10n.t('with --list: print JSON') },
  body: { value: 'FILE', help: () => l10n.t('the body as JSON; - for standard input') },
  all: { help: () => l10n.t('follow all pages, and print them as one') },
  etag: { value: 'ETAG', help: () => l10n.t('change only this version of the resource') },
  replace: { help: () => l10n.t('replace whatever version is there') },
  confirm: { value: 'NAME', help: () => l10n.t('the name of what is removed') },
  'dry-run': {
    value: 'FORMAT',
    alone: 'http',
    names: dryRunFormats,
    help: () => l10n.t('print the request, without the credential, and send nothing: http or curl'),
    read(text, option) {
      const format = dryRunFormats.find((it) => it === text);
      if (format) return format;
      throw notOneOf(text, dryRunFormats, option);
    },
  },
  'base-url': {
    value: 'URL',
    help: () => l10n.t('the service; default: the one of the environment'),
  },
} as const satisfies OptionTable;

type CallOptions = OptionValues<typeof callOptions>;

/** `package-insights call`: calls any method of a connected service. */
export const callCommand: Command<typeof callOptions> = {
  name: 'call',
  usage: 'METHOD [--PARAMETER VALUE…] | --list [SERVICE]',
  summary: () => l10n.t('Call a method of a connected service'),
  options: callOptions,
  notes: () => [
    l10n.t(
      'Everything is checked before it is sent: parameters, body, and the rules of the service. {0} shows those of a method.',
      'package-insights call METHOD --help',
    ),
    l10n.t(
      'Services: {0}. The environment gives the address and the credential of each, for example {1} and {2}.',
      connectionNames.join(', '),
      connectionVariable('link-safety', 'URL'),
      connectionVariable('link-safety', 'TOKEN'),
    ),
    l10n.t('Exit codes: 0 done, 2 not sent or not successful.'),
  ],
  examples: [
    'package-insights call --list scheduling',
    'package-insights call scheduling.events.list --calendarId primary --all',
    'package-insights call scheduling.events.insert --calendarId primary --body event.json --dry-run=curl',
  ],
  takesPositionals: true,
  async forArguments(args) {
    const [id] = rawPositionals(callCommand, args);
    if (id === undefined || rawOptions(callCommand, args)['list'] === true) return callCommand;
    const found = await findMethod(id);
    if (found.kind === 'found') return commandFor(found.method);
    const said = l10n.t('unknown method {0}', id);
    const help = 'package-insights call --list';
    throw new UsageError(
      found.similar.length > 0
        ? l10n.t('{0}; did you mean {1}?', said, found.similar.join(', '))
        : l10n.t('{0}; {1} lists all methods', said, help),
    );
  },
  async run({ options, positionals }, terminal: ConnectedTerminal) {
    if (!options.list) throw new UsageError(l10n.t('which method? {0} lists all', 'package-insights call --list'));
    const [name, ...more] = positionals;
    if (more.length > 0) throw new UsageError(l10n.t('{0} requires at most one service', '--list'));
    const service = connectionNames.find((it) => it === name);
    if (name !== undefined && service === undefined) throw notOneOf(name, connectionNames, '--list');
    const rows = (service === undefined ? await allMethods() : await methodsOf(service)).map(
      ({ id, verb, path, units, effect }) => ({ id, verb, path, units, effect }),
    );
    if (options.json) terminal.out(jsonText(rows));
    else printRows(rows, terminal);
    return 0;
  },
};

interface Row {
  readonly id: string;
  readonly verb: string;
  readonly path: string;
  readonly units: number;
  readonly effect: string;
}

/** `scheduling.events.patch   PATCH   3  write    calendars/{calendarId}/events/{eventId}` */
function printRows(rows: readonly Row[], { out }: ConnectedTerminal): void {
  const widest = Math.max(...rows.map((it) => it.id.length));
  for (const { id, verb, units, effect, path } of rows)
    out(`${id.padEnd(widest)}  ${verb.padEnd(6)}  ${units}  ${effect.padEnd(7)}  ${path}`);
}

/** The command that calls one method. */
function commandFor(method: ServiceMethod): Command {
  const options = { ...parameterOptions(method), ...optionsOf(method) };
  const required = method.parameters.filter((it) => it.isRequired).map((it) => ` --${it.name} VALUE`);
  const body = method.body ? ' --body FILE' : '';
  return {
    name: 'call',
    usage: `${method.id}${required.join('')}${body}`,
    summary: () => `${method.verb} ${method.path}: ${costText(method)}`,
    options,
    notes: () => [
      ...bodyNotes(method),
      ...method.rules.map((it) => `${it}: ${ruleText(it)}.`),
      l10n.t('Credential: {0}.', connectionVariable(method.connection, 'TOKEN')),
    ],
    takesPositionals: true,
    async run({ options: given, positionals }, terminal: ConnectedTerminal) {
      const [, extra] = positionals;
      if (extra !== undefined) throw new UsageError(l10n.t('{0} does not accept “{1}”', method.id, extra));
      return call(method, parametersIn(given, method), given as Partial<CallOptions>, terminal);
    },
  };
}

/** The options that make sense for a method. */
function optionsOf(method: ServiceMethod): OptionTable {
  const { list: _, json: __, body, all, etag, replace, confirm, 'base-url': baseUrl, ...always } = callOptions;
  const replaces = method.rules.some((it) => ['update-replaces', 'fingerprint', 'policy-replaces'].includes(it));
  const takesEtag = method.connection === 'scheduling' && method.effect !== 'read';
  return {
    ...(method.body && { body }),
    ...(hasPages(method) && { all }),
    ...(takesEtag && { etag }),
    ...(replaces && { replace }),
    ...(method.effect === 'destroy' && { confirm }),
    ...always,
    'base-url': {
      ...baseUrl,
      help: () => l10n.t('the service; default: {0}', connectionVariable(method.connection, 'URL')),
    },
  };
}

/** Each parameter is an option of its name. The call checks its value. */
function parameterOptions(method: ServiceMethod): OptionTable {
  return Object.fromEntries(method.parameters.map((it): [string, Option] => [it.name, parameterOption(it, method)]));
}

function parameterOption(parameter: Parameter, method: ServiceMethod): Option {
  const { type } = parameter;
  return {
    value: 'VALUE',
    // A value that is given twice is an error of the call.
    isRepeatable: true,
    ...(type === 'boolean' && { alone: ['true'], names: ['true', 'false'] }),
    help: () => parameterText(parameter, method),
  };
}

/** `required; text`, `one of all, externalOnly, none; default: all` */
function parameterText({ type, isRequired, isRepeatable, min, max, default: usual }: Parameter, method: ServiceMethod) {
  const values = method.types.enumOf(type);
  const range = [min, max].every((it) => it !== undefined)
    ? ` (${min}–${max})`
    : min === undefined
      ? ''
      : ` (≥ ${min})`;
  const expected = values ? l10n.t('one of {0}', values.join(', ')) : (valueTypeOf(type)?.expected() ?? type);
  return [
    ...(isRequired ? [l10n.t('required')] : []),
    `${expected}${range}`,
    ...(isRepeatable ? [l10n.t('repeatable')] : []),
    ...(usual === undefined ? [] : [l10n.t('default: {0}', usual)]),
  ].join('; ');
}

/** The members of the body, with their types. */
function bodyNotes({ body, types }: ServiceMethod): string[] {
  if (!body) return [];
  const members = types.membersOf(body.type) ?? [];
  const listed = members.filter((it) => !it.isReadOnly).map((it) => `${it.name} ${typeText(it.type)}`);
  return [
    l10n.t('Body: {0}. Members: {1}.', body.type, listed.join(', ')),
    ...(body.required.length > 0 ? [l10n.t('Required members: {0}.', body.required.join(', '))] : []),
  ];
}

function typeText(type: Type): string {
  if (type.kind === 'list') return `${typeText(type.of)}[]`;
  return type.kind === 'map' ? `{${typeText(type.of)}}` : type.name;
}

function parametersIn(given: Readonly<Record<string, unknown>>, { parameters }: ServiceMethod): GivenParameters {
  return Object.fromEntries(
    parameters.flatMap(({ name }): [string, string[]][] => {
      const values = Object.hasOwn(given, name) ? given[name] : undefined;
      const texts = Array.isArray(values) ? values.map(String) : [];
      return texts.length > 0 ? [[name, texts]] : [];
    }),
  );
}

async function call(
  method: ServiceMethod,
  parameters: GivenParameters,
  options: Partial<CallOptions>,
  terminal: ConnectedTerminal,
): Promise<number> {
  const baseUrl = options['base-url'] === undefined ? undefined : readBaseUrl(options['base-url']);
  const body = options.body === undefined ? undefined : await readBody(options.body, terminal);
  const { etag, replace = false, confirm } = options;
  const granted: RequestOptions = {
    replace,
    ...(etag !== undefined && { etag }),
    ...(confirm !== undefined && { confirm }),
  };
  const built = buildRequest(method, parameters, body, granted);
  if (!built.ok) return printProblems(built.problems, terminal);
  for (const it of built.notes) terminal.error(`package-insights call: ${sanitize(it.message)}`);
  const format = options['dry-run'];
  if (format !== undefined) {
    const comments = commentsOn(method, built);
    if (format === 'curl') for (const it of comments) terminal.error(`package-insights call: ${it}`);
    const shown = format === 'http' ? { comments } : {};
    terminal.out(dryRun(built.request, format, { ...shown, ...(baseUrl !== undefined && { baseUrl }) }));
    return 0;
  }
  const session = await terminal.service(method.connection, baseUrl);
  const aborting = new AbortController();
  terminal.ended.then(() => aborting.abort());
  try {
    const send: ServiceSession['send'] = (request, signal) => session.send(request, signal);
    const result = options.all
      ? await allPages(pages(send, method, parameters, body, aborting.signal))
      : await sendBuilt(send, built, method, parameters, aborting.signal);
    return printResult(result, method, terminal);
  } finally {
    session.close();
  }
}

/** What a person should know about a call before it is sent. */
function commentsOn(method: ServiceMethod, built: Extract<BuiltRequest, { readonly ok: true }>): string[] {
  const { before } = built;
  return [
    `${method.id}: ${costText(method)}`,
    ...method.rules.filter((it) => it.startsWith('patch-')).map(ruleText),
    ...(before ? [l10n.t('{0} is called first: {1}', before.method, ruleText(before.rule))] : []),
  ];
}

/** The address may contain a credential, so no message repeats it. */
function readBaseUrl(text: string): string {
  const address = readConnectionAddress(text);
  if (address.kind === 'valid') return address.origin + address.prefix;
  throw new UsageError(l10n.t('invalid address in {0}: {1}', '--base-url', address.reason));
}

async function readBody(file: string, terminal: ConnectedTerminal): Promise<unknown> {
  const name = file === '-' ? l10n.t('standard input') : file;
  const read = file === '-' ? terminal.input() : readFile(resolve(terminal.directory, file), 'utf8');
  const text = await read.catch((error: unknown) => {
    throw new UsageError(l10n.t('{0} cannot be read: {1}', name, fileTrouble(error)));
  });
  const json = readJson(text.replace(/^\ufeff/, ''));
  switch (json.kind) {
    case 'value':
      return json.value;
    case 'deep':
      throw new UsageError(l10n.t('{0} is nested too deeply', name));
    case 'invalid':
      throw new UsageError(
        json.at === undefined ? l10n.t('{0} is not JSON', name) : l10n.t('{0} is not JSON: {1}', name, json.at),
      );
  }
}

/** All pages as one, or the first result that is no page. */
async function allPages(all: AsyncIterable<CallResult>): Promise<CallResult> {
  const values: unknown[] = [];
  let last: CallResult = { kind: 'aborted' };
  for await (const page of all) {
    last = page;
    if (page.kind === 'done') values.push(page.value);
  }
  return last.kind === 'done' ? { ...last, value: joinPages(values) } : last;
}

function printProblems(problems: readonly Problem[], terminal: ConnectedTerminal): number {
  for (const { message, rule } of problems) {
    const said = rule === undefined ? message : l10n.t('{0} (rule {1})', message, rule);
    terminal.error(`package-insights call: ${sanitize(said)}`);
  }
  return 2;
}

function printResult(result: CallResult, { connection }: ServiceMethod, terminal: ConnectedTerminal): number {
  const fail = (...lines: readonly string[]): number => {
    for (const it of lines) terminal.error(`package-insights call: ${sanitize(it)}`);
    return 2;
  };
  switch (result.kind) {
    case 'done':
      if (result.value !== undefined) terminal.out(jsonText(result.value));
      return 0;
    case 'error': {
      const { error } = result;
      const advice = adviceFor(error);
      const places =
        error.locations.length === 0 ? [] : [l10n.t('named by the service: {0}', error.locations.join(', '))];
      return fail(error.message, ...places, ...(advice === undefined ? [] : [advice]));
    }
    case 'refused':
      return printProblems(result.problems, terminal);
    case 'not-connected':
      return fail(
        l10n.t(
          '{0}: {1}; give {2}, or set {3}',
          connection,
          result.reason,
          '--base-url URL',
          connectionVariable(connection, 'URL'),
        ),
      );
    case 'failed':
      return fail(result.reason);
    case 'aborted':
      return fail(l10n.t('canceled'));
  }
}
