import type { IndexCase } from './python-clients.ts';

const project = '[project]\nname = "x"\nversion = "1"\nrequires-python = ">=3.9"\ndependencies = ["acme-core"]\n';
const poetryProject = `[tool.poetry]
package-mode = false
[tool.poetry.dependencies]
python = ">=3.9"
acme-core = "*"
`;
const pdmProject = `${project}[tool.pdm]\ndistribution = false\n`;
const pipfile = '[packages]\nacme-core = "*"\n';

const index = (table: string, name: string, address: string, more = ''): string =>
  `[[${table}]]\nname = "${name}"\nurl = "${address}"\n${more}\n`;

export const indexCases: readonly IndexCase[] = [
  {
    title: 'the lines of requirements behind the settings',
    tool: 'pip',
    files: { 'requirements.txt': '--extra-index-url https://ci:%70w@c.example/simple\nacme-core\n' },
    home: {
      '.config/pip/pip.conf':
        '[global]\nindex-url = https://a.example/simple\nextra-index-url = https://b.example/simple\n',
    },
    having: 'abc',
  },
  {
    title: '--index-url in place of all indexes before it',
    tool: 'pip',
    files: {
      'requirements.txt': '--extra-index-url https://b.example/simple\n-i https://c.example/simple\nacme-core\n',
    },
    home: { '.config/pip/pip.conf': '[global]\nindex-url = https://a.example/simple\n' },
    having: 'abc',
  },
  {
    title: 'variables in place of the same setting, and the section of the command before the global one',
    tool: 'pip',
    files: { 'requirements.txt': 'acme-core\n' },
    home: {
      '.config/pip/pip.conf':
        '[global]\nindex-url = https://d.example/simple\nextra-index-url = https://c.example/simple\n[install]\nindex_url = https://a.example/simple\n',
    },
    variables: { PIP_EXTRA_INDEX_URL: 'https://token@b.example/simple' },
    having: 'abc',
  },
  {
    title: 'a .netrc, with a default',
    tool: 'pip',
    files: { 'requirements.txt': 'acme-core\n' },
    home: {
      '.config/pip/pip.conf':
        '[global]\nindex-url = https://a.example/simple\nextra-index-url =\n    https://b.example/simple\n    https://ci:own@c.example/simple\n',
      '.netrc':
        'machine a.example login anna password "se cret"\nmachine c.example login not password used\ndefault login any password one\n',
    },
    having: 'abc',
    closed: 'abc',
  },
  {
    title: '--no-index',
    tool: 'pip',
    files: { 'requirements.txt': '--index-url https://a.example/simple\n--no-index\nacme-core\n' },
    having: 'a',
  },
  {
    title: 'the first index that has the package, the default one last',
    tool: 'uv',
    files: {
      'pyproject.toml':
        project +
        index('tool.uv.index', 'usual', 'https://a.example/simple', 'default = true') +
        index('tool.uv.index', 'acme-team', 'https://b.example/simple') +
        index('tool.uv.index', 'only', 'https://d.example/simple', 'explicit = true'),
    },
    home: {
      '.config/uv/uv.toml':
        'extra-index-url = ["https://c.example/simple"]\nindex-url = "https://e.example/simple"\n' +
        index('index', 'acme-team', 'https://b.example/simple'),
    },
    variables: { UV_INDEX_ACME_TEAM_USERNAME: 'anna', UV_INDEX_ACME_TEAM_PASSWORD: 'secret' },
    having: 'a',
    closed: 'b',
  },
  {
    title: 'the address before named variables, and before the .netrc',
    tool: 'uv',
    files: {
      'pyproject.toml':
        project +
        index('tool.uv.index', 'one', 'https://not:used@a.example/simple') +
        index('tool.uv.index', 'two', 'https://ci:pw@b.example/simple', 'default = true'),
    },
    home: { '.netrc': 'machine a.example login not password used\nmachine b.example login not password used\n' },
    variables: { UV_INDEX_ONE_USERNAME: 'anna', UV_INDEX_ONE_PASSWORD: 'secret' },
    having: 'b',
    closed: 'ab',
  },
  {
    title: 'a .netrc, and a user without a password',
    tool: 'uv',
    files: { 'pyproject.toml': project },
    home: {
      '.config/uv/uv.toml':
        index('index', 'one', 'https://a.example/simple') +
        index('index', 'two', 'https://ben@b.example/simple', 'default = true'),
      '.netrc': 'machine a.example login anna password secret\nmachine b.example login ben password of-b\n',
    },
    having: 'b',
    closed: 'ab',
  },
  {
    title: 'the index of an assigned package alone',
    tool: 'uv',
    files: {
      'pyproject.toml':
        project +
        index('tool.uv.index', 'usual', 'https://a.example/simple', 'default = true') +
        index('tool.uv.index', 'only', 'https://b.example/simple', 'explicit = true') +
        '[tool.uv.sources]\nAcme_Core = { index = "only" }\n',
    },
    having: 'ab',
  },
  {
    title: 'all indexes with another strategy',
    tool: 'uv',
    files: { 'pyproject.toml': `${project}[tool.uv]\nindex-strategy = "unsafe-best-match"\n` },
    variables: {
      UV_INDEX: 'one=https://a.example/simple https://b.example/simple',
      UV_DEFAULT_INDEX: 'https://c.example/simple',
    },
    having: 'abc',
  },
  {
    title: 'a uv.toml in place of the table of the project',
    tool: 'uv',
    files: {
      'pyproject.toml': project + index('tool.uv.index', 'one', 'https://b.example/simple', 'default = true'),
      'uv.toml': index('index', 'two', 'https://a.example/simple', 'default = true'),
    },
    having: 'ab',
  },
  {
    title: 'primary sources joined, a supplemental one not',
    tool: 'poetry',
    files: {
      'pyproject.toml':
        poetryProject +
        index('tool.poetry.source', 'one', 'https://a.example/simple') +
        index('tool.poetry.source', 'two-three', 'https://ci:pw@b.example/simple') +
        index('tool.poetry.source', 'only', 'https://d.example/simple', 'priority = "explicit"'),
    },
    home: { '.config/pypoetry/config.toml': '[repositories.one]\nurl = "https://a.example/simple"\n' },
    variables: { POETRY_HTTP_BASIC_ONE_USERNAME: 'anna', POETRY_HTTP_BASIC_ONE_PASSWORD: 'secret' },
    having: 'ab',
    closed: 'ab',
  },
  {
    title: 'a supplemental source where the primary one does not have the package',
    tool: 'poetry',
    files: {
      'pyproject.toml':
        poetryProject +
        index('tool.poetry.source', 'later', 'https://b.example/simple', 'priority = "supplemental"') +
        index('tool.poetry.source', 'one', 'https://a.example/simple'),
    },
    home: {
      '.config/pypoetry/auth.toml': '[http-basic.later]\nusername = "ben"\npassword = "kept"\n',
      '.config/pypoetry/config.toml': '[repositories.later]\nurl = "https://b.example/simple"\n',
    },
    having: 'b',
    closed: 'b',
  },
  {
    title: 'a named source, with a .netrc',
    tool: 'poetry',
    files: {
      'pyproject.toml':
        poetryProject.replace('"*"', '{ version = "*", source = "only" }') +
        index('tool.poetry.source', 'one', 'https://a.example/simple') +
        index('tool.poetry.source', 'only', 'https://b.example/simple', 'priority = "explicit"'),
    },
    home: { '.netrc': 'machine b.example login anna password secret\n' },
    having: 'ab',
    closed: 'b',
  },
  {
    title: 'the sources of the project joined with those of the settings',
    tool: 'pdm',
    files: { 'pyproject.toml': pdmProject + index('tool.pdm.source', 'acme', 'https://b.example/simple') },
    home: {
      '.config/pdm/config.toml':
        '[pypi]\nurl = "https://a.example/simple"\nusername = "ben"\npassword = "usual"\n[pypi.acme]\nurl = "https://b.example/simple"\nusername = "cleo"\npassword = "kept"\n[pypi.further]\nurl = "https://ci:${TOKEN}@c.example/simple"\n',
    },
    variables: { TOKEN: 'secret' },
    having: 'abc',
  },
  {
    title: 'patterns of names, and a .netrc',
    tool: 'pdm',
    files: {
      'pyproject.toml':
        pdmProject +
        index('tool.pdm.source', 'pypi', 'https://a.example/simple', 'exclude_packages = ["acme-*"]') +
        index('tool.pdm.source', 'acme', 'https://b.example/simple', 'include_packages = ["Acme_*"]'),
    },
    home: { '.netrc': 'machine b.example login anna password secret\n' },
    having: 'ab',
    closed: 'b',
  },
  {
    title: 'the first source alone',
    tool: 'pipenv',
    files: {
      Pipfile:
        index('source', 'one', 'https://ci:pw@a.example/simple', 'verify_ssl = true') +
        index('source', 'two', 'https://b.example/simple', 'verify_ssl = true') +
        pipfile,
    },
    variables: { PIP_INDEX_URL: 'https://c.example/simple' },
    having: 'ab',
    closed: 'a',
  },
  {
    title: 'the source that a package names, and a .netrc',
    tool: 'pipenv',
    files: {
      Pipfile:
        index('source', 'one', 'https://a.example/simple', 'verify_ssl = true') +
        index('source', 'two', 'https://b.example/simple', 'verify_ssl = true') +
        pipfile.replace('"*"', '{ version = "*", index = "two" }'),
    },
    home: { '.netrc': 'machine b.example login anna password secret\n' },
    having: 'ab',
    closed: 'b',
  },
];
