import type { ManifestRecord, OperationRecord } from './records.ts';
import type { Key, Store } from './store.ts';

/**
 * A store that holds operations and manifests in memory until `write`: one transaction changes an operation with each of
 * its steps, and reads its manifest as often.
 */
export function holdOperations(store: Store): { readonly held: Store; write(): void } {
  const operations = new Map<string, { readonly project: string; readonly operation: OperationRecord }>();
  const manifests = new Map<string, ManifestRecord | undefined>();
  const changed = new Set<string>();
  const idOf = ({ project, parent = '', name }: Key): string => `${project}\n${parent}\n${name}`;
  for (const it of store.running()) {
    operations.set(idOf({ project: it.project, name: it.operation.name }), it);
  }
  const held: Store = {
    ...store,
    get(kind, key) {
      const id = idOf(key);
      if (kind === 'operation') return (operations.get(id)?.operation as never) ?? store.get(kind, key);
      if (kind !== 'manifest') return store.get(kind, key);
      if (!manifests.has(id)) manifests.set(id, store.get('manifest', key));
      return manifests.get(id) as never;
    },
    put(kind, key, record) {
      const id = idOf(key);
      if (kind === 'operation') {
        operations.set(id, { project: key.project, operation: record as OperationRecord });
        changed.add(id);
        return;
      }
      manifests.delete(id);
      store.put(kind, key, record);
    },
    remove(kind, key) {
      manifests.delete(idOf(key));
      store.remove(kind, key);
    },
    running: () => [...operations.values()].filter((it) => it.operation.status !== 'DONE'),
  };
  return {
    held,
    write() {
      for (const id of changed) {
        const it = operations.get(id);
        if (it) store.put('operation', { project: it.project, name: it.operation.name }, it.operation);
      }
    },
  };
}
