import type { ImportedAdvisory } from './store.ts';
import { type FactAnswer, factId, type KeptAnswer, type Store } from './store.ts';

/** A store for one run of one instance. */
export function createMemoryStore(): Store {
  const kept = new Map<string, FactAnswer>();
  const advisories = new Map<string, ImportedAdvisory>();
  const imports = new Map<string, number>();
  const notes = new Map<string, string>();

  function keep(answers: readonly FactAnswer[]): void {
    for (const it of answers) {
      const before = kept.get(factId(it.fact));
      if (before === undefined || it.answer.asOf >= before.answer.asOf) kept.set(factId(it.fact), it);
    }
  }

  return {
    read: async (facts) => facts.map((it) => kept.get(factId(it))?.answer),
    write: async (answers) => keep(answers),
    async affecting(packages) {
      const names = new Set(packages.map((it) => `${it.system} ${it.name}`));
      return [...advisories.values()].flatMap(({ id, affected }) =>
        affected.filter((it) => names.has(`${it.system} ${it.name}`)).map((it) => ({ advisory: id, affected: it })),
      );
    },
    async versionsOf({ system, name }) {
      const found: KeptAnswer[] = [];
      for (const { fact, answer } of kept.values()) {
        const isOf = fact.kind === 'version' && fact.key.system === system && fact.key.name === name;
        if (isOf && answer.body !== undefined) found.push(answer);
      }
      return found;
    },
    async importPart({ id, from, to, answers, advisories: imported }) {
      if ((imports.get(id) ?? 0) !== from) return false;
      imports.set(id, to);
      keep(answers);
      for (const it of imported) {
        const before = advisories.get(it.id);
        if (before === undefined || it.modified >= before.modified) advisories.set(it.id, it);
      }
      return true;
    },
    importPosition: async (id) => imports.get(id),
    note: async (name) => notes.get(name),
    async setNote(name, value) {
      notes.set(name, notes.get(name) ?? value);
      return notes.get(name) ?? value;
    },
    async raiseNote(name, value) {
      notes.set(name, String(Math.max(Number(notes.get(name) ?? value), value)));
    },
    async pruneReplies(before, mostCharacters) {
      let left = mostCharacters;
      const replies = [...kept].filter(([, { fact }]) => fact.kind === 'reply');
      for (const [id, { answer }] of replies.sort(([, a], [, b]) => b.answer.asOf - a.answer.asOf)) {
        left -= answer.body?.length ?? 0;
        if (answer.asOf < before || left < 0) kept.delete(id);
      }
    },
    async ping() {},
    async close() {},
  };
}
