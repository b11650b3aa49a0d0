import { text } from 'node:stream/consumers';
import { messageOf } from '../engine/base/text.ts';
import type { KeyringAnswer, KeyringQuestion } from '../platform/keyring.ts';

/*
 * The system's keyring, in a process of its own: its native code may crash, or wait until a person unlocks the keyring.
 * Standard input is a question, standard output its answer.
 */

/** The name of all entries in the keyring. */
const SERVICE = 'package-insights';

text(process.stdin)
  .then((it) => answerTo(JSON.parse(it)))
  .then((it) => process.stdout.write(JSON.stringify(it)));

async function answerTo(question: KeyringQuestion): Promise<KeyringAnswer> {
  // An optional dependency: it exists for most platforms.
  const library = await import('@napi-rs/keyring').catch(() => undefined);
  if (library === undefined) return { kind: 'missing' };
  try {
    // The kernel's keyring, to which the library would fall back, forgets everything with the session.
    const entry = new library.Entry(SERVICE, question.account, { linux: { store: 'secret-service' } });
    switch (question.kind) {
      case 'read': {
        const secret = entry.getPassword();
        return { kind: 'done', ...(secret && { secret }) };
      }
      case 'keep':
        entry.setPassword(question.secret);
        return { kind: 'done' };
      case 'remove':
        if (entry.getPassword() !== null) entry.deleteCredential();
        return { kind: 'done' };
    }
  } catch (error) {
    return { kind: 'failed', reason: messageOf(error) };
  }
}
