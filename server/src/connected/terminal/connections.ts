import * as l10n from '@vscode/l10n';
import { type ConnectionStatus, connectionVariable } from '../../engine/model/connection.ts';
import { connectionLines } from '../../engine/report/formats/connections.ts';
import { jsonText } from '../../engine/report/formats/format.ts';
import { type Command, type OptionTable, UsageError } from '../../terminal/command.ts';
import type { ConnectedTerminal } from './connected-terminal.ts';
import { signIn, signOut } from './sign-in.ts';

const connectionsOptions = {
  'base-url': { value: 'URL', help: () => l10n.t('with sign-in: the address of the service') },
  json: { help: () => l10n.t('print a JSON list') },
} as const satisfies OptionTable;

/**
 * `package-insights connections`: the connected services, their use and what holds them, which sends nothing; `sign-in`
 * and `sign-out` keep and forget the credential of one.
 */
export const connectionsCommand: Command<typeof connectionsOptions> = {
  name: 'connections',
  usage: '[--json | sign-in NAME | sign-out NAME]',
  summary: () => l10n.t('Show the connected services, their use, budgets and holds, or connect one'),
  options: connectionsOptions,
  notes: () => [
    l10n.t(
      '{0} reads a credential without showing it, or from standard input, tries it, and keeps it in the keyring of the system for this address alone; {1} forgets both.',
      'sign-in NAME --base-url URL',
      'sign-out NAME',
    ),
    l10n.t(
      'Environment variables connect a service: {0} is its address, {1} its credential, which is sent to this address alone. They come first.',
      connectionVariable('code-host', 'URL'),
      connectionVariable('code-host', 'TOKEN'),
    ),
  ],
  examples: [
    'package-insights connections --json',
    'package-insights connections sign-in code-host --base-url https://api.github.com',
  ],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: true,
  async run({ options, positionals: [action, name, ...more] }, terminal: ConnectedTerminal) {
    const { json, 'base-url': baseUrl } = options;
    if (action === undefined && baseUrl === undefined) return list(json, terminal);
    if (json) throw new UsageError(l10n.t('{0} and {1} cannot be combined', '--json', action ?? '--base-url'));
    if (name !== undefined && more.length === 0) {
      if (action === 'sign-in') return signIn(name, baseUrl, terminal);
      if (action === 'sign-out' && baseUrl === undefined) return signOut(name, terminal);
    }
    throw new UsageError(l10n.t('use {0} or {1}', 'sign-in NAME [--base-url URL]', 'sign-out NAME'));
  },
};

async function list(json: boolean, terminal: ConnectedTerminal): Promise<number> {
  const services = await terminal.services(terminal.settings({}));
  try {
    const all = await services.connections.list();
    const lines = json ? [jsonText(all)] : linesOf(all);
    for (const it of lines) terminal.out(it);
    return 0;
  } finally {
    services.close();
  }
}

function linesOf(all: readonly ConnectionStatus[]): string[] {
  const isSet = (it: ConnectionStatus): boolean => it.host !== undefined || it.lastError !== undefined;
  const others = all.filter((it) => !isSet(it));
  return [
    ...all.filter(isSet).flatMap(connectionLines),
    ...(others.length > 0 ? [l10n.t('Not connected: {0}', others.map((it) => it.name).join(', '))] : []),
  ];
}
