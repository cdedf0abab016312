import { asc } from 'drizzle-orm'
import { readerWage, tries, tryDays } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'
import { ownRow, ownRows } from '#server/own-rows.ts'

export const exportedData: ExportParts = {
  tries: ownRows(
    tries.userId,
    {
      kind: tries.kind,
      id: tries.itemId,
      startedAt: tries.startedAt,
      outcome: tries.outcome,
      minutesPerWeek: tries.minutesPerWeek,
      note: tries.note,
      noteSharedAt: tries.sharedAt,
      answeredAt: tries.answeredAt,
      removedAt: tries.removedAt,
      countedOutcome: tries.countedOutcome,
      askedAt: tries.askedAt,
    },
    asc(tries.startedAt),
  ),
  earlierAnswers: ownRows(
    tryDays.userId,
    {
      kind: tryDays.kind,
      id: tryDays.itemId,
      day: tryDays.day,
      at: tryDays.at,
      outcome: tryDays.outcome,
      minutesPerWeek: tryDays.minutesPerWeek,
    },
    asc(tryDays.at),
  ),
  wage: ownRow(readerWage.userId, { cents: readerWage.cents, at: readerWage.at }),
}
