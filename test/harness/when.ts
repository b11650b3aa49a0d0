/** What a `when` clause of package.json reads: `packageInsights.isManifest`, `editorLangId`, `config.….baseUrl`. */
export type WhenContext = Readonly<Record<string, string | number | boolean>>;

/** Whether a clause holds, in the part of VS Code's language that package.json uses: `!a && b == c || d =~ /e/i`. */
export function holds(clause: string | undefined, context: WhenContext): boolean {
  if (clause === undefined) return true;
  return clause.split('||').some((it) => it.split('&&').every((term) => holdsTerm(term.trim(), context)));
}

function holdsTerm(term: string, context: WhenContext): boolean {
  const [, key = '', operator, value = ''] = term.match(/^(!?[\w.-]+)(?:\s*(==|!=|=~)\s*(.+))?$/) ?? [];
  if (key === '') throw new Error(`This clause is not understood: ${term}`);
  const actual = context[key.replace('!', '')];
  if (operator === undefined) return key === 'false' ? false : key.startsWith('!') ? !actual : Boolean(actual);
  const text = String(actual ?? '');
  if (operator !== '=~') return (text === value) === (operator === '==');
  const [, source = '', flags = ''] = value.match(/^\/(.*)\/(\w*)$/) ?? [];
  return new RegExp(source, flags).test(text);
}
