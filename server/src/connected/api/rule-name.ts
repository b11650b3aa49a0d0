/** The rules of the contracts, by name: rules.ts has what each says. */
export type RuleName =
  | 'patch-units'
  | 'patch-semantics'
  | 'update-replaces'
  | 'event-id'
  | 'import-default'
  | 'move-destination'
  | 'move-default'
  | 'quick-add-text'
  | 'clear-primary'
  | 'delete-secondary'
  | 'sync-token'
  | 'fingerprint'
  | 'policy-replaces'
  | 'rate-limit-status';
