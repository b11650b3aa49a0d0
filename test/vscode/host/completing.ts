import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../eventually.ts';
import { open, rangeOf } from './document.ts';
import { test } from './runner.ts';

/** A version that is being written, `|` being the cursor, and the line that the first suggestion makes of it. */
interface Job {
  readonly path: string;
  /** What stands in the sample. */
  readonly was: string;
  readonly typed: string;
  readonly completed: RegExp;
}

const jobs: readonly Job[] = [
  {
    path: 'maven/pom.xml',
    was: '<version>1.33</version>',
    typed: '<version>|</version>',
    completed: /^ {6}<version>2\.\d+<\/version>$/,
  },
  {
    path: 'maven/pom.xml',
    was: '<log4j.version>2.14.1<',
    typed: '<log4j.version>2.|<',
    completed: /^ {4}<log4j\.version>2\.\d+\.\d+<\/log4j\.version>$/,
  },
  {
    path: 'dotnet/app.csproj',
    was: 'Version="12.0.3"',
    typed: 'Version="|"',
    completed: /Include="Newtonsoft\.Json" Version="13\.\d+\.\d+" \/>$/,
  },
  {
    path: 'dotnet/app.csproj',
    was: '[8.0,9.0)',
    typed: '[8.|,9.0)',
    completed: /Include="Polly" Version="\[8\.\d+\.\d+,9\.0\)" \/>$/,
  },
  { path: 'python/requirements.txt', was: 'Flask==2.2.4', typed: 'Flask==|', completed: /^Flask==3\.\d+\.\d+$/ },
  {
    path: 'python/requirements.txt',
    was: 'Jinja2>=3.1,<4',
    typed: 'Jinja2>=3|,<4',
    completed: /^Jinja2>=3\.\d+\.\d+,<4$/,
  },
  { path: 'rust/Cargo.toml', was: '"=1.5.4"', typed: '"=|"', completed: /^regex = "=1\.\d+\.\d+"$/ },
  { path: 'rust/Cargo.toml', was: '"~1.43"', typed: '"~1.|"', completed: /^tokio = "~1\.\d+\.\d+"$/ },
  { path: 'go/go.mod', was: 'gin v1.8.1', typed: 'gin v|', completed: /^\tgithub\.com\/gin-gonic\/gin v1\.\d+\.\d+$/ },
  { path: 'go/go.mod', was: 'crypto v0.14.0', typed: 'crypto |', completed: /^\tgolang\.org\/x\/crypto v0\.\d+\.\d+$/ },
  {
    path: 'gradle/groovy/build.gradle',
    was: 'commons-collections:3.2.1',
    typed: 'commons-collections:3.|',
    completed: /'commons-collections:commons-collections:3\.2\.2'$/,
  },
  {
    path: 'gradle/groovy/build.gradle',
    was: "log4jVersion = '2.14.1'",
    typed: "log4jVersion = '|'",
    completed: /^ {4}log4jVersion = '2\.\d+\.\d+'$/,
  },
  {
    path: 'gradle/groovy/build.gradle',
    was: "version: '4.12'",
    typed: "version: '4.|'",
    completed: /version: '4\.13\.2'$/,
  },
];

for (const { path, was, typed, completed } of jobs) {
  test(`${path}: the first suggestion at ${typed} is what one means`, async () => {
    const document = await open(path);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document, document);
    const { start, end } = rangeOf(document, was);
    const cursor = start.translate(0, typed.indexOf('|'));
    await editor.edit((it) => it.replace(new vscode.Range(start, end), typed.replace('|', '')));
    editor.selection = new vscode.Selection(cursor, cursor);
    const before = document.getText();
    try {
      await eventually(async () => {
        // Nothing happens where there is no list.
        await vscode.commands.executeCommand('acceptSelectedSuggestion');
        if (document.getText() === before) await vscode.commands.executeCommand('editor.action.triggerSuggest');
        assert.notEqual(document.getText(), before);
      });
      assert.match(document.lineAt(cursor.line).text, completed);
    } finally {
      await vscode.commands.executeCommand('workbench.action.files.revert');
    }
  });
}
