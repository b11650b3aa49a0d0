import type { InlineCatalog } from '../harness/service.ts';

/** One dependency with an advisory and a way out of it, one deprecated, one that cannot be moved. */
export const catalog: InlineCatalog = {
  'NPM lodash': { versions: ['4.17.15', '4.17.21'], shared: { licenses: ['MIT'] } },
  'NPM request': {
    versions: { '2.88.2': { isDefault: true, deprecated: 'no longer maintained', licenses: ['Apache-2.0'] } },
  },
  'advisory GHSA-p6mc-m468-83gw': {
    title: 'Prototype pollution',
    cvss3Score: 7.4,
    affected: [{ system: 'NPM', name: 'lodash', ranges: [{ introduced: '3.7.0', fixed: '4.17.19' }] }],
  },
};

export const manifest = `{
  "dependencies": {
    "lodash": "4.17.15",
    "request": "2.88.2"
  }
}
`;

/** The whole of a document, as a range. */
export const everything = { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } };

/** On the requirement of lodash, and of request, in `manifest`. */
export const onLodash = { line: 2, character: 16 };
export const onRequest = { line: 3, character: 17 };
