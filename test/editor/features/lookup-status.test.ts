import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookupStatus, withheldInShort } from '../../../server/src/editor/features/hover/lookup-status.ts';
import { toMarkdown, toPlainText } from '../../../server/src/editor/features/markup.ts';
import type { EvaluatedDependency, Resolution } from '../../../server/src/engine/model/evaluated-dependency.ts';
import type { Registry } from '../../../server/src/engine/model/registry.ts';

const span = { start: 0, end: 0 };
const key = { system: 'NPM', name: '@acme/ui' } as const;
const dependency = { key, name: key.name, nameSpan: span, requirement: { kind: 'none' }, scope: 'runtime' } as const;
const linked = { dependency, uri: 'file:///w/package.json', key, requirement: { kind: 'any' }, span } as const;

function evaluatedAs(resolution: Resolution): EvaluatedDependency {
  return { linked, resolution, advisories: [], targets: [] } as Partial<EvaluatedDependency> as EvaluatedDependency;
}

const place = { uri: 'file:///w/a (b)/.npmrc', line: 2 };
const npmrc: Registry = { host: 'npm.acme.example', from: '.npmrc', place };
const reason = '.npmrc takes it from the registry npm.acme.example';

/** Why a dependency has no facts, and what the hover and the hint show of it. */
const table: readonly (readonly [
  title: string,
  resolution: Resolution,
  shown: { readonly markdown: string; readonly plain: string; readonly hint: string },
])[] = [
  [
    'a private registry has a link to its file and to the setting',
    { kind: 'none', reason, withheld: npmrc },
    {
      markdown:
        'Not looked up: [.npmrc](file:///w/a%20%28b%29/.npmrc#L3) takes it from the registry npm.acme.example.\n\nThe name stays on this machine. If npm.acme.example contains only public packages, add it to [packageInsights.publicRegistries](command:packageInsights.addPublicRegistry?%5B%7B%22host%22%3A%22npm.acme.example%22%7D%5D).',
      plain:
        'Not looked up: .npmrc takes it from the registry npm.acme.example.\n\nThe name stays on this machine. If npm.acme.example contains only public packages, add it to packageInsights.publicRegistries.',
      hint: 'private: npm.acme.example',
    },
  ],
  [
    'a service without public registries is the reason that is shown',
    { kind: 'none', reason, withheld: { ...npmrc, from: '.npmrc' }, isPublicHostUnknown: true },
    {
      markdown:
        'Not looked up: [.npmrc](file:///w/a%20%28b%29/.npmrc#L3) takes it from the registry npm.acme.example.\n\nThe name stays on this machine: the service reports no public registries. If npm.acme.example is public, add it to [packageInsights.publicRegistries](command:packageInsights.addPublicRegistry?%5B%7B%22host%22%3A%22npm.acme.example%22%7D%5D).',
      plain:
        'Not looked up: .npmrc takes it from the registry npm.acme.example.\n\nThe name stays on this machine: the service reports no public registries. If npm.acme.example is public, add it to packageInsights.publicRegistries.',
      hint: 'private: npm.acme.example',
    },
  ],
  [
    'a name that the project declares private has no setting that opens it',
    {
      kind: 'none',
      reason: '.package-insights.json declares it private',
      withheld: { from: '.package-insights.json', declared: 'surely', place: { uri: 'untitled:x', line: 0 } },
    },
    {
      markdown: 'Not looked up: .package-insights.json declares it private.\n\nThe name stays on this machine.',
      plain: 'Not looked up: .package-insights.json declares it private.\n\nThe name stays on this machine.',
      hint: 'private',
    },
  ],
  [
    'a name that waits in a browser has a link that asks for the permission, and no hint on each line',
    {
      kind: 'none',
      reason: 'a browser cannot read the registry settings of your computer',
      withheld: { from: '~/.npmrc', unreadable: { why: 'browser' } },
    },
    {
      markdown:
        'Not looked up yet: a browser cannot read the registry settings of your computer, which may assign names to a private registry.\n\n[Look Up Packages in the Browser…](command:packageInsights.lookUpInBrowser?%5B%5D)',
      plain:
        'Not looked up yet: a browser cannot read the registry settings of your computer, which may assign names to a private registry.\n\nLook Up Packages in the Browser…',
      hint: '',
    },
  ],
  [
    'a registry that has just changed has no link to a setting, and no hint that comes and goes',
    { kind: 'none', reason: 'its registry has just changed', withheld: { ...npmrc, isFormer: true } },
    {
      markdown:
        'Not looked up: its registry has just changed.\n\nThe name stays on this machine. If npm.acme.example contains only public packages, add it to packageInsights.publicRegistries.',
      plain:
        'Not looked up: its registry has just changed.\n\nThe name stays on this machine. If npm.acme.example contains only public packages, add it to packageInsights.publicRegistries.',
      hint: '',
    },
  ],
  [
    'a package that the service does not know is described as in its finding',
    { kind: 'unknown' },
    {
      markdown: '@acme/ui is unknown to the service: it may be private, too new, or misspelled.',
      plain: '@acme/ui is unknown to the service: it may be private, too new, or misspelled.',
      hint: '',
    },
  ],
];

for (const [title, resolution, shown] of table) {
  test(title, () => {
    const evaluated = evaluatedAs(resolution);
    const blocks = lookupStatus(evaluated, undefined);
    assert.deepEqual(
      {
        markdown: toMarkdown(blocks, undefined, { commandLinks: true }),
        plain: toPlainText(blocks, undefined),
        hint: withheldInShort(evaluated),
      },
      shown,
    );
    assert.doesNotMatch(toMarkdown(blocks, undefined), /command:/);
  });
}

test('a registry is offered to be asked only where its client would ask it', () => {
  const text = (withheld: Registry) =>
    toPlainText(lookupStatus(evaluatedAs({ kind: 'none', reason: 'private', withheld }), undefined, true), undefined);
  assert.match(text({ ...npmrc, from: '.npmrc' }), /To ask npm\.acme\.example itself/);
  assert.doesNotMatch(text({ ...npmrc, from: 'yarn.lock', isLocked: true }), /To ask/);
});

test('with an invalid setting, a failed lookup is one that was not sent', () => {
  const evaluated = evaluatedAs({ kind: 'failed', reason: 'invalid address' });
  assert.equal(
    toPlainText(lookupStatus(evaluated, 'invalid address in x'), undefined),
    'Not looked up: invalid address in x.',
  );
  assert.equal(toPlainText(lookupStatus(evaluated, undefined), undefined), 'Lookup failed: invalid address.');
});
