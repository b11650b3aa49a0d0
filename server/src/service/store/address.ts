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
  return /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text) ? { kind: 'postgres', address: text } : undefined;
}

/** The address without a password, for messages: `postgres://insights@db.example/insights`. */
export function shownAddress(store: StoreAddress): string {
  if (store.kind === 'sqlite') return `sqlite:${store.path}`;
  const url = new URL(store.address);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}
