import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { hintsOf, inWorkspace } from './document.ts';
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
      await vscode.window.showTextDocument(document);
      hints = await hintsOf(document);
      if (hints.length > 0) break;
    }
    assert.equal(hints.length, 1);
    await lookAtOneOfTwo();
  } finally {
    await own.update('baseUrl', near, vscode.ConfigurationTarget.Global);
  }
});

/** Opens two manifests as another extension does, in memory, and shows one of them. The service notes what it is asked. */
async function lookAtOneOfTwo(): Promise<void> {
  const folder = inWorkspace('in-memory');
  const [never, late] = await Promise.all(
    ['never-shown', 'shown-late'].map(async (name) => {
      const uri = vscode.Uri.joinPath(folder, name, 'requirements.txt');
      await vscode.workspace.fs.writeFile(uri, Buffer.from(`example-${name}==1.0\nattrs==25.1.0\n`));
      return vscode.workspace.openTextDocument(uri);
    }),
  );
  assert(never && late);
  assert.deepEqual([await hintsOf(never), await hintsOf(late)], [[], []]);
  await vscode.window.showTextDocument(late);
  await eventually(async () => assert.equal((await hintsOf(late)).length, 2));
  assert.deepEqual(await hintsOf(never), []);
  await vscode.workspace.fs.delete(folder, { recursive: true });
}
