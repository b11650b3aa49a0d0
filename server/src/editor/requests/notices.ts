import type { ProgressToken } from 'vscode-languageserver';
import { type NoticeFormat, noticeFormats, noticesOf } from '../../engine/report/formats/notices.ts';
import { coverageText } from '../../engine/report/formats/texts.ts';
import type { OwnRequest } from '../extension.ts';
import { fieldsIn } from '../params.ts';
import { tokenIn } from '../util/progress.ts';
import { scanFolders } from './report.ts';

export interface NoticesParams {
  readonly format: NoticeFormat;
  /** The token for `$/progress`. */
  readonly workDoneToken?: ProgressToken;
}

export interface NoticesAnswer {
  readonly text: string;
  /** How many lookups failed: the notices are incomplete. */
  readonly failed: number;
  /** How many dependencies are omitted because their names are private. */
  readonly withheld: number;
  /** How many manifests have syntax problems or could not be read, so that dependencies may be missing. */
  readonly unclear: number;
  /** A summary of what was not looked up; absent if everything was. */
  readonly coverage?: string;
}

/** The licenses of all that the workspace's manifests come to; `null` where it has no folder, or the client has lost interest. */
export const noticesRequest: OwnRequest<NoticesParams, NoticesAnswer | null> = {
  method: 'packageInsights/notices',
  isHeavy: true,
  read: (params) => {
    const { format } = fieldsIn(params);
    const known = noticeFormats.find((it) => it.name === format)?.name;
    return known && { format: known, ...tokenIn(params) };
  },
  async answer({ format, workDoneToken }, server, token) {
    const scanned = await scanFolders(server, workDoneToken, token);
    if (scanned === null) return null;
    const { packages, failures, withheld, unclear, unread } = scanned.report;
    const writer = noticeFormats.find((it) => it.name === format) ?? noticeFormats[0];
    const sum = (all: readonly { readonly count: number }[]): number => all.reduce((total, it) => total + it.count, 0);
    const text = writer.write(noticesOf(packages));
    const coverage = coverageText(scanned.report);
    return {
      text,
      failed: sum(failures),
      withheld: sum(withheld),
      unclear: unclear.length + unread.length,
      ...(coverage !== undefined && { coverage }),
    };
  },
};
