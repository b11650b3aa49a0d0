import { createDecipheriv } from 'node:crypto';

/** In bytes. Source: NIST SP 800-38D, 5.2.1.1 and 5.2.1.2. */
const NONCE_LENGTH = 12;
const TAG_LENGTH = 16;

/**
 * Reads texts that the editor's extension has encrypted for this process with AES-256-GCM. A trace of the protocol then
 * contains no credential.
 * @param key of this process, 32 bytes in base64; undefined if the editor gave none
 * @returns undefined for a text that was not made with this key
 */
export function unsealer(key: string | undefined): (sealed: string) => string | undefined {
  return (sealed) => {
    if (key === undefined) return undefined;
    const bytes = Buffer.from(sealed, 'base64');
    try {
      const nonce = bytes.subarray(0, NONCE_LENGTH);
      const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce, {
        authTagLength: TAG_LENGTH,
      });
      decipher.setAuthTag(bytes.subarray(-TAG_LENGTH));
      return decipher.update(bytes.subarray(NONCE_LENGTH, -TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  };
}
