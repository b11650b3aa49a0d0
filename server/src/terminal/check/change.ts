import { resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { type ChangeBase, readChangeBase } from '../../engine/report/scan/change-base.ts';
import { type Terminal, UsageError } from '../command.ts';

/** The change that is checked: what it loosens in files of the repository has no effect. */
export type CheckedChange =
  | { readonly kind: 'none' }
  | { readonly kind: 'known'; readonly base: ChangeBase }
  /** `by`: what says that it is a change: `GITHUB_BASE_REF=main` */
  | { readonly kind: 'unreadable'; readonly by: string };

/** How a CI says that it checks a pull request, and where that begins. */
interface PullRequestVariables {
  /** Set in pull requests alone, to something else than `false`. */
  readonly when: string;
  /** Where `when` is set elsewhere, too. */
  readonly is?: string;
  readonly branch?: string;
  readonly commit?: string;
}

/** Sources: the documentation of each service about its environment variables. */
const pullRequests: readonly PullRequestVariables[] = [
  // GitHub Actions, Gitea, Forgejo
  { when: 'GITHUB_BASE_REF', branch: 'GITHUB_BASE_REF' },
  // GitLab
  {
    when: 'CI_MERGE_REQUEST_IID',
    commit: 'CI_MERGE_REQUEST_DIFF_BASE_SHA',
    branch: 'CI_MERGE_REQUEST_TARGET_BRANCH_NAME',
  },
  {
    when: 'CI_EXTERNAL_PULL_REQUEST_IID',
    commit: 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_SHA',
    branch: 'CI_EXTERNAL_PULL_REQUEST_TARGET_BRANCH_NAME',
  },
  // Azure Pipelines
  { when: 'SYSTEM_PULLREQUEST_TARGETBRANCH', branch: 'SYSTEM_PULLREQUEST_TARGETBRANCH' },
  // Bitbucket Pipelines
  { when: 'BITBUCKET_PR_ID', commit: 'BITBUCKET_PR_DESTINATION_COMMIT', branch: 'BITBUCKET_PR_DESTINATION_BRANCH' },
  // Buildkite
  { when: 'BUILDKITE_PULL_REQUEST', branch: 'BUILDKITE_PULL_REQUEST_BASE_BRANCH' },
  // Jenkins, multibranch pipelines
  { when: 'CHANGE_ID', branch: 'CHANGE_TARGET' },
  // Travis CI
  { when: 'TRAVIS_PULL_REQUEST', branch: 'TRAVIS_BRANCH' },
  // CircleCI names no base.
  { when: 'CIRCLE_PULL_REQUEST' },
  // Drone
  { when: 'DRONE_PULL_REQUEST', branch: 'DRONE_TARGET_BRANCH' },
  // Woodpecker
  { when: 'CI_PIPELINE_EVENT', is: 'pull_request', branch: 'CI_COMMIT_TARGET_BRANCH' },
  // AppVeyor
  { when: 'APPVEYOR_PULL_REQUEST_NUMBER', branch: 'APPVEYOR_REPO_BRANCH' },
  // AWS CodeBuild
  { when: 'CODEBUILD_WEBHOOK_BASE_REF', branch: 'CODEBUILD_WEBHOOK_BASE_REF' },
  // Codefresh
  { when: 'CF_PULL_REQUEST_TARGET', branch: 'CF_PULL_REQUEST_TARGET' },
  // Semaphore
  { when: 'SEMAPHORE_GIT_REF_TYPE', is: 'pull-request', branch: 'SEMAPHORE_GIT_BRANCH' },
];

type Environment = Terminal['environment'];

/**
 * Finds out whether a change is checked, and what stood before it.
 * @param revision `--base`
 * @param others files as typed that decide about findings, besides project files
 */
export async function findChange(
  revision: string | undefined,
  others: readonly string[],
  { directory, environment }: Terminal,
): Promise<CheckedChange> {
  const paths = others.map((it) => resolve(directory, it));
  if (revision !== undefined) {
    const base = await readChangeBase(directory, [{ name: revision }], paths, environment);
    if (base) return { kind: 'known', base };
    throw new UsageError(l10n.t('{0}: the repository of this folder has no revision “{1}”', '--base', revision));
  }
  const row = pullRequests.find(({ when, is }) => {
    const value = environment[when] ?? '';
    return is === undefined ? value !== '' && value !== 'false' : value === is;
  });
  if (row === undefined) return { kind: 'none' };
  const base = await readChangeBase(directory, revisionsOf(row, environment), paths, environment);
  return base ? { kind: 'known', base } : { kind: 'unreadable', by: nameOf(row, environment) };
}

/** The revisions where a pull request may begin, the surest first. No local branch is one: a checkout may make it. */
function revisionsOf({ commit, branch }: PullRequestVariables, environment: Environment) {
  const id = commit === undefined ? '' : (environment[commit] ?? '');
  const name = (branch === undefined ? '' : (environment[branch] ?? '')).replace(/^refs\/heads\//, '');
  return [
    ...(/^[\da-f]{7,64}$/i.test(id) ? [{ name: id }] : []),
    ...(/^[^\s~^:?*[\\@-][^\s~^:?*[\\]*$/.test(name) ? [{ name: `refs/remotes/origin/${name}` }] : []),
    // GitHub merges a pull request into its base for the check.
    ...(/^refs\/pull\/\d+\/merge$/.test(environment['GITHUB_REF'] ?? '')
      ? [{ name: 'HEAD^1', ifHead: environment['GITHUB_SHA'] ?? '' }]
      : []),
  ];
}

function nameOf({ when, commit, branch }: PullRequestVariables, environment: Environment): string {
  const named = [commit, branch, when].find((it) => it !== undefined && (environment[it] ?? '') !== '') ?? when;
  return `${named}=${environment[named] ?? ''}`;
}

/** What a change loosens in one file without effect. */
export interface LoosenedFile {
  /** Relative to the working directory. */
  readonly path: string;
  /** Empty for a file that is loosened as a whole: a baseline. */
  readonly members: readonly string[];
}

/** `this change loosens .package-insights.json (ignores, exclude) and insights-baseline.json, which has no effect` */
export function loosenedText(files: readonly LoosenedFile[]): string {
  const named = files.map(({ path, members }) => (members.length === 0 ? path : `${path} (${members.join(', ')})`));
  return l10n.t('this change loosens {0}; that has no effect here, only after it is merged', named.join(', '));
}

/** Why nothing is known of what a change loosens, and how to mend it. */
export function unreadableBaseText(by: string): string {
  return l10n.t(
    'not checked: whether this change loosens a project file or a baseline, since this clone lacks the commit where it begins ({0}); fetch it (actions/checkout: {1}) or name it with {2}. The exit code is 2',
    by,
    'fetch-depth: 0',
    '--base REVISION',
  );
}
