/** Problems of one text in any format. More of them do not help. */
export const MAX_PROBLEMS = 100;

/** Nesting of values. Real manifests stay far below, and the call stack allows many times as much. Deeper values are left out. */
export const MAX_DEPTH = 200;
