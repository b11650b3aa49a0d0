/** `os: darwin, cpu: x64 arm64, libc: glibc`: the platforms that a package in a lockfile is for. Undefined for all. */
export function platformOf(entry: Readonly<Record<string, unknown>>): string | undefined {
  const parts = platformFields.flatMap((field) => {
    const value = entry[field];
    const names = typeof value === 'string' ? [value] : Array.isArray(value) ? value : [];
    return names.length > 0 ? [`${field}: ${names.slice(0, MAX_NAMES).map(String).join(' ')}`] : [];
  });
  return parts.length > 0 ? parts.join(', ') : undefined;
}

export const platformFields = ['os', 'cpu', 'libc'] as const;

/** There are some ten platforms. */
const MAX_NAMES = 20;
