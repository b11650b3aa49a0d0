import { type Files, startHiding, testHidden, testPlain } from './hidden.ts';

/* The files of an entry in a lockfile of Python are what is installed, whatever the entry is called. */

const run = await startHiding();

const wheel = 'fine-1.0.0-py3-none-any.whl';
const evil = 'evil-1.0.0-py3-none-any.whl';
const host = 'https://host.example';
const files = 'https://files.example';

const project: Files = {
  'pyproject.toml': '[project]\nname = "a"\nversion = "1"\ndependencies = ["fine==1.0.0", "outer==1.0.0"]\n',
};
const entry = (array: string, name: string, lines: string) =>
  `[[${array}]]\nname = "${name}"\nversion = "1.0.0"\n${lines}\n\n`;
/** A second package has its files where the registry has them. */
const pylock = (lines: string): Files => ({
  ...project,
  'pylock.toml': `lock-version = "1.0"\n\n${entry('packages', 'fine', lines)}${entry('packages', 'outer', `wheels = [{name = "outer-1.0.0.whl", url = "${files}/outer-1.0.0-py3-none-any.whl"}]`)}`,
});
const pdm = (lines: string): Files => ({
  'pyproject.toml': `${project['pyproject.toml']}[tool.pdm]\n`,
  'pdm.lock': `[metadata]\ngroups = ["default"]\n\n${entry('package', 'fine', `files = [\n    ${lines},\n]`)}${entry('package', 'outer', `files = [\n    {url = "${files}/outer-1.0.0.tar.gz", hash = "sha256:00"},\n]`)}`,
});
const poetry = (file: string): Files => ({
  'pyproject.toml': '[tool.poetry.dependencies]\nfine = "1.0.0"\n',
  'poetry.lock': `${entry('package', 'fine', `files = [\n    {file = "${file}", hash = "sha256:00"},\n]`)}[metadata]\nlock-version = "2.1"\n`,
});
const pipenv = (it: object): Files => ({
  Pipfile: '[packages]\nfine = "==1.0.0"\n',
  'Pipfile.lock': JSON.stringify({ _meta: { sources: [] }, default: { fine: it } }),
});

testHidden(
  {
    'pylock, a wheel of another package': pylock(`wheels = [{name = "${evil}", url = "${files}/${evil}"}]`),
    'pylock, an address of another package': pylock(`wheels = [{name = "${wheel}", url = "${files}/${evil}"}]`),
    'pylock, another host': pylock(`wheels = [{name = "${wheel}", url = "${host}/${wheel}"}]`),
    'pylock, a table of wheels': pylock(`\n[[packages.wheels]]\nname = "${wheel}"\nurl = "${host}/${evil}"`),
    'pylock, a source distribution': pylock(`\n[packages.sdist]\nurl = "${files}/evil-1.0.0.tar.gz"`),
    'pylock, a file of the project': pylock(`wheels = [{name = "${wheel}", path = "x/${wheel}"}]`),
    'pylock, the name in a query': pylock(`wheels = [{url = "${files}/${evil}?/${wheel}"}]`),
    'pylock, a name without an ending': pylock(`wheels = [{url = "${files}/download/1"}]`),
    'pylock, an address in escapes': pylock(`wheels = [{url = "${files}/\\u0065vil-1.0.0-py3-none-any.whl"}]`),
    'pylock, quoted keys': pylock(`wheels = [{"url" = '${files}/${evil}'}]`),
    'PDM, a wheel of another package': pdm(`{url = "${files}/${evil}", hash = "sha256:00"}`),
    'PDM, another host': pdm(`{url = "${host}/${wheel}", hash = "sha256:00"}`),
    'PDM, another version': pdm('{file = "fine-0.9.0.tar.gz", hash = "sha256:00"}'),
    'Poetry, a wheel of another package': poetry(evil),
    'Poetry, another version': poetry('fine-0.9.0-py3-none-any.whl'),
    'Pipenv, a repository beside a version': pipenv({ version: '==1.0.0', git: `${host}/x.git`, ref: '00' }),
    'Pipenv, an address beside a version': pipenv({ version: '==1.0.0', file: `${host}/${evil}` }),
    'Pipenv, a path beside a version': pipenv({ version: '==1.0.0', path: './x' }),
    'Pipenv, the project itself': pipenv({ path: '.', editable: true }),
  },
  run,
);

testPlain(
  {
    'pylock, the package': pylock(`wheels = [{name = "${wheel}", url = "${files}/${wheel}"}]`),
    'pylock, another spelling': pylock(`sdist = {name = "Fine-1.0.tar.gz", url = "${files}/Fine-1.0.tar.gz"}`),
    'PDM, the package': pdm(`{file = "${wheel}", hash = "sha256:00"}`),
    'Poetry, a version with a label': poetry('fine-1.0.0-1-cp312-cp312-manylinux_2_17_x86_64.whl'),
    'Pipenv, the package': pipenv({ version: '==1.0.0', hashes: [] }),
  },
  run,
);
