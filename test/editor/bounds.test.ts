import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type ClientCapabilities, ErrorCodes, ResponseError } from 'vscode-languageserver';
import '../harness/seed.ts';
import { type InlineCatalog, startService } from '../harness/service.ts';
import { play, steps } from '../harness/typing.ts';
import { strictClient } from './strict-client.ts';

/*
 * Whatever is opened, typed and closed in whichever order: no place that an answer names, be it a hint, a finding, an
 * edit or a link, lies outside of the text that the client has.
 */
const sick = { deprecated: 'use another', licenses: ['MIT'] };
const packages = {
  versions: { '1': sick, '1.0.0': sick, '2.0.0': sick, '2.31.0': sick, '3.0.0': { isDefault: true } },
};
const catalog: InlineCatalog = {
  'NPM a': packages,
  'NPM b': packages,
  'PYPI requests': packages,
  'MAVEN g:a': packages,
};

const capabilities: ClientCapabilities = {
  textDocument: {
    hover: { contentFormat: ['markdown'] },
    inlayHint: {},
    diagnostic: {},
    completion: {},
    codeLens: {},
    documentLink: {},
    codeAction: { disabledSupport: true, codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix'] } } },
  },
  workspace: { diagnostics: { refreshSupport: true }, workspaceEdit: { documentChanges: true } },
};

interface Place {
  readonly line: number;
  readonly character: number;
}

/** Every place within an answer, however deep. */
function placesIn(answer: unknown): readonly Place[] {
  if (typeof answer !== 'object' || answer === null) return [];
  if ('line' in answer && 'character' in answer) return [answer as Place];
  return Object.values(answer).flatMap(placesIn);
}

/** Some features are offered only where a setting asks for them. */
function unlessOffered(error: unknown): null {
  if (error instanceof ResponseError && error.code === ErrorCodes.MethodNotFound) return null;
  throw error;
}

test('no answer names a place outside of the text', { timeout: 40_000 }, async (t) => {
  const service = await startService(catalog);
  t.after(() => service.close());
  const settings = { baseUrl: service.url, documentLinks: true };
  const client = await strictClient({ capabilities, settings, answer: () => null });
  let runs = 0;
  let seen = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const texts = await play(all, `file:///b${++runs}`, (method, params) =>
        client.connection.sendNotification(method, params),
      );
      for (const [uri, text] of texts) {
        const lines = text.split(/\r\n|\n|\r/);
        const end = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
        const range = { start: { line: 0, character: 0 }, end };
        const requests: Readonly<Record<string, object>> = {
          // The hints wait for the facts.
          'textDocument/inlayHint': { range },
          'textDocument/diagnostic': {},
          'textDocument/codeAction': { range, context: { diagnostics: [] } },
          'textDocument/codeLens': {},
          'textDocument/documentLink': {},
          'textDocument/hover': { position: end },
        };
        for (const [method, params] of Object.entries(requests)) {
          const answer = await client.ask(method, uri, params).catch(unlessOffered);
          for (const { line, character } of placesIn(answer)) {
            seen++;
            const fits = line < lines.length && character >= 0 && character <= (lines[line]?.length ?? -1);
            assert.ok(fits, `${method}: ${line}:${character} is outside of ${JSON.stringify(text)}`);
          }
        }
      }
      for (const uri of texts.keys()) await client.close(uri);
    }),
    { numRuns: 100 },
  );
  assert.ok(seen > 100, `${seen} places`);
  await client.stop();
});
