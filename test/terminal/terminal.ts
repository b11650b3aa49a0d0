import assert from 'node:assert/strict';
import { commands, type WholeTerminal } from '../../server/src/bin/commands.ts';
import { offerServices } from '../../server/src/bin/served.ts';
import { readSettings } from '../../server/src/engine/settings/read.ts';
import { diskFiles } from '../../server/src/platform/files.ts';
import { importFiles } from '../../server/src/service/import/import-files.ts';
import { run } from '../../server/src/terminal/main.ts';
import { makeInsights } from '../harness/insights.ts';
import { catalogDirectory } from '../harness/service.ts';
import type { Ended } from './program.ts';

/** The terminal program in this process, over the real disk and a service on loopback. */
export async function runHere(
  args: readonly string[],
  directory: string,
  given: Partial<WholeTerminal> = {},
): Promise<Ended> {
  const [out, error]: [string[], string[]] = [[], []];
  const terminal: WholeTerminal = {
    out: (line) => void out.push(`${line}\n`),
    error: (line) => void error.push(`${line}\n`),
    color: false,
    directory,
    catalog: catalogDirectory,
    version: '1.0.0',
    loadTranslations: () => {},
    ended: new Promise(() => {}),
    languageServer: async () => {},
    environment: {},
    settings: readSettings,
    clock: { now: () => Date.UTC(2025, 11, 31), after: () => () => {} },
    disk: (roots) => diskFiles(() => roots),
    insights: makeInsights,
    services: async () => assert.fail('no command of this test needs connected services'),
    offerServices,
    importFiles,
    clientRegistries: async () => assert.fail('no command of this test looks for registries'),
    openTeam: async () => assert.fail('no command of this test opens a database'),
    page: () => ({ script: '', style: '' }),
    cachedServices: async () => [],
    input: async () => '',
    secret: async () => undefined,
    signIns: { keep: async () => {}, remove: async () => false },
    service: async () => ({
      send: async () => ({ kind: 'not-connected', reason: 'not connected' }),
      close: () => {},
    }),
    usage: async () => [],
    ...given,
  };
  const code = await run(args, terminal, commands);
  return { code, out: out.join(''), error: error.join('') };
}
