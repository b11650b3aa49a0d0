import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as l10n from '@vscode/l10n';
import { oneLine } from '../engine/base/text.ts';
import { CredentialError } from '../engine/model/connection.ts';

/** What the process of the keyring is asked. `account` names the entry. */
export type KeyringQuestion =
  | { readonly kind: 'read' | 'remove'; readonly account: string }
  | { readonly kind: 'keep'; readonly account: string; readonly secret: string };

export type KeyringAnswer =
  | { readonly kind: 'done'; readonly secret?: string }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The native library is not installed. */
  | { readonly kind: 'missing' };

/** The system's keyring: Keychain, Credential Manager, Secret Service. Every function rejects with a `CredentialError`. */
export interface Keyring {
  read(account: string): Promise<string | undefined>;
  keep(account: string, secret: string): Promise<void>;
  /** Does nothing if there is no such entry. */
  remove(account: string): Promise<void>;
}

/** In ms: long enough for the password of a locked keyring. */
const MAX_WAIT = 30_000;

const MAX_REASON = 200;

/** Asks the keyring in a process of its own, which is ended if it does not answer. */
export function systemKeyring(program = keyringProgram(), patience = MAX_WAIT): Keyring {
  return {
    read: async (account) => (await ask({ kind: 'read', account })).secret,
    keep: async (account, secret) => void (await ask({ kind: 'keep', account, secret })),
    remove: async (account) => void (await ask({ kind: 'remove', account })),
  };

  async function ask(question: KeyringQuestion): Promise<Extract<KeyringAnswer, { readonly kind: 'done' }>> {
    const answer = await answerOf(program, question, patience);
    switch (answer.kind) {
      case 'done':
        return answer;
      case 'missing':
        throw new CredentialError(l10n.t('the keyring library is not installed'));
      case 'silent':
        throw new CredentialError(l10n.t('the keyring of the system did not answer within {0} s', patience / 1000));
      case 'failed': {
        const isSafe = question.kind !== 'keep' || !answer.reason.includes(question.secret);
        const reason = isSafe ? oneLine(answer.reason, MAX_REASON) : l10n.t('unknown');
        throw new CredentialError(l10n.t('the keyring of the system cannot be used: {0}', reason));
      }
    }
  }
}

/** Whether this installation has the program that opens the keyring. */
export function hasKeyring(): boolean {
  return existsSync(keyringProgram());
}

/** Beside the bundle, or beside the sources of the program. */
function keyringProgram(): string {
  const beside = join(import.meta.dirname, 'keyring.js');
  return existsSync(beside) ? beside : join(import.meta.dirname, '..', 'bin', 'keyring.ts');
}

/** @param patience in ms */
async function answerOf(
  program: string,
  question: KeyringQuestion,
  patience: number,
): Promise<KeyringAnswer | { readonly kind: 'silent' }> {
  const child = spawn(process.execPath, [program], {
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: patience,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (_, signal) => resolve(signal));
  });
  // A process that has ended already reports it by itself.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(question));
  try {
    const [said, signal] = await Promise.all([text(child.stdout), ended]);
    if (signal === 'SIGKILL') return { kind: 'silent' };
    return JSON.parse(said) as KeyringAnswer;
  } catch {
    return { kind: 'failed', reason: l10n.t('unknown') };
  }
}
