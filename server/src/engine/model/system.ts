/** The package systems the Package Insights Service knows, spelled as it spells them. */
export const systems = ['GO', 'NPM', 'CARGO', 'MAVEN', 'PYPI', 'NUGET'] as const;

export type System = (typeof systems)[number];

/** As people write them. */
export const systemNames: Readonly<Record<System, string>> = {
  GO: 'Go',
  NPM: 'npm',
  CARGO: 'Cargo',
  MAVEN: 'Maven',
  PYPI: 'PyPI',
  NUGET: 'NuGet',
};

export function isSystem(value: unknown): value is System {
  return (systems as readonly unknown[]).includes(value);
}
