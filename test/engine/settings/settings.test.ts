import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Settings, settingThatStopsLookups } from '../../../server/src/engine/model/settings.ts';
import type { Declaration } from '../../../server/src/engine/settings/declaration.ts';
import { declarations, settingGroups } from '../../../server/src/engine/settings/declarations.ts';
import { readSettings } from '../../../server/src/engine/settings/read.ts';

const path = join(import.meta.dirname, '..', '..', '..', 'package.json');
/** The English texts of package.json; other languages have files like it, which people write. */
const textsPath = join(import.meta.dirname, '..', '..', '..', 'package.nls.json');

test('package.json contributes the settings that are declared, in groups with titles', () => {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const texts: Readonly<Record<string, string>> = JSON.parse(readFileSync(textsPath, 'utf8'));
  const declared = Object.entries(settingGroups).map(([group, settings]) => ({
    title: `%settings.${group}%`,
    properties: Object.fromEntries(
      Object.entries(settings).map(([name, it], order) => [
        `packageInsights.${name}`,
        { ...withKeys(name, it), order },
      ]),
    ),
  }));
  const declaredTexts = Object.fromEntries(Object.entries(declarations).flatMap(([name, it]) => textsOf(name, it)));
  const others = Object.entries(texts).filter(([key]) => !key.startsWith('setting.'));
  const wanted = { ...Object.fromEntries(others), ...declaredTexts };
  if (process.env['UPDATE'] === '1') {
    manifest.contributes.configuration = declared;
    writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
    writeFileSync(textsPath, `${JSON.stringify(wanted, undefined, 2)}\n`);
  }
  assert.deepEqual(manifest.contributes.configuration, declared);
  assert.deepEqual(JSON.parse(readFileSync(textsPath, 'utf8')), wanted);
});

/** A declaration as package.json has it: in the place of its texts, the names under which languages have them. */
function withKeys(name: string, declaration: Declaration): object {
  const { markdownDescription: _, enumDescriptions, isAdvanced, ...others } = declaration;
  const type = others.default === null ? [others.type, 'null'] : others.type;
  const { untrusted: __, ...rest } = { untrusted: undefined, ...others, type };
  const key = (it: string): string => `%${it}%`;
  const said = { patternErrorMessage: key(`setting.${name}.pattern`) };
  const isMarkdown = enumDescriptions?.some((it) => it.includes('`'));
  return {
    ...rest,
    ...(rest.patternErrorMessage !== undefined && said),
    ...(rest.items && { items: { ...rest.items, ...(rest.items.patternErrorMessage !== undefined && said) } }),
    ...(enumDescriptions && {
      [isMarkdown ? 'markdownEnumDescriptions' : 'enumDescriptions']: (rest.enum ?? []).map((it) =>
        key(choiceKey(name, it)),
      ),
    }),
    ...(isAdvanced && { tags: ['advanced'] }),
    markdownDescription: key(`setting.${name}`),
  };
}

/** All severities but `auto` mean the same for each finding. */
function choiceKey(name: string, value: string): string {
  return name.startsWith('severity.') && value !== 'auto' ? `setting.severity.${value}` : `setting.${name}.${value}`;
}

function textsOf(name: string, declaration: Declaration) {
  const { markdownDescription, enumDescriptions = [], enum: values = [], items } = declaration;
  const pattern = declaration.patternErrorMessage ?? items?.patternErrorMessage;
  const described = values.map((it, at): [string, string] => [choiceKey(name, it), enumDescriptions[at] ?? '']);
  return [
    [`setting.${name}`, withShownPages(markdownDescription)] as const,
    ...(enumDescriptions.length > 0 ? described : []),
    ...(pattern === undefined ? [] : [[`setting.${name}.pattern`, pattern] as const]),
  ];
}

test('every choice is described, and no description is longer than 250 characters in any language', () => {
  for (const [name, { enum: values = [], enumDescriptions = [] }] of Object.entries(declarations))
    assert.deepEqual([enumDescriptions.length, enumDescriptions.includes('')], [values.length, false], name);
  for (const language of ['', '.de']) {
    const texts: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(textsPath.replace(/\.json$/, `${language}.json`), 'utf8'),
    );
    for (const [key, text] of Object.entries(texts))
      if (key.startsWith('setting.') && !key.endsWith('.pattern'))
        assert.ok(text.length <= 250, `${key}${language}: ${text.length}`);
  }
});

