import * as l10n from '@vscode/l10n';
import { LruMap } from '../../engine/base/lru-map.ts';
import { isRecord, oneLine } from '../../engine/base/text.ts';
import { nameOf } from '../../engine/base/uri.ts';
import type { Clock } from '../../engine/model/ports.ts';
import {
  type Answered,
  type DeploymentAction,
  type DeploymentProblem,
  type DeploymentResult,
  type DeploymentState,
  type Deployments,
  deploymentActions,
  deploymentNamePattern,
} from '../model/deployments/deployments.ts';
import type {
  DocumentContext,
  DocumentFinding,
  DocumentLens,
  RunContext,
  ServiceDocument,
} from '../model/documents/service-document.ts';
import { actionTitle } from './describe.ts';
import { gatherImports } from './imports.ts';
import type { DeploymentManifest } from './manifest.ts';

/** What can be done with a manifest: lenses above it, and what they run. */
export interface DocumentActions {
  lenses(document: ServiceDocument, context: DocumentContext): readonly DocumentLens[];
  /** The problems that the service has reported for this very text. */
  problems(document: ServiceDocument, manifest: DeploymentManifest): readonly DocumentFinding[];
  run(
    name: string,
    args: readonly unknown[],
    context: RunContext,
    manifestOf: (document: ServiceDocument) => DeploymentManifest | undefined,
  ): Promise<unknown>;
}

/** How long a state is shown as current, in ms. */
const STATE_PAUSE = 30_000;
/** While something runs, its end is looked for this often, in ms. */
const RUNNING_PAUSE = 3_000;
/** Open manifests. */
const MAX_DOCUMENTS = 50;

