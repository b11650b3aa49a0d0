const prefix = 'alias:';

/** The spelling by which accessors are compared. */
export function normalizeAlias(alias: string): string {
  return alias.replace(/[._-]/g, '-');
}

/** The id of a definition that gives a name the contents of others: `deps.room` of `deps.room = room`. */
export function aliasId(name: string): string {
  return `${prefix}${normalizeAlias(name)}`;
}

export function isAliasId(id: string): boolean {
  return id.startsWith(prefix);
}
