import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { actionsAt, brief, diagnosticsOf, hoverAt, inWorkspace, open } from './document.ts';
import { test } from './runner.ts';

/** The main job on one manifest: what is read at a place, what is marked there, what the first fix does. */
interface Job {
  readonly path: string;
  /** The first place with this text: a requirement, or a name where the requirement stands elsewhere. */
  readonly at: string;
  readonly hover: readonly string[];
  readonly finding: string;
  /** The file that the fix changes, where it is another one. */
  readonly changes?: string;
  readonly fixed: RegExp;
}

const jobs: readonly Job[] = [
  {
    path: 'maven/pom.xml',
    at: '${log4j.version}',
    hover: ['log4j-core', '2.14.1', 'GHSA-jfh8-c2jp-5v3q', 'Apache-2.0', 'latest'],
    finding: 'advisory ${log4j.version}',
    fixed: /<log4j\.version>2\.(?!14\.)\d+\.\d+<\/log4j\.version>/,
  },
  {
    path: 'python/requirements.txt',
    at: '==2.2.4',
    hover: ['Flask', '2.2.4', 'BSD-3-Clause', 'GHSA-'],
    finding: 'advisory ==2.2.4',
    fixed: /^Flask==2\.2\.5$/m,
  },
  {
    path: 'dotnet/app.csproj',
    at: '1.4.0',
    hover: ['Example.Storage', '1.4.0', 'Update to 2.0.0'],
    finding: 'deprecated 1.4.0',
    fixed: /Include="Example\.Storage" Version="2\.0\.0"/,
  },
  {
    path: 'dotnet/central/web.csproj',
    at: 'Example.Storage',
    hover: ['Example.Storage', '1.4.0', 'Directory.Packages.props', 'Update to 2.0.0'],
    finding: 'deprecated Example.Storage',
    changes: 'dotnet/central/Directory.Packages.props',
    fixed: /<StorageVersion>2\.0\.0<\/StorageVersion>/,
  },
];

for (const { path, at, hover, finding, changes, fixed } of jobs) {
  test(`${path}: a hover tells, a squiggle marks, a fix moves, and one undo takes it back`, async () => {
    const document = await open(path);
    await eventually(async () => {
      const told = await hoverAt(document, at);
      for (const wanted of hover) assert.ok(told.includes(wanted), `${wanted} is not in:\n${told}`);
      const findings = diagnosticsOf(document).map((it) => brief(it, document));
      assert.ok(findings.includes(finding), `${finding} is not among ${findings.join(', ')}`);
    });
    const fix = await eventually(async () => {
      const actions = await actionsAt(document, at, 'quickfix');
      const found = actions.find((it) => it.isPreferred && it.edit);
      assert.ok(found?.edit, `there are only: ${actions.map((it) => it.title).join(', ')}`);
      return found.edit;
    });
    const changed = await vscode.workspace.openTextDocument(inWorkspace(changes ?? path));
    const before = changed.getText();
    assert.ok(await vscode.workspace.applyEdit(fix));
    assert.match(changed.getText(), fixed);
    await eventually(() => {
      const findings = diagnosticsOf(document).map((it) => brief(it, document));
      assert.ok(!findings.includes(finding), `${finding} is still among ${findings.join(', ')}`);
    });
    await vscode.window.showTextDocument(changed);
    await vscode.commands.executeCommand('undo');
    assert.equal(changed.getText(), before);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });
}
