import type { AskedRegistry, RegistryProtocol } from '../../server/src/model/registries/access.ts';
import type {
  RegistryQuestion,
  RegistryReply,
  RegistryRequest,
} from '../../server/src/model/registries/registry-client.ts';

export interface Page {
  readonly status?: number;
  readonly type?: string;
  readonly text?: string;
  /** Where redirects led to. */
  readonly url?: string;
}

/** A question to a registry whose pages are given by address; each other one is missing. */
export function questionOf(
  protocol: RegistryProtocol,
  name: string,
  pages: Readonly<Record<string, Page | RegistryReply>>,
): { readonly question: RegistryQuestion; readonly asked: RegistryRequest[] } {
  const asked: RegistryRequest[] = [];
  const registry: AskedRegistry = {
    protocol,
    address: 'https://reg.example/root',
    from: 'a setting',
    namedBy: 'machine',
  };
  const question: RegistryQuestion = {
    registry,
    name,
    send: async (request) => {
      asked.push(request);
      const page = pages[request.url] ?? { status: 404 };
      if ('kind' in page) return page;
      const { status = 200, type = '', text = '', url = request.url } = page;
      return { kind: 'reply', status, headers: { 'content-type': type }, text, url };
    },
  };
  return { question, asked };
}
