import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface Certificate {
  /** PEM. */
  readonly key: string;
  readonly cert: string;
}

/** A host that a certificate is for. */
export function hostName(name: string): Buffer {
  return der(0x82, Buffer.from(name));
}

/** A certificate for `localhost` and `127.0.0.1` that signs itself, made anew for every run. Names tell apart what one client trusts. */
export function selfSigned(evaluated = 'test', names: readonly Buffer[] = loopback): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(set(sequence(oid('550403'), der(0x0c, Buffer.from(evaluated)))));
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(authority(), alternativeNames(names))),
  );
  const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', signed, privateKey)]));
  return { key: pemOf(privateKey), cert: pem(sequence(signed, algorithm, signature)) };
}

/** It may sign, so that it is taken for its own authority. */
function authority(): Buffer {
  return sequence(oid('551d13'), der(0x04, sequence(der(0x01, Buffer.of(0xff)))));
}

function alternativeNames(names: readonly Buffer[]): Buffer {
  return sequence(oid('551d11'), der(0x04, sequence(...names)));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function set(...parts: readonly Buffer[]): Buffer {
  return der(0x31, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function utcTime(text: string): Buffer {
  return der(0x17, Buffer.from(text));
}

/** A value of DER: its tag, its length, itself. */
function der(tag: number, value: Buffer): Buffer {
  const { length } = value;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), value]);
}

function pem(bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

const loopback = [hostName('localhost'), der(0x87, Buffer.of(127, 0, 0, 1))];
