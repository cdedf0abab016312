import { sql } from 'drizzle-orm'
import type { Db, Tx } from '#server/db/database.ts'
import { sitePage } from '#server/db/schema/index.ts'

/** Changes with every saved or deleted page. */
export async function readPagesVersion(db: Db | Tx): Promise<string> {
  const [row] = await db
    .select({
      version: sql<string>`count(*) || ' ' || coalesce(sum(${sitePage.version}), 0) || ' ' || coalesce(max(${sitePage.updatedAt})::text, '')`,
    })
    .from(sitePage)
  return row?.version ?? ''
}
