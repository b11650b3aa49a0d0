import { createCipheriv, randomBytes } from 'node:crypto';
import type { CredentialStore } from './credentials.ts';

/** In bytes. Source: NIST SP 800-38D, 5.2.1.1. */
const NONCE_LENGTH = 12;

/** A key that only this window and its server know: a trace of the protocol contains no credential. */
export function createSessionKey(): Buffer {
  return randomBytes(32);
}

/** Encrypts credentials for the server that has the key. */
export function sealWith(key: Buffer): CredentialStore['seal'] {
  return (secret) => {
    const nonce = randomBytes(NONCE_LENGTH);
    const cipher = createCipheriv('aes-256-gcm', key, nonce);
    const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64');
  };
}
