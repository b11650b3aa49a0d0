import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { open } from './document.ts';
import { test } from './runner.ts';

/** A proxy that knows nothing, and writes down what it was asked for. */
async function proxy() {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(404).end('not found');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test('the proxy that the user has set is gone through, and none that a workspace names', async () => {
  const [ours, stranger] = [await proxy(), await proxy()];
  const http = vscode.workspace.getConfiguration('http');
  const own = vscode.workspace.getConfiguration('packageInsights');
  const { globalValue: baseUrl } = own.inspect('baseUrl') ?? {};
  try {
    await own.update('baseUrl', 'http://service.example', vscode.ConfigurationTarget.Global);
    // An editor may turn it down by itself.
    await Promise.resolve(http.update('proxy', stranger.url, vscode.ConfigurationTarget.Workspace)).catch(() => {});
    await http.update('proxy', ours.url, vscode.ConfigurationTarget.Global);
    await open('package.json');
    await eventually(() => assert.ok(ours.asked.includes('POST http://service.example/v3alpha/versionbatch')));
    assert.deepEqual(
      stranger.asked.filter((it) => it.includes('service.example')),
      [],
    );
  } finally {
    await http.update('proxy', undefined, vscode.ConfigurationTarget.Global);
    await Promise.resolve(http.update('proxy', undefined, vscode.ConfigurationTarget.Workspace)).catch(() => {});
    await own.update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
    for (const { server } of [ours, stranger]) {
      server.closeAllConnections();
      server.close();
    }
  }
});
