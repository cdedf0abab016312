import { randomBytes } from 'node:crypto'

/** `front-counter-2026-11-22T03-17-00Z-1a2b3c.backup`: sorts by time. */
export const createBackupName = (now: Date): string =>
  `front-counter-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z-${randomBytes(3).toString('hex')}.backup`

const pattern = /^front-counter-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z-[0-9a-f]{6}\.backup$/

/** When the backup was made; null for other files. */
export function backupTime(name: string): Date | null {
  const match = pattern.exec(name)
  if (!match) return null
  const [, day, hours, minutes, seconds] = match
  const time = new Date(`${day}T${hours}:${minutes}:${seconds}Z`)
  return Number.isNaN(time.getTime()) ? null : time
}
