import { dayMs } from '#shared/domain/durations.ts'

export type KeptPeriods = { daily: number; weekly: number; monthly: number }
type Dated = { name: string; at: Date }

/**
 * Selects the backups that retention deletes. Keeps the newest backup of each of the last days, weeks and months that have
 * one, and all of the 24 hours before the newest. Never selects the newest.
 */
export function selectExpired<Backup extends Dated>(backups: readonly Backup[], keep: KeptPeriods): Backup[] {
  const newestFirst = backups.toSorted((a, b) => b.at.getTime() - a.at.getTime() || b.name.localeCompare(a.name))
  const newest = newestFirst[0]?.at.getTime() ?? 0
  const kept = new Set(newestFirst.filter(({ at }) => newest - at.getTime() < dayMs))
  const periods: [count: number, periodOf: (at: Date) => string | number][] = [
    [keep.daily, (at) => Math.floor(at.getTime() / dayMs)],
    // Weeks start on Monday; the epoch was a Thursday.
    [keep.weekly, (at) => Math.floor((at.getTime() / dayMs + 3) / 7)],
    [keep.monthly, (at) => at.toISOString().slice(0, 7)],
  ]
  for (const [count, periodOf] of periods) {
    const seen = new Set<string | number>()
    for (const backup of newestFirst) {
      const period = periodOf(backup.at)
      if (seen.has(period) || seen.size >= count) continue
      seen.add(period)
      kept.add(backup)
    }
  }
  return newestFirst.filter((backup) => !kept.has(backup))
}
