import type { Http } from '../../server/src/engine/http/types.ts';

/** A service that knows no package, and the text of all requests to it. */
export interface RecordingHttp {
  readonly http: Http;
  /** Whether a request contained this text, in any case. */
  received(text: string): boolean;
}

/** @param onRequest called for each request, after it was recorded */
export function recordingHttp(onRequest: () => void = () => {}): RecordingHttp {
  let requests = '';
  const http: Http = {
    async request({ path, body = '' }) {
      requests += `${decodeURIComponent(path)} ${body}\n`.toLowerCase();
      onRequest();
      if (body === '') return { kind: 'answer', status: 404, headers: {}, text: 'package not found' };
      const responses = JSON.parse(body).requests.map((request: object) => ({ request }));
      return { kind: 'answer', status: 200, headers: {}, text: JSON.stringify({ responses, nextPageToken: '' }) };
    },
    close: async () => {},
  };
  return { http, received: (text) => requests.includes(text.toLowerCase()) };
}
