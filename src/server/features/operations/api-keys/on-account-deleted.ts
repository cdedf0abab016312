import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { apiRequests } from '#server/db/schema/index.ts'

/** Deletes kept answers of the API about the account. */
export async function deleteApiAnswers(tx: Tx, userId: string): Promise<void> {
  await tx.delete(apiRequests).where(sql`${apiRequests.answer} ->> 'id' = ${userId}`)
}
