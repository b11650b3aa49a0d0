import * as vscode from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import { notify } from './requests.ts';

/** The settings below `http.` that the server goes by. */
const names = [
  'proxy',
  'noProxy',
  'proxyAuthorization',
  'proxyStrictSSL',
  'systemCertificates',
  'proxySupport',
] as const;

/** What the user and the machine have set for the network. A workspace has no say in where requests go. */
export function networkSettings(): Readonly<Record<string, unknown>> {
  const http = vscode.workspace.getConfiguration('http');
  return Object.fromEntries(
    names.map((name) => {
      const found = http.inspect(name);
      return [name, found?.globalValue ?? found?.defaultValue];
    }),
  );
}

/** Tells the server whenever one of them changes. */
export function sendNetworkSettings(client: LanguageClient): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((it) => {
    if (it.affectsConfiguration('http')) notify(client, 'packageInsights/network', networkSettings());
  });
}
