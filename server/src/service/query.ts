import { isSystem } from '../engine/model/system.ts';
import { type HashType, hashTypes } from './catalog/record.ts';
import { badRequest, jsonReply, type Reply, replyWith } from './replies.ts';
import type { Source } from './source.ts';

/** Source: contract of the Package Insights Service, “Limits”. */
const MAX_RESULTS = 1000;

/** Length of a digest in bytes. */
export const digestLengths = { MD5: 16, SHA1: 20, SHA256: 32, SHA512: 64 } as const satisfies Record<HashType, number>;

/**
 * Finds versions by the hash of a file, by key, or by both.
 *
 *     ?hash.type=SHA1&hash.value=tEf2ZwoEVbv%2B7dEToe%2FzMOoJhUg%3D
 */
export async function answerQuery(source: Source, parameters: URLSearchParams): Promise<Reply> {
  const hash = readHash(parameters.get('hash.type') ?? '', parameters.get('hash.value') ?? '');
  if (typeof hash === 'string') return badRequest(hash);
  const key = readKey(parameters);
  if (typeof key === 'string') return badRequest(key);
  if (hash === undefined && key === undefined) return badRequest('a hash or a versionKey is required');
  const answer = await source.query({ ...(hash && { hash }), ...(key && { key }) });
  if (answer.kind === 'not kept' || answer.kind === 'unavailable') return replyWith(answer, hash ? 'file' : 'version');
  const matches = answer.kind === 'found' ? answer.body : [];
  const results = matches.slice(0, MAX_RESULTS).map(({ version, artifacts }) => ({
    version,
    ...(hash === undefined ? {} : { artifacts: artifacts.map((url) => ({ url })) }),
  }));
  return jsonReply({ results }, answer.freshness);
}

function readHash(typeText: string, value: string): { type: HashType; digest: string } | string | undefined {
  if (typeText === '' && value === '') return undefined;
  const type = hashTypes.find((it) => it === typeText.toUpperCase());
  if (type === undefined) return `hash.type: expected one of ${hashTypes.join(', ')}`;
  if (!/^[\w+/-]+={0,2}$/.test(value)) return 'hash.value: expected base64, percent-encoded';
  const digest = Buffer.from(value, 'base64');
  if (digest.length !== digestLengths[type]) return `hash.value: expected the ${digestLengths[type]} bytes of ${type}`;
  return { type, digest: digest.toString('hex') };
}

function readKey(parameters: URLSearchParams) {
  const [system = '', name = '', version = ''] = ['system', 'name', 'version'].map(
    (it) => parameters.get(`versionKey.${it}`) ?? undefined,
  );
  if (system === '' && name === '' && version === '') return undefined;
  if (system === '' || name === '' || version === '') return 'versionKey: system, name and version are all required';
  const known = system.toUpperCase();
  return isSystem(known) ? { system: known, name, version } : 'versionKey.system: unknown';
}
