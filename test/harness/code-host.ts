import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../server/src/engine/model/ports.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { type CodeHostLimits, createCodeHostService } from '../../server/src/stand-ins/code-host/code-host-service.ts';

export interface StartedCodeHost {
  /** As in a setting: it names the host of the repositories. */
  readonly baseUrl: string;
  /** The paths that were requested. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

/** The code host of the embedded services on a free port, with the repositories of `code.example`. */
export async function startCodeHost(
  repositories: Parameters<typeof createCodeHostService>[0]['repositories'],
  limits: Partial<CodeHostLimits> = {},
  clock: Clock = systemClock,
): Promise<StartedCodeHost> {
  const service = createCodeHostService({ repositories, clock, host: 'code.example', limits });
  const seen: string[] = [];
  const server = createServer(({ method = '', url: target = '', headers, socket }, response) => {
    seen.push(target);
    const plain = headers as Record<string, string>;
    const reply = service.answer({ method, target, headers: plain, address: socket.remoteAddress ?? '' });
    response.writeHead(reply?.status ?? 404, reply?.headers).end(reply?.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/code.example`,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
