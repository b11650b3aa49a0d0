import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { actionsAt, brief, diagnosticsOf, hintsOf, hoverAt, open } from './document.ts';
import { test } from './runner.ts';

test('what is wrong with package.json is said where it stands', async () => {
  const document = await open('package.json');
  await eventually(() => {
    const findings = diagnosticsOf(document).map((it) => brief(it, document));
    for (const wanted of [
      'advisory ^4.17.15',
      'advisory 1.2.5',
      'deprecated ^2.88.0',
      'no-match ^9.0.0',
      'not-found ^1.0.0',
    ]) {
      assert.ok(findings.includes(wanted), `${wanted} is not among ${findings.join(', ')}`);
    }
  });
});

test('a deprecated dependency is struck through', async () => {
  const document = await open('package.json');
  await eventually(() => {
    const deprecated = diagnosticsOf(document).find((it) => brief(it, document) === 'deprecated ^2.88.0');
    assert.deepEqual(deprecated?.tags, [vscode.DiagnosticTag.Deprecated]);
  });
});

test('a hover tells license, resolved version and advisories', async () => {
  const document = await open('package.json');
  await eventually(async () => {
    const hover = await hoverAt(document, '^4.17.15');
    for (const wanted of ['lodash', '4.17.15', 'package-lock.json', 'MIT', 'GHSA-35jh-r3h4-6jhm', '4.18.1']) {
      assert.ok(hover.includes(wanted), `${wanted} is not in:\n${hover}`);
    }
  });
});

test('hints stand behind the requirements', async () => {
  const document = await open('package.json');
  await eventually(async () => {
    const hints = await hintsOf(document);
    assert.ok(
      hints.some((it) => /^⚠ high → 4\.17\.\d+ · \d vulnerabilities$/.test(it)),
      `none is lodash's: ${hints.join(', ')}`,
    );
  });
});

test('a quick fix keeps the caret and clears its squiggle', async () => {
  const document = await open('package.json');
  const fix = await eventually(async () => {
    const actions = await actionsAt(document, '^4.17.15', 'quickfix');
    const found = actions.find((it) => it.title.includes('4.18.1'));
    assert.ok(found, `there are only: ${actions.map((it) => it.title).join(', ')}`);
    return found;
  });
  assert.ok(fix.edit && (await vscode.workspace.applyEdit(fix.edit)));
  assert.match(document.getText(), /"lodash": "\^4\.18\.1"/);
  await eventually(() => {
    const findings = diagnosticsOf(document).map((it) => brief(it, document));
    assert.ok(!findings.some((it) => it.endsWith('^4.18.1')), findings.join(', '));
  });
});

test('everything that is affected can be fixed at once', async () => {
  const document = await open('package.json');
  await eventually(async () => {
    const actions = await actionsAt(document, '1.2.5', 'quickfix');
    const all = actions.find((it) => it.title.startsWith('Update all'));
    assert.ok(all?.edit, 'there is no action to fix all');
    await vscode.workspace.applyEdit(all.edit);
    assert.match(document.getText(), /"minimist": "1\.2\.[6-8]"/);
  });
  await vscode.commands.executeCommand('workbench.action.files.revert');
});
