import { basename, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileUri } from '../../engine/base/uri.ts';
import { jsonText } from '../../engine/report/formats/format.ts';
import { sanitize } from '../../engine/report/formats/texts.ts';
import { type Command, type OptionTable, UsageError } from '../../terminal/command.ts';
import { notOneOf } from '../../terminal/options.ts';
import {
  type DeploymentAction,
  type DeploymentProblem,
  type DeploymentRequest,
  type DeploymentState,
  type Deployments,
  deploymentNamePattern,
} from '../model/deployments/deployments.ts';
import type { ConnectedTerminal } from './connected-terminal.ts';

/** What the command does, by the word for it. */
const actions = {
  preview: 'preview',
  apply: 'deploy',
  'cancel-preview': 'cancel-preview',
  stop: 'stop',
  delete: 'delete',
  status: undefined,
} as const satisfies Readonly<Record<string, DeploymentAction | undefined>>;
type Word = keyof typeof actions;
const words = Object.keys(actions) as Word[];

const deployOptions = {
  project: {
    value: 'NAME',
    help: () => l10n.t('the project; default: {0}', 'PACKAGE_INSIGHTS_DEPLOYMENTS_PROJECT'),
  },
  name: { value: 'NAME', help: () => l10n.t('the deployment; default: the name of the file') },
  confirm: { value: 'NAME', help: () => l10n.t('the name of the deployment again, required by {0}', 'delete') },
  json: { help: () => l10n.t('print the result as JSON') },
} as const satisfies OptionTable;

/** `package-insights deploy`: what can be done with a deployment manifest. */
export const deployCommand: Command<typeof deployOptions> = {
  name: 'deploy',
  usage: 'ACTION [FILE] [--project NAME] [--name NAME]',
  summary: () => l10n.t('Preview or deploy a deployment manifest with the connected service'),
  options: deployOptions,
  notes: () => [
    l10n.t('ACTION is one of {0}.', words.join(', ')),
    l10n.t(
      'The manifest and the files that it imports are sent. FILE is required by preview and apply; elsewhere it may be left out beside --name. Ctrl-C ends the waiting, not the operation.',
    ),
    l10n.t('Exit codes: 0 done, 1 the service reports errors, 2 not done or not known.'),
  ],
  examples: [
    'package-insights deploy preview stack.yaml --project demo',
    'package-insights deploy apply stack.yaml --project demo --name front',
    'package-insights deploy delete --name front --confirm front',
  ],
  isForPrograms: ({ json }) => json === true,
  takesPositionals: true,
  async run({ options, positionals }, terminal: ConnectedTerminal) {
    const [given = '', file, ...others] = positionals;
    const word = words.find((it) => it === given);
    if (word === undefined) throw notOneOf(given, words, l10n.t('the action'));
    if (others.length > 0) throw new UsageError(l10n.t('one manifest at a time'));
    const needsFile = word === 'preview' || word === 'apply';
    if (needsFile && file === undefined) throw new UsageError(l10n.t('{0} requires a manifest', word));
    const name = options.name ?? (file === undefined ? undefined : nameFrom(file));
    if (name === undefined) throw new UsageError(l10n.t('{0} requires a manifest or --name', word));
    if (!deploymentNamePattern.test(name)) {
      throw new UsageError(
        l10n.t('{0} requires lower-case letters, digits and dashes, a letter first, not “{1}”', '--name', name),
      );
    }
    if (word === 'delete' && options.confirm !== name) {
      throw new UsageError(l10n.t('a deletion cannot be undone: it requires {0}', `--confirm ${name}`));
    }
    const { project } = options;
    const settings = terminal.settings(project === undefined ? {} : { connections: { deployments: { project } } });
    const services = await terminal.services(settings);
    try {
      const { deployments } = services;
      if (deployments.project() === '') {
        throw new UsageError(
          l10n.t('no project is chosen: give {0} or set {1}', '--project NAME', 'PACKAGE_INSIGHTS_DEPLOYMENTS_PROJECT'),
        );
      }
      if (word === 'status') return await showStatus(name, deployments, options.json, terminal);
      const request = await requestFor(actions[word], name, needsFile ? file : undefined, deployments, terminal);
      if (request === undefined) return 2;
      return await act(request, deployments, options.json, terminal);
    } finally {
      services.close();
    }
  },
};