export function createDocumentActions(parts: {
  readonly deployments: Deployments;
  readonly clock: Clock;
  readonly changed: () => void;
}): DocumentActions {
  const { deployments, clock, changed } = parts;
  /** The deployments of manifests: the name is sent once a person has given or used it. */
  const names = new LruMap<string, string>(MAX_DOCUMENTS);
  const states = new LruMap<string, ShownState>(MAX_DOCUMENTS);
  const reported = new LruMap<string, Reported>(MAX_DOCUMENTS);
  const running = new Set<string>();

  const keyOf = (name: string): string => `${deployments.project()} ${name}`;

  /** The state as it is known; requested again where it is old. */
  function stateNow(name: string): ShownState | undefined {
    const known = states.get(keyOf(name));
    const pause = known?.answer.kind === 'value' && known.answer.value.running ? RUNNING_PAUSE : STATE_PAUSE;
    if (!known || Math.abs(clock.now() - known.at) > pause) refresh(name);
    return known;
  }

  /** What is requested now, and after which run: an answer of before the end of a run is old. */
  const underWay = new Map<string, number>();
  let runs = 0;

  /** What is known of a deployment is old from now on, also what is being requested. */
  function renew(key: string): void {
    runs++;
    const known = states.get(key);
    if (known) known.at = Number.NEGATIVE_INFINITY;
    changed();
  }

  async function refresh(name: string): Promise<void> {
    const key = keyOf(name);
    const run = runs;
    if (underWay.get(key) === run) return;
    underWay.set(key, run);
    const answer = await deployments.state(name, undefined, 'background');
    if (underWay.get(key) !== run) return;
    underWay.delete(key);
    if (runs !== run) return changed();
    states.set(key, { answer, at: clock.now() });
    changed();
    // Nothing else would show the end of what another window has begun.
    if (answer.kind === 'value' && answer.value.running !== undefined) clock.after(RUNNING_PAUSE + 1, changed);
  }

  function lensFor(action: DeploymentAction, uri: string, isOwn: boolean, name: string | undefined): DocumentLens {
    const state = name === undefined ? undefined : stateNow(name);
    const disabled =
      name !== undefined && running.has(keyOf(name)) && action !== 'stop'
        ? l10n.t('running')
        : reasonAgainst(action, state?.answer);
    return {
      span: { start: 0, end: 0 },
      title: actionTitle(action),
      command: isOwn ? { id: `packageInsights.deployments.${action}`, args: [uri] } : { run: action, args: [uri] },
      ...(disabled !== undefined && { disabled }),
    };
  }

  /** Runs an action for a document, or one that needs none by the name of its deployment. */
  async function runAction(
    action: DeploymentAction,
    given: GivenRun,
    context: RunContext,
    manifestOf: (document: ServiceDocument) => DeploymentManifest | undefined,
  ): Promise<DeploymentResult> {
    const document = given.uri === undefined ? undefined : context.document(given.uri);
    const name = given.name ?? (given.uri === undefined ? undefined : (names.get(given.uri) ?? defaultName(given.uri)));
    if (name === undefined || !deploymentNamePattern.test(name)) {
      return { kind: 'failed', reason: l10n.t('the deployment has no valid name') };
    }
    if (given.uri !== undefined) names.set(given.uri, name);
    const key = keyOf(name);
    if (running.has(key) && action !== 'stop') return { kind: 'failed', reason: l10n.t('another action is running') };
    const seen = given.isForced ? undefined : states.get(key)?.answer;
    const needsConfig = action === 'preview' || action === 'deploy';
    const manifest = document && manifestOf(document);
    if (needsConfig && (!document || !manifest)) {
      return { kind: 'failed', reason: l10n.t('the manifest is not open') };
    }
    const gathered =
      needsConfig && document && manifest
        ? await gatherImports(document.uri, manifest, context.readUnlinked)
        : { kind: 'files' as const, files: [] };
    if (gathered.kind === 'missing') return { kind: 'failed', reason: missingReason(gathered.path) };
    if (given.files && gathered.files.some((it) => !given.files?.includes(it.name))) {
      return { kind: 'failed', reason: l10n.t('the manifest or one of its imports has changed meanwhile') };
    }
    const word = actionTitle(action);
    if (document && needsConfig) reported.delete(document.uri);
    let hasBegun = false;
    running.add(key);
    changed();
    try {
      const result = await deployments.run(
        {
          action,
          name,
          ...(needsConfig && document && { config: document.text, imports: gathered.files }),
          ...(seen?.kind === 'value' && { seen: seen.value }),
        },
        ({ percent }) => {
          // It runs from now on, so it can be stopped.
          if (!hasBegun) renew(key);
          hasBegun = true;
          context.report(`${word}: ${name}, ${percent} %`);
        },
        context.signal,
      );
      if (result.kind === 'done' && document && needsConfig) {
        reported.set(document.uri, { text: document.text, problems: result.problems });
      }
      return result;
    } finally {
      running.delete(key);
      states.delete(key);
      renew(key);
    }
  }

  return {
    lenses({ uri }, { client: { isOwnExtension } }) {
      const name = names.get(uri);
      const state = name === undefined ? undefined : stateNow(name)?.answer;
      const lenses = deploymentActions
        // A deletion asks for the name, which other editors cannot.
        .filter((it) => isOwnExtension || it !== 'delete')
        // Before a name is known, there is nothing else to do.
        .filter((it) => !isOwnExtension || name !== undefined || it === 'preview' || it === 'deploy')
        .map((it) => lensFor(it, uri, isOwnExtension, name));
      if (!isOwnExtension) return lenses;
      const isDeployed = state?.kind === 'value' && (state.value.manifest ?? state.value.pendingManifest) !== undefined;
      const compare: DocumentLens = {
        span: { start: 0, end: 0 },
        title: l10n.t('Compare with Deployed'),
        command: { id: 'packageInsights.deployments.compare', args: [uri] },
      };
      const shown = name === undefined ? [] : [nameLens(name, uri, state, deployments.project())];
      // What changes a deployment, what shows it, what ends it.
      return [...shown, ...lenses.slice(0, 2), ...(isDeployed ? [compare] : []), ...lenses.slice(2)];
    },
    problems({ uri, text }, manifest) {
      const known = reported.get(uri);
      if (!known) return [];
      if (known.text !== text) {
        reported.delete(uri);
        return [];
      }
      return known.problems.map((it) => findingOf(it, manifest));
    },
    async run(name, args, context, manifestOf) {
      const given = readGiven(args[0]);
      const action = deploymentActions.find((it) => it === name);
      if (action) {
        const result = await runAction(action, given, context, manifestOf);
        const { severity, message } = deployments.describe(action, result);
        if (!context.client.isOwnExtension) context.tell(severity, message);
        return { ...result, severity, message };
      }
      const { signal } = context;
      switch (name) {
        case 'name':
          if (given.uri !== undefined && given.name !== undefined && deploymentNamePattern.test(given.name)) {
            names.set(given.uri, given.name);
            changed();
          }
          return null;
        case 'refresh':
          for (const [, it] of states.entries()) it.at = Number.NEGATIVE_INFINITY;
          changed();
          return null;
        case 'files':
          return importedFiles(given, context, manifestOf);
        case 'state':
          return given.name === undefined ? null : deployments.state(given.name, signal);
        case 'list':
          return deployments.list(signal);
        case 'resources':
          return given.name === undefined ? null : deployments.resources(given.name, signal);
        case 'manifests':
          return given.name === undefined ? null : deployments.manifests(given.name, signal);
        case 'operations':
          return given.name === undefined ? null : deployments.operations(given.name, signal);
        case 'config':
          return given.name === undefined || given.manifest === undefined
            ? null
            : deployments.config(given.name, given.manifest, signal);
      }
      return null;
    },
  };
}