test('what a person sets first is not among the advanced settings', () => {
  for (const name of ['inlayHints', 'severity.advisory', 'cooldownDays', 'baseUrl', 'offline', 'publicRegistries'])
    assert.equal(declarations[name]?.isAdvanced, undefined, name);
  for (const name of ['batchSize', 'freshness.min', 'hintMarks.major', 'connections.scheduling.slotMinutes'])
    assert.equal(declarations[name]?.isAdvanced, true, name);
});

test('a folder that is not trusted can neither redirect requests, nor hide findings, nor have more names sent', () => {
  const manifest = JSON.parse(readFileSync(path, 'utf8'));
  const ignored = Object.entries(declarations).flatMap(([name, it]) =>
    it.scope !== 'machine' && it.untrusted === 'ignored' ? [`packageInsights.${name}`] : [],
  );
  if (process.env['UPDATE'] === '1') {
    manifest.capabilities.untrustedWorkspaces.restrictedConfigurations = ignored;
    writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
  }
  const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  // VS Code takes notice of the list in this case alone.
  assert.equal(supported, 'limited');
  assert.deepEqual(restrictedConfigurations, ignored);
  for (const name of ['baseUrl', 'batchSize', 'parallelBatches', 'cooldownDays'])
    assert.equal(declarations[name]?.scope, 'machine');
  // Each other one shows, offers or words something. Who adds one decides here as well.
  const counting = Object.entries(declarations).filter(([, it]) => it.scope !== 'machine' && it.untrusted === 'counts');
  assert.deepEqual(
    counting.map(([name]) => name),
    ['codeLens', 'documentLinks', 'boundedRanges', 'offerInstall'],
  );
});

test('docs/settings.md lists every setting', () => {
  const page = join(import.meta.dirname, '..', '..', '..', 'docs', 'settings.md');
  const text = readFileSync(page, 'utf8');
  const [before, , after] = text.split(/<!-- \/?settings.*-->/);
  const titles: Readonly<Record<string, string>> = JSON.parse(readFileSync(textsPath, 'utf8'));
  const tables = Object.entries(settingGroups).map(([group, settings]) =>
    [
      `## ${titles[`settings.${group}`]}\n`,
      '| Setting | Default | Description |',
      '|---|---|---|',
      ...Object.entries(settings).map(([name, it]) => {
        const usual = typeof it.default === 'object' ? JSON.stringify(it.default) : it.default;
        return `| \`packageInsights.${name}\` | \`${usual}\` | ${it.markdownDescription}${choicesOf(name, it)} |`;
      }),
    ].join('\n'),
  );
  const wanted = `${before}<!-- settings: generated by UPDATE=1 npm test -- test/engine/settings/settings.test.ts -->\n\n${tables.join('\n\n')}\n\n<!-- /settings -->${after}`;
  if (process.env['UPDATE'] === '1') writeFileSync(page, wanted);
  assert.equal(readFileSync(page, 'utf8'), wanted);
});

/** What the choices of a setting mean. Those of severities say it themselves, except for `auto`. */
function choicesOf(name: string, { enum: values = [], enumDescriptions = [] }: Declaration): string {
  const shown = name.startsWith('severity.') ? values.slice(0, 1) : values;
  return shown.map((it, at) => ` \`${it}\`: ${enumDescriptions[at]}`).join('');
}

test('settings are read nested or with dots, and what does not fit stays at its default', () => {
  const defaults = readSettings(undefined);
  assert.equal(defaults.inlayHints, 'all');
  assert.equal(readSettings({ inlayHints: 'problems' }).inlayHints, 'problems');
  assert.equal(readSettings({ inlayHints: 'loud' }).inlayHints, 'all');
  assert.equal(readSettings({ severity: { deprecated: 'error' } }).severity.deprecated, 'error');
  assert.equal(readSettings({ 'severity.deprecated': 'off' }).severity.deprecated, 'off');
  assert.equal(readSettings({ 'packageInsights.severity.deprecated': 'hint' }).severity.deprecated, 'hint');
  assert.equal(readSettings({ batchSize: 0 }).batchSize, 100);
  assert.equal(readSettings({ batchSize: '7' }).batchSize, 100);
  assert.equal(readSettings({ baseUrl: 'file:///etc/passwd' }).baseUrl, '');
  assert.equal(readSettings({ packageInsights: null }).baseUrl, defaults.baseUrl);
  assert.equal(readSettings({ baseUrl: 'http://127.0.0.1:8080/' }).baseUrl, 'http://127.0.0.1:8080');
  assert.equal(
    readSettings({ baseUrl: 'https://me:secret@insights.example/v/' }).baseUrl,
    'https://insights.example/v',
  );
  assert.deepEqual(readSettings('nonsense'), defaults);
});

