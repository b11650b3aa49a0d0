import type { RegistryQuestion, RegistryReply } from '../../../server/src/engine/model/registries/registry-client.ts';

/** What a registry answers to a path; a text stands for status 200. */
export type Answers = Readonly<Record<string, string | Answer | Exclude<RegistryReply, { kind: 'reply' }>>>;

export interface Answer {
  /** 200 if absent. */
  readonly status?: number;
  readonly text?: string;
  /** The value of the header `content-type`. */
  readonly type?: string;
  /** Where redirects led to. */
  readonly url?: string;
}

/** A question at a registry with fixed answers; everything else has status 404. `asked` collects the requests. */
export function questionAt(
  protocol: RegistryQuestion['registry']['protocol'],
  name: string,
  answers: Answers,
  asked: string[] = [],
): RegistryQuestion {
  const address = 'https://registry.example/team';
  return {
    registry: { protocol, address, from: 'settings', namedBy: 'machine' },
    name,
    async send({ url, accept }) {
      const path = url.startsWith(address) ? url.slice(address.length) : url;
      asked.push(path + (accept === undefined ? '' : ` ${accept}`));
      const answer = answers[`${path} ${accept}`] ?? answers[path] ?? { status: 404 };
      if (typeof answer === 'object' && 'kind' in answer) return answer;
      const {
        status = 200,
        text = '',
        type = '',
        url: from = url,
      }: Answer = typeof answer === 'string' ? { text: answer } : answer;
      return { kind: 'reply', status, headers: { 'content-type': type }, text, url: from };
    },
  };
}