/** The files that are sent with a manifest, for the person to see before. */
async function importedFiles(
  { uri }: GivenRun,
  context: RunContext,
  manifestOf: (document: ServiceDocument) => DeploymentManifest | undefined,
): Promise<Answered<readonly string[]>> {
  const document = uri === undefined ? undefined : context.document(uri);
  const manifest = document && manifestOf(document);
  if (!document || !manifest) return { kind: 'failed', reason: l10n.t('the manifest is not open') };
  const gathered = await gatherImports(document.uri, manifest, context.readUnlinked);
  return gathered.kind === 'missing'
    ? { kind: 'failed', reason: missingReason(gathered.path) }
    : { kind: 'value', value: gathered.files.map((it) => it.name) };
}

function missingReason(path: string): string {
  return l10n.t('the imported file {0} cannot be read', oneLine(path));
}

interface ShownState {
  readonly answer: Answered<DeploymentState>;
  at: number;
}

interface Reported {
  readonly text: string;
  readonly problems: readonly DeploymentProblem[];
}

interface GivenRun {
  readonly uri?: string;
  readonly name?: string;
  readonly manifest?: string;
  /** The person has seen that the deployment has changed. */
  readonly isForced: boolean;
  /** The imported files that the person has agreed to send. */
  readonly files?: readonly unknown[];
}

/** The arguments of a command, which come from outside: `{ uri, name }`, or an address alone. */
function readGiven(value: unknown): GivenRun {
  if (typeof value === 'string') return { uri: value, isForced: false };
  if (!isRecord(value)) return { isForced: false };
  const { uri, name, manifest, isForced, files } = value;
  return {
    ...(typeof uri === 'string' && { uri }),
    ...(typeof name === 'string' && { name }),
    ...(typeof manifest === 'string' && { manifest }),
    ...(Array.isArray(files) && { files }),
    isForced: isForced === true,
  };
}

/** `Web front.yaml` → `web-front`; undefined if nothing of the name of the file can be used. */
export function defaultName(uri: string): string | undefined {
  const name = nameOf(uri)
    .replace(/\.ya?ml$/i, '')
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 63)
    .replace(/-+$/, '');
  return deploymentNamePattern.test(name) ? name : undefined;
}

/** Why an action cannot be run now, in a few words. Before a name is known, only what creates a deployment can be. */
function reasonAgainst(action: DeploymentAction, answer: Answered<DeploymentState> | undefined): string | undefined {
  const creates = action === 'preview' || action === 'deploy';
  if (answer?.kind !== 'value') {
    if (creates) return undefined;
    return answer?.kind === 'failed' ? l10n.t('not checked') : undefined;
  }
  const { exists, running, isPreviewed, permitted } = answer.value;
  if (!exists && !creates) return l10n.t('not deployed');
  if (permitted && !permitted.includes(action)) return l10n.t('not permitted');
  if (action === 'stop') return running === undefined ? l10n.t('nothing is running') : undefined;
  if (running !== undefined) return l10n.t('running');
  return action === 'cancel-preview' && !isPreviewed ? l10n.t('no preview') : undefined;
}

/** What a deployment is now, as a lens that changes its name. */
function nameLens(
  name: string,
  uri: string,
  answer: Answered<DeploymentState> | undefined,
  project: string,
): DocumentLens {
  const shown = answer === undefined ? '' : answer.kind === 'value' ? stateText(answer.value) : l10n.t('not checked');
  return {
    span: { start: 0, end: 0 },
    title: shown === '' ? `${project}/${name}` : `${project}/${name}: ${shown}`,
    command: { id: 'packageInsights.deployments.chooseName', args: [uri] },
  };
}

export function stateText({ exists, running, isPreviewed, lastOperation, manifest }: DeploymentState): string {
  if (!exists) return l10n.t('not deployed');
  if (running !== undefined) return l10n.t('running');
  if (lastOperation && lastOperation.errors > 0) return l10n.t('failed');
  if (isPreviewed) return l10n.t('previewed');
  return manifest === undefined ? l10n.t('empty') : l10n.t('deployed');
}

/** A problem of the service, at the resource that it names. */
function findingOf(
  { severity, resource, code, message }: DeploymentProblem,
  { resources, root }: DeploymentManifest,
): DocumentFinding {
  const found = resources.find((it) => it.name?.text === resource);
  const key = root.entries.find((it) => it.key.text === 'resources')?.key;
  const span = found?.name?.span ?? key?.span ?? { start: 0, end: 0 };
  const text = found || resource === undefined ? message : `${resource}: ${message}`;
  const shown = code === undefined || text.includes(code) ? text : `${text} (${code})`;
  return { span, code: 'deployment', severity, message: l10n.t('The service reports: {0}', shown) };
}
