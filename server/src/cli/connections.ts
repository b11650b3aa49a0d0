import * as l10n from '@vscode/l10n';
import { type ConnectionStatus, connectionVariable } from '../model/connection.ts';
import { connectionLines } from '../report/formats/connections.ts';
import { jsonText } from '../report/formats/format.ts';
import type { Command, OptionTable } from './command.ts';

const connectionsOptions = {
  json: { help: () => l10n.t('print a JSON list') },
} as const satisfies OptionTable;

/** `package-insights connections`: the connected services, their use and what holds them. Sends nothing. */
export const connectionsCommand: Command<typeof connectionsOptions> = {
  name: 'connections',
  usage: '[--json]',
  summary: () => l10n.t('Show the connected services, their use, budgets and holds'),
  options: connectionsOptions,
  notes: () => [
    l10n.t(
      'Environment variables connect a service: {0} is its address, {1} its credential, which is sent to this address alone.',
      connectionVariable('code-host', 'URL'),
      connectionVariable('code-host', 'TOKEN'),
    ),
  ],
  examples: ['package-insights connections', 'package-insights connections --json'],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: false,
  async run({ options }, terminal) {
    const services = await terminal.services(terminal.settings({}));
    try {
      const all = await services.connections.list();
      const lines = options.json ? [jsonText(all)] : linesOf(all);
      for (const it of lines) terminal.out(it);
      return 0;
    } finally {
      services.close();
    }
  },
};

function linesOf(all: readonly ConnectionStatus[]): string[] {
  const isSet = (it: ConnectionStatus): boolean => it.host !== undefined || it.lastError !== undefined;
  const others = all.filter((it) => !isSet(it));
  return [
    ...all.filter(isSet).flatMap(connectionLines),
    ...(others.length > 0 ? [l10n.t('Not connected: {0}', others.map((it) => it.name).join(', '))] : []),
  ];
}
