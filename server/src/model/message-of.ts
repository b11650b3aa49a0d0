/** What an error says; of what is thrown and is no error, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
