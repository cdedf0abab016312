import { asc, eq } from 'drizzle-orm'
import { firstOrNull } from '#server/db/first-or-null.ts'
import { readerWage, tries, tryDays } from '#server/db/schema/index.ts'
import type { ExportParts } from '#server/feature.ts'

export const exportedData: ExportParts = {
  tries: {
    tables: ['public.tries'],
    read: (tx, userId) =>
      tx
        .select({
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
        })
        .from(tries)
        .where(eq(tries.userId, userId))
        .orderBy(asc(tries.startedAt)),
  },
  earlierAnswers: {
    tables: ['public.try_days'],
    read: (tx, userId) =>
      tx
        .select({
          kind: tryDays.kind,
          id: tryDays.itemId,
          day: tryDays.day,
          at: tryDays.at,
          outcome: tryDays.outcome,
          minutesPerWeek: tryDays.minutesPerWeek,
        })
        .from(tryDays)
        .where(eq(tryDays.userId, userId))
        .orderBy(asc(tryDays.at)),
  },
  wage: {
    tables: ['public.reader_wage'],
    read: (tx, userId) =>
      firstOrNull(
        tx.select({ cents: readerWage.cents, at: readerWage.at }).from(readerWage).where(eq(readerWage.userId, userId)),
      ),
  },
}
