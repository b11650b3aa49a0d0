/** Where a store is. */
export type StoreAddress =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly address: string };

/**
 * Reads `sqlite:FILE` or `postgres://…`; undefined for anything else.
 * The file of `sqlite:///var/lib/x.sqlite` is `/var/lib/x.sqlite`, that of `sqlite:x.sqlite` is relative.
 */
export function readStoreAddress(text: string): StoreAddress | undefined {
  const [, path = ''] = /^sqlite:(?:\/\/(?=\/))?(.+)$/s.exec(text) ?? [];
  if (path !== '') return path.includes('\0') ? undefined : { kind: 'sqlite', path };
  // A URL has no user without a host; that of a socket is in the query.
  const isAddress = /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text.replace(/@(?=\/)/, '@localhost'));
  return isAddress ? { kind: 'postgres', address: text } : undefined;
}

/** The address without a password and other parameters, for messages: `postgres://insights@db.example/insights`. */
export function shownAddress(store: StoreAddress): string {
  if (store.kind === 'sqlite') return `sqlite:${store.path}`;
  return store.address.replace(/\?.*$/s, '').replace(/^([a-z]+:\/\/[^:/@]*):[^/]*@/, '$1@');
}
