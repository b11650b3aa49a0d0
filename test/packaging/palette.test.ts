import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { holds, type WhenContext } from '../harness/when.ts';
import { root } from '../tools/paths.ts';

/* What a person finds in the command palette, by the clauses of package.json. */

interface Command {
  readonly command: string;
  readonly title: string;
  readonly enablement?: string;
}

interface Placed {
  readonly command: string;
  readonly when?: string;
}

const { contributes } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const commands: readonly Command[] = contributes.commands;
const placed: readonly Placed[] = contributes.menus.commandPalette;
const english: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'));

/** The commands that the palette lists, without the category. */
function listed(context: WhenContext): readonly string[] {
  return commands
    .filter(({ command, enablement }) => {
      const own = placed.filter((it) => it.command === command);
      return holds(enablement, context) && (own.length === 0 || own.some((it) => holds(it.when, context)));
    })
    .map((it) => it.command.replace('packageInsights.', ''));
}

const titleOf = (command: string): string => english[`command.${command}`] ?? '';

/** A folder is open, and another file than a manifest. */
const plain: WhenContext = { workspaceFolderCount: 1, editorLangId: 'markdown' };
/** A manifest is open. */
const withManifest: WhenContext = {
  ...plain,
  editorLangId: 'json',
  'packageInsights.isRunning': true,
  'packageInsights.hasManifests': true,
  'packageInsights.isManifest': true,
};
const connected: WhenContext = {
  'packageInsights.isConnected': true,
  'packageInsights.isScheduling': true,
  'packageInsights.isDeploying': true,
  'packageInsights.isCheckingLinks': true,
};

/** Those about packages and files at large. */
const anywhere = ['connectService', 'getStarted', 'identify', 'lookUpPurl', 'report'];

test('without a manifest in the workspace the palette lists five commands', () => {
  assert.deepEqual([...listed(plain)].sort(), anywhere);
  // The language server is up because of a connected service's file, or because a command ran.
  assert.deepEqual([...listed({ ...plain, 'packageInsights.isRunning': true })].sort(), anywhere);
  assert.deepEqual(
    [...listed({ workspaceFolderCount: 0 })].sort(),
    anywhere.filter((it) => it !== 'report'),
  );
});

test('with a manifest the palette lists at most 20 commands, and those of the workspace beside another file', () => {
  const all = listed(withManifest);
  assert.ok(all.length <= 20, `${all.length}: ${all.join(', ')}`);
  const beside = listed({ ...withManifest, 'packageInsights.isManifest': false });
  for (const it of [...anywhere, 'exportNotices', 'refresh', 'verify', 'showMenu']) assert.ok(beside.includes(it), it);
  for (const it of ['chooseVersion', 'whatChanges', 'copyPurl', 'ignore', 'showRequirements'])
    assert.ok(all.includes(it) && !beside.includes(it), it);
});

test('commands of connected services are listed once a service is connected', () => {
  const about =
    /^(?:disconnect|setBudget|chooseThreat|callMethod|schedule|showPlanned|chooseCalendar|share|addMaint|deployments\.)/;
  for (const context of [plain, withManifest, { ...withManifest, editorLangId: 'yaml' }])
    assert.deepEqual(
      listed(context).filter((it) => about.test(it)),
      [],
    );
  const yaml = listed({ ...withManifest, ...connected, editorLangId: 'yaml' });
  for (const { command } of commands) {
    const name = command.replace('packageInsights.', '');
    const isRow = placed.some((it) => it.command === command && it.when === 'false');
    if (about.test(name)) assert.equal(yaml.includes(name), !isRow, name);
  }
  assert.ok(!listed({ ...withManifest, 'packageInsights.isConnected': true }).includes('chooseThreatLists'));
});

test('a browser lists nothing of connected services, but a desktop’s extension in one does', () => {
  const web = { ...withManifest, isWeb: true };
  assert.ok(!listed(web).includes('connectService'));
  assert.ok(listed({ ...web, remoteName: 'tunnel' }).includes('connectService'));
  const { explorer } = contributes.views;
  const shown = explorer.filter((it: { readonly when: string }) => holds(it.when, web));
  assert.deepEqual(
    shown.map((it: { readonly id: string }) => it.id),
    ['packageInsights.requirements'],
  );
});

test('every command that the palette hides is a command', () => {
  for (const { command } of placed)
    assert.ok(
      commands.some((it) => it.command === command),
      command,
    );
});

test('the words that people type lead to a command', () => {
  const titles = listed(withManifest).map((it) => `Package Insights: ${titleOf(it)}`.toLowerCase());
  const words = ['vulnerabilities', 'outdated', 'upgrade', 'latest', 'security', 'ignore', 'copyleft', 'fix all'];
  assert.deepEqual(
    words.filter((word) => !titles.some((it) => it.includes(word))),
    [],
  );
});

test('a title of the palette fits into its list', () => {
  for (const file of ['package.nls.json', 'package.nls.de.json']) {
    const texts: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, file), 'utf8'));
    for (const name of listed(withManifest)) {
      const title = texts[`command.${name}`] ?? '';
      // The list has 600 pixels, of which the category takes a quarter.
      assert.ok(title.length <= 66, `${title.length}: ${title}`);
    }
  }
});

test('the menu of the Explorer identifies every kind of package file, and no other file', () => {
  const rows: readonly Placed[] = contributes.menus['explorer/context'];
  assert.deepEqual(rows.map((it) => it.command).sort(), ['packageInsights.identify', 'packageInsights.verify']);
  const shows = (resourceFilename: string, resourceScheme = 'file'): boolean =>
    rows.every((it) => holds(it.when, { resourceFilename, resourceScheme }));
  for (const it of ['a.jar', 'a.war', 'a.nupkg', 'a.tgz', 'a-1.0.tar.gz', 'a.crate', 'a.whl', 'A.GEM', 'v1.0.0.zip'])
    assert.ok(shows(it), it);
  for (const it of ['a.gz', 'jar', 'a.zip.txt', 'package.json']) assert.ok(!shows(it), it);
  assert.ok(!shows('a.jar', 'git'));
});

test('a manifest has the report as a button of its editor, and short titles in the menu of a line', () => {
  const { 'editor/title': buttons, 'editor/context': line } = contributes.menus;
  const report = buttons.find((it: Placed) => it.command === 'packageInsights.report');
  assert.equal(report.group, 'navigation');
  // A package.json that is opened alone does not activate the extension: its button does.
  for (const it of [{ 'packageInsights.isManifest': true }, { resourceFilename: 'package.json' }])
    assert.ok(holds(report.when, it));
  assert.ok(!holds(report.when, { resourceFilename: 'tsconfig.json' }));
  for (const { command } of line) {
    const title = titleOf(command.replace('packageInsights.', ''));
    assert.ok(title.length <= 20, title);
  }
});
