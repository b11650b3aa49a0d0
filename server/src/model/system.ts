/** The package systems the Package Insights Service knows, spelt as it spells them. */
export const systems = ['GO', 'NPM', 'CARGO', 'MAVEN', 'PYPI', 'NUGET'] as const;

export type System = (typeof systems)[number];

export function isSystem(value: unknown): value is System {
  return (systems as readonly unknown[]).includes(value);
}
