/** Where this program is at home. */
export const homepage = 'https://github.com/package-insights/package-insights';

/** The page that explains a finding, below the home of the program that found it. */
export function findingPage(home: string, code: string): string {
  return `${home}/blob/main/docs/findings.md#${code}`;
}
