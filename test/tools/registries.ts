import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { ClientRegistries, FoundRegistry } from '../../server/src/engine/model/registries/client-registries.ts';
import { systemNames } from '../../server/src/engine/model/system.ts';
import { findClientRegistries } from '../../server/src/platform/registries/client-registries.ts';
import { statusLine } from '../../server/src/terminal/terminal.ts';
import { cache, root } from './paths.ts';
import { type Running, start } from './processes.ts';
import { publicService } from './trial.ts';

type Found = Pick<ClientRegistries, 'found' | 'asked'>;

/** The registries that this machine's package managers use. Their files are read; nothing is started. */
export async function registriesHere(): Promise<Found> {
  const labels = { given: '--registry', builtIn: 'its client' } as const;
  return findClientRegistries({ given: new Map(), withCredentials: false, labels });
}

/** Asks once, naming the hosts. Without a terminal, without an answer and with Enter alone the answer is no. */
export async function mayAsk({ asked }: Found): Promise<boolean> {
  const hosts = hostsOf(asked);
  if (hosts.length === 0 || !process.stdin.isTTY || !process.stdout.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  // The interface takes Ctrl-C for itself.
  terminal.on('SIGINT', () => {
    console.log();
    process.kill(process.pid, 'SIGINT');
  });
  try {
    const question = [
      'The catalog knows some 160 packages. For everything else the names of the packages in this folder can be sent to the',
      `registries that this machine’s package managers use: ${hosts.join(', ')}.`,
      'Ask them? [y/N] ',
    ].join('\n');
    // Ctrl-D ends the input without an answer.
    const answer = await terminal.question(question).catch(() => {
      console.log();
      return '';
    });
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

/** The hosts that are sent names, each once, also those that are asked for some names alone. */
export function hostsOf(asked: Found['asked']): readonly string[] {
  return [...new Set([...asked.values()].flat().map((url) => new URL(url).host))];
}

/** Starts the service over the catalog and, behind it, these registries. Answers are kept for the next run. */
export async function startRegistryService({ found, asked }: Found): Promise<Running & { readonly url: string }> {
  const cli = join(root, 'dist', 'cli.js');
  // A store belongs to one list of registries.
  const list = [...asked].map(([system, all]) => `${system} ${all.join(' ')}`).join('\n');
  const state = join(cache, 'registries', createHash('sha256').update(list).digest('hex').slice(0, 12));
  const args = [cli, 'serve', '--registries', '--state', state, '--port', '0'];
  const running = await start(
    { name: 'the Package Insights Service', command: process.execPath, args },
    /listening on (http:\/\/127\.0\.0\.1:\d+)\n/m,
  );
  for (const [system, it] of found) console.log(`${systemNames[system]}: ${registryText(it)}`);
  const others = [...asked.values()]
    .flat()
    .filter((it) => ![...found.values()].some((one) => one?.addresses.includes(it)));
  if (others.length > 0) console.log(`For some names: ${others.join(' ')}`);
  console.log('Registries know no vulnerabilities: a version that the catalog does not know is not checked.');
  console.log(`The public service (${publicService}) knows them: npm start -- FOLDER --public.`);
  return { ...running, url: running.said[1] ?? '' };
}

function registryText(found: FoundRegistry | undefined): string {
  if (found === undefined) return 'no registry';
  const { addresses, from } = found;
  return addresses.length === 0
    ? `not asked, since ${from} makes its client work offline`
    : `${addresses.join(' ')} (${from})`;
}

/**
 * Below what was printed before, one line of the terminal says how much the registries were asked.
 * @returns ends it
 */
export function showProgress(url: string): () => void {
  if (!process.stderr.isTTY) return () => {};
  const { show } = statusLine(process.stderr);
  const timer = setInterval(async () => {
    const text = await fetch(`${url}/metrics`).then(
      (it) => it.text(),
      () => '',
    );
    if (text !== '') show(progressText(url, text));
  }, 1000);
  timer.unref();
  return () => {
    clearInterval(timer);
    show('');
  };
}

/** @param metrics figures for Prometheus: `insights_upstream_seconds_count{outcome="answer"} 12` */
export function progressText(url: string, metrics: string): string {
  const counts = [...metrics.matchAll(/^insights_upstream_seconds_count\{outcome="([^"]*)"\} (\d+)$/gm)];
  const sum = (of: (outcome: string) => boolean): number =>
    counts.reduce((all, [, outcome = '', count]) => (of(outcome) ? all + Number(count) : all), 0);
  const failed = sum((it) => it === 'failed');
  return `${url} · registries asked: ${sum(() => true)}${failed > 0 ? `, failed: ${failed}` : ''}`;
}