/** The request with the manifest and its imports; undefined after the reason against it was printed. */
async function requestFor(
  action: DeploymentAction,
  name: string,
  file: string | undefined,
  deployments: Deployments,
  terminal: ConnectedTerminal,
): Promise<DeploymentRequest | undefined> {
  if (file === undefined) return { action, name };
  const uri = fileUri(resolve(terminal.directory, file));
  const disk = terminal.disk([uri.slice(0, uri.lastIndexOf('/') + 1)]);
  const config = await disk.read(uri);
  if (config === undefined) return complain(terminal, l10n.t('{0} cannot be read', file));
  const gathered = await deployments.gather(uri, config, async (it) =>
    // A link may lead to a hidden file, and what is read here is sent.
    (await disk.isLinked?.(it)) ? undefined : disk.read(it),
  );
  switch (gathered.kind) {
    case 'no-manifest':
      return complain(terminal, l10n.t('{0} is no deployment manifest', file));
    case 'missing':
      return complain(terminal, l10n.t('the imported file {0} cannot be read', gathered.path));
    case 'files':
      return { action, name, config, imports: gathered.files };
  }
}

function complain(terminal: ConnectedTerminal, reason: string): undefined {
  terminal.error(`package-insights deploy: ${sanitize(reason)}`);
}

async function act(
  request: DeploymentRequest,
  deployments: Deployments,
  asJson: boolean,
  terminal: ConnectedTerminal,
): Promise<number> {
  const { action, name } = request;
  const aborting = new AbortController();
  terminal.ended.then(() => aborting.abort());
  let last = '';
  const result = await deployments.run(
    request,
    ({ operation, percent }) => {
      const line = `${name}: ${percent} % (${operation})`;
      if (line === last) return;
      last = line;
      if (terminal.status) terminal.status(sanitize(line));
      else terminal.error(sanitize(line));
    },
    aborting.signal,
  );
  terminal.status?.('');
  const problems = result.kind === 'done' ? result.problems : [];
  if (asJson) terminal.out(jsonText({ project: deployments.project(), name, action, ...result }));
  else {
    for (const it of problems) terminal.out(problemLine(it));
    if (result.kind === 'done') for (const it of result.resources) terminal.out(resourceLine(it));
  }
  const { severity, message } = deployments.describe(action, result);
  if (!asJson || severity === 'error') terminal.error(`package-insights deploy: ${sanitize(message)}`);
  if (result.kind !== 'done') return 2;
  return problems.some((it) => it.severity === 'error') ? 1 : 0;
}

async function showStatus(
  name: string,
  deployments: Deployments,
  asJson: boolean,
  terminal: ConnectedTerminal,
): Promise<number> {
  const [state, resources] = await Promise.all([deployments.state(name), deployments.resources(name)]);
  if (state.kind !== 'value') {
    complain(terminal, state.kind === 'failed' ? state.reason : l10n.t('canceled'));
    return 2;
  }
  const listed = resources.kind === 'value' ? resources.value : [];
  if (asJson) terminal.out(jsonText({ project: deployments.project(), ...state.value, resources: listed }));
  else {
    terminal.out(sanitize(`${deployments.project()}/${name}: ${stateText(state.value)}`));
    for (const it of listed) terminal.out(resourceLine(it));
  }
  return state.value.exists ? 0 : 1;
}

function stateText({ exists, running, isPreviewed, lastOperation, manifest }: DeploymentState): string {
  if (!exists) return l10n.t('not deployed');
  if (running !== undefined) return l10n.t('running ({0})', running);
  if (lastOperation && lastOperation.errors > 0) return l10n.t('failed');
  if (isPreviewed) return l10n.t('previewed');
  return manifest === undefined ? l10n.t('empty') : l10n.t('deployed ({0})', manifest);
}

function problemLine({ severity, resource, code, message }: DeploymentProblem): string {
  const word = severity === 'error' ? l10n.t('error') : l10n.t('warning');
  const about = [resource, code].filter((it) => it !== undefined).join(', ');
  return sanitize(`${word}${about === '' ? '' : ` (${about})`}: ${message}`);
}

function resourceLine({ name, type, state, intent }: { name: string; type: string; state?: string; intent?: string }) {
  const pending = state === undefined ? '' : `  ${state}${intent === undefined ? '' : ` ${intent}`}`;
  return sanitize(`  ${name}  ${type}${pending}`);
}

/** `stacks/Front.yaml` → `front` */
function nameFrom(file: string): string | undefined {
  const name = basename(file)
    .replace(/\.ya?ml$/i, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '');
  return deploymentNamePattern.test(name) ? name : undefined;
}
