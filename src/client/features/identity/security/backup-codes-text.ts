import { publication } from '#client/lib/publication.ts'
import { formatDay } from '#shared/domain/format.ts'

/** Text for the file and the clipboard. Names the account, because the file outlives the page. */
export function backupCodesText(codes: readonly string[], email: string, now: Date): string {
  return [
    `${publication.name} backup codes`,
    `for ${email}, created ${formatDay(now)}`,
    '',
    ...codes,
    '',
    'Each code works once, in place of two-step verification. Keep them away from your devices.',
    '',
  ].join('\n')
}
