import { formatDay } from '#shared/domain/format.ts'
import { publication } from '#shared/publication.ts'

/** What lands in the file and on the clipboard: says whose codes these are, since the file will outlive the page. */
export function backupCodesText(codes: readonly string[], email: string, now: Date): string {
  return [
    `${publication.name} backup codes`,
    `for ${email}, made ${formatDay(now)}`,
    '',
    ...codes,
    '',
    'Each code works once, in place of your second step. Keep them apart from your devices.',
    '',
  ].join('\n')
}
