import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Db, queryRows } from '#server/db/database.ts'
import { firstWeek } from '#server/db/schema/index.ts'
import {
  type FirstWeek,
  type FirstWeekStep,
  firstWeekSteps,
  type recordFirstWeekCall,
} from '#shared/contracts/reader/first-week.ts'
import { hasPage } from '#shared/domain/built-in-pages.ts'
import { changeInstant } from '#shared/domain/change-instant.ts'
import { hasTab } from '#shared/domain/tabs.ts'
import type { Publication } from '#shared/publication-defaults.ts'

/** Left out while the publisher hides the tab of prompts. */
const aboutPrompts: readonly FirstWeekStep[] = ['copy', 'business']

const weekMs = 7 * 24 * 60 * 60_000

/** The checklist. Its week starts when it is first read. */
export async function readFirstWeek(db: Db, publication: Publication, userId: string, now: Date): Promise<FirstWeek> {
  const [row] = await db.select().from(firstWeek).where(eq(firstWeek.userId, userId))
  if (!row) await db.insert(firstWeek).values({ userId, startedAt: now }).onConflictDoNothing()
  if (row?.dismissedAt || (row && now.getTime() >= row.startedAt.getTime() + weekMs)) return null
  const done = await readDone(db, userId)
  const offered = firstWeekSteps.filter((step) =>
    step === 'start-page'
      ? hasPage(publication, 'start-here')
      : hasTab(publication, 'prompt-packs') || !aboutPrompts.includes(step),
  )
  const steps = offered.map((step) => ({ step, done: done[step] }))
  return steps.every((one) => one.done) ? null : { steps }
}

async function readDone(db: Db, userId: string): Promise<Record<FirstWeekStep, boolean>> {
  const [row] = await queryRows<Record<FirstWeekStep, boolean>>(
    db,
    sql`select
      exists (select 1 from user_preferences where user_id = u.id) as "preferences",
      exists (select 1 from first_week where user_id = u.id and start_page_at is not null) as "start-page",
      (exists (select 1 from item_uses where user_id = u.id and use = 'copied')
        or exists (select 1 from tries where user_id = u.id and kind = 'prompt')) as "copy",
      exists (select 1 from business_profile where user_id = u.id and values <> '{}'::jsonb) as "business",
      exists (select 1 from saved_items where user_id = u.id and saved) as "save",
      exists (select 1 from tries where user_id = u.id and outcome is not null) as "answer"
      from (select ${userId}::uuid as id) u`,
  )
  if (!row) throw new Error('A query for one row returned none')
  return row
}

/** Keeps the first time, so that a repeat changes nothing. */
export async function recordFirstWeek(
  db: Db,
  userId: string,
  { event, at }: z.output<typeof recordFirstWeekCall.input>,
  now: Date,
): Promise<void> {
  const time = changeInstant(at, now)
  const column = event === 'start-page' ? 'startPageAt' : 'dismissedAt'
  await db
    .insert(firstWeek)
    .values({ userId, startedAt: time, [column]: time })
    .onConflictDoUpdate({
      target: firstWeek.userId,
      set: { [column]: sql`least(${firstWeek[column]}, excluded.${sql.identifier(firstWeek[column].name)})` },
    })
}
