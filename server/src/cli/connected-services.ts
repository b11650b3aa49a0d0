import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import * as l10n from '@vscode/l10n';
import { fileTrouble } from '../base/file-error.ts';
import { isRecord } from '../base/text.ts';
import { createCodeHostService, type ServedRepository } from '../service/code-host/code-host-service.ts';
import type { AnsweredCall, ServedService } from '../service/http-server.ts';
import { readListFile, type UnsafeEntry } from '../service/link-safety/list-file.ts';
import { createLinkSafetyService } from '../service/link-safety/service.ts';
import { createServedCalls, openServedCalls } from '../service/token-audit/served-calls.ts';
import { createTokenAuditService } from '../service/token-audit/service.ts';
import { type Terminal, UsageError } from './command.ts';

/** The services of `serve` besides the Package Insights Service. */
export interface OfferedServices {
  readonly services: readonly ServedService[];
  /** The addresses to connect to, by the name of the connection. */
  addresses(url: string): readonly (readonly [name: string, address: string])[];
  /** The credential of each. */
  readonly token: string;
  note(call: AnsweredCall): void;
  close(): void;
}

export interface OfferOptions {
  readonly repositories?: string | undefined;
  readonly 'unsafe-links'?: string | undefined;
  readonly state?: string | undefined;
}

/** The host whose repositories are served. */
const codeHost = 'github.com';

/** @throws UsageError for files that cannot be used */
export async function offerServices(options: OfferOptions, terminal: Terminal): Promise<OfferedServices> {
  const { catalog, clock, directory } = terminal;
  const token = randomBytes(18).toString('base64url');
  const repositories = await readRepositories(given(options.repositories, directory), catalog);
  const entries = await readUnsafeLinks(given(options['unsafe-links'], directory), catalog);
  const calls = options.state === undefined ? createServedCalls() : await keptCalls(resolve(directory, options.state));
  const accepts = (it: string): boolean => it === token;
  const services: ServedService[] = [
    { name: 'code-host', ...createCodeHostService({ repositories, clock, host: codeHost, accepts }) },
    { name: 'link-safety', ...createLinkSafetyService({ entries, key: token }) },
    { name: 'token-audit', ...createTokenAuditService({ calls, token }) },
  ];
  return {
    services,
    token,
    addresses: (url) =>
      services.map(({ name }) => [name, name === 'code-host' ? `${url}/${name}/${codeHost}` : `${url}/${name}`]),
    note({ service, method, path, userAgent, address, responseBytes }) {
      const [client = ''] = userAgent.split(/[/ ]/);
      calls.add({ at: clock.now(), api: service, method: `${method} ${path}`, responseBytes, client, address });
    },
    close: () => calls.close(),
  };
}

function given(path: string | undefined, directory: string): string | undefined {
  return path === undefined ? undefined : resolve(directory, path);
}

async function keptCalls(folder: string): Promise<ReturnType<typeof openServedCalls>> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return openServedCalls(join(folder, 'served-calls-1.sqlite'));
  } catch (error) {
    throw new UsageError(l10n.t('{0} cannot be used: {1}', folder, fileTrouble(error)));
  }
}

/** The file that is named, or that of the catalog, which need not have one. */
async function read(path: string | undefined, fallback: string): Promise<string | undefined> {
  try {
    return await readFile(path ?? fallback, 'utf8');
  } catch (error) {
    if (path === undefined) return undefined;
    throw new UsageError(l10n.t('{0} cannot be read: {1}', path, fileTrouble(error)));
  }
}

async function readRepositories(path: string | undefined, catalog: string): Promise<readonly ServedRepository[]> {
  const text = await read(path, join(catalog, 'services', 'repositories.json'));
  if (text === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  const isValid = Array.isArray(value) && value.every(isRepository);
  if (isValid) return value as readonly ServedRepository[];
  throw new UsageError(l10n.t('{0} is no list of repositories', path ?? 'repositories.json'));
}

function isRepository(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { id, fullName, formerNames, license } = value;
  const isNames = formerNames === undefined || (Array.isArray(formerNames) && formerNames.every(isText));
  return (
    Number.isSafeInteger(id) &&
    isText(fullName) &&
    /^[^/]+\/[^/]+$/.test(fullName) &&
    isNames &&
    (license === undefined || isText(license))
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

async function readUnsafeLinks(path: string | undefined, catalog: string): Promise<readonly UnsafeEntry[]> {
  const text = await read(path, join(catalog, 'services', 'unsafe-links.jsonl'));
  const found = readListFile(text ?? '');
  if (found.kind === 'entries') return found.entries;
  throw new UsageError(l10n.t('{0} is no list of unsafe links: {1}', path ?? 'unsafe-links.jsonl', found.reason));
}
