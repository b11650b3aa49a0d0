const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** How long ago something was, in one word or two: `just now`, `5 min ago`, `3 h ago`, `2 days ago`. */
export function ago(at: number, now: number): string {
  const passed = Math.max(0, now - at);
  if (passed < minute) return 'just now';
  if (passed < hour) return `${Math.floor(passed / minute)} min ago`;
  if (passed < day) return `${Math.floor(passed / hour)} h ago`;
  const days = Math.floor(passed / day);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

/** A day, the same in every place: `2019-07-19`. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
