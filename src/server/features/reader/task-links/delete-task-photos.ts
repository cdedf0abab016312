import { sql } from 'drizzle-orm'
import { queryRows } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { photoKey } from '#server/media/object-key.ts'
import { dayMs, hourMs } from '#shared/domain/durations.ts'
import { taskPhotoDays } from '#shared/domain/task-links.ts'

const maxPerRun = 1_000

/**
 * Deletes photos after 90 days, and those that no answer has: of deleted accounts and assignments, and of the second of two
 * people who checked off. The file goes first, so that a failure leaves the row for the next run.
 */
export async function deleteTaskPhotos({
  database: { db },
  store,
  clock,
}: Pick<Deps, 'database' | 'store' | 'clock'>): Promise<void> {
  const before = (ms: number) => sql`${new Date(clock().getTime() - ms).toISOString()}::timestamptz`
  const photos = await queryRows<{ id: string }>(
    db,
    sql`select id from task_photo p where created_at < ${before(taskPhotoDays * dayMs)}
      or (created_at < ${before(hourMs)} and not exists (select 1 from task_answer a where a.photo_id = p.id))
      order by created_at limit ${maxPerRun}`,
  )
  for (const { id } of photos) {
    await store.delete(photoKey(id))
    await db.execute(sql`delete from task_photo where id = ${id}::uuid`)
  }
}