test('what decides what is asked of whom never falls back to more than a person may have meant', () => {
  for (const value of [null, 7, '', 'x y', {}, [[]]]) {
    for (const [name, reading] of [
      ['baseUrl', (it: Settings) => it.baseUrl === '' && settingThatStopsLookups(it)?.setting],
      ['offline', (it: Settings) => it.offline && settingThatStopsLookups(it)?.setting],
      ['publicRegistries', (it: Settings) => it.publicRegistries.length === 0 && it.invalidSettings?.[0]?.setting],
      ['lookUpDefaults', (it: Settings) => !it.lookUpDefaults && it.invalidSettings?.[0]?.setting],
      ['purlHovers', (it: Settings) => !it.purlHovers && it.invalidSettings?.[0]?.setting],
      ['workspaceDiagnostics', (it: Settings) => !it.workspaceDiagnostics && it.invalidSettings?.[0]?.setting],
    ] as const) {
      const settings = readSettings({ [name]: value });
      assert.equal(reading(settings), `packageInsights.${name}`, `${name} ${JSON.stringify(value)}`);
    }
  }
  assert.deepEqual(
    readSettings({ freshness: 60 }).invalidSettings?.map((it) => [it.setting, it.closes]),
    [
      ['packageInsights.freshness.min', true],
      ['packageInsights.freshness.max', true],
    ],
  );
});

test('an invalid choice of threat lists checks no link', () => {
  const read = (threatLists: unknown, mode = 'private'): Settings =>
    readSettings({ connections: { linkSafety: { mode, threatLists } } });
  for (const it of [
    [],
    ['MALWAER'],
    ['MALWARE', 1],
    ['CSD_WHITELIST'],
    ['MALWARE/WINDOWS/EXECUTABLE'],
    'MALWARE',
    null,
  ]) {
    const settings = read(it);
    assert.equal(settings.linkSafety, 'closed', JSON.stringify(it));
    assert.equal(settings.invalidSettings?.[0]?.setting, 'packageInsights.connections.linkSafety.threatLists');
    assert.equal(read(it, 'off').linkSafety, 'off');
  }
  const chosen = ['SUSPICIOUS', 'MALWARE/WINDOWS/URL'];
  assert.deepEqual([read(chosen).linkSafety, read(chosen).threatLists], ['private', chosen]);
});

test('the settings page takes an address, and a host, where the server does', () => {
  const accepts = (pattern: string | undefined, text: string): boolean => new RegExp(pattern ?? '', 'u').test(text);
  const { baseUrl, publicRegistries } = declarations;
  for (const it of ['127.0.0.1:8099', 'ftp://x.example', '', 'https:x', 'http://', 'HTTP://X.example', 'https://x/y'])
    assert.equal(
      accepts(baseUrl?.pattern, it),
      settingThatStopsLookups(readSettings({ baseUrl: it })) === undefined,
      it,
    );
  for (const it of ['*', 'a.example', 'https://a.example/', 'a.example:80', 'https://a.example/b', '', '[fd00::1]'])
    assert.equal(
      accepts(publicRegistries?.items?.pattern, it),
      readSettings({ publicRegistries: [it] }).invalidSettings === undefined,
      it,
    );
});

/** `[More](cooldown.md)` leads to the page that is shipped. */
function withShownPages(description: string): string {
  return description.replace(/\]\(([a-z-]+)\.md(?:#([a-z-]+))?\)/g, (_, page: string, heading?: string) => {
    const given = encodeURIComponent(JSON.stringify(heading === undefined ? [page] : [page, heading]));
    return `](command:packageInsights.showPage?${given})`;
  });
}
