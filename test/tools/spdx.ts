import parse from 'spdx-expression-parse';

/** Whether a text is an SPDX expression; deprecated identifiers such as `GPL-3.0` are. */
export function isLicense(text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}
