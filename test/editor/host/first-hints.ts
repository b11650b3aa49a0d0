import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hintsOf } from './document.ts';
import { test } from './runner.ts';

/** Versions that nothing in the sample leads to. One is enough: on a machine that is busy the next may be in time. */
const pins = ['example-attested==1.0', 'attrs==25.1.0', 'setuptools==83.0.0', 'cryptography==48.0.1'];

test('the first request for hints is answered with the first facts, from a service far away', async () => {
  const own = vscode.workspace.getConfiguration('packageInsights');
  const { globalValue: near } = own.inspect('baseUrl') ?? {};
  await own.update('baseUrl', process.env.PACKAGE_INSIGHTS_FAR_SERVICE, vscode.ConfigurationTarget.Global);
  try {
    let hints: string[] = [];
    for (const pin of pins) {
      const language = 'package-insights-requirements';
      const document = await vscode.workspace.openTextDocument({ content: `${pin}\n`, language });
      hints = await hintsOf(document);
      if (hints.length > 0) break;
    }
    assert.equal(hints.length, 1);
  } finally {
    await own.update('baseUrl', near, vscode.ConfigurationTarget.Global);
  }
});
