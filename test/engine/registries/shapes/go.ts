import { basic } from './person.ts';
import type { Shape } from './shape.ts';

const module = (name: string): string => `module own.example/a\n\ngo 1.22\n\nrequire ${name} v1.0.0\n`;

export const goShapes: readonly Shape[] = [
  {
    title: 'Go, a proxy of the person with a password in .netrc',
    files: { 'go.mod': module('acme.example/secret') },
    asked: [`go.acme.example ${basic('of-go')}`],
    hover: 'published 2026-01-01',
  },
  {
    title: 'Go, the second proxy where the first one does not have the module',
    files: { 'go.mod': module('acme.example/secret-second') },
    asked: [`go.acme.example ${basic('of-go')}`, `second-go.acme.example ${basic('of-second')}`],
    hover: 'published 2026-01-01',
  },
  {
    title: 'Go, no further proxy after a failure of the first one',
    files: { 'go.mod': module('acme.example/secret-refused') },
    asked: [`go.acme.example ${basic('of-go')}`],
    hover: 'go.acme.example: HTTP 400',
  },
  {
    title: 'Go, the third proxy after a failure of the second one, which has |',
    files: { 'go.mod': module('acme.example/secret-third') },
    asked: [
      `go.acme.example ${basic('of-go')}`,
      `second-go.acme.example ${basic('of-second')}`,
      'third-go.acme.example',
    ],
    hover: 'published 2026-01-01',
  },
  {
    title: 'Go, a module that is fetched without a proxy',
    files: { 'go.mod': module('direct.example/secret') },
    asked: [],
    hover: 'Not looked up',
  },
];
