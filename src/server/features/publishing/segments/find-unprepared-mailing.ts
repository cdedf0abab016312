import { and, desc, isNull, ne, sql } from 'drizzle-orm'
import type { Db } from '#server/db/database.ts'
import { mailings } from '#server/db/schema/index.ts'

/** Names a mailing that goes to a segment or view and hasn't frozen its readers yet; null if there is none. */
export async function findUnpreparedMailing(
  db: Db,
  { of, id }: { of: 'segmentIds' | 'viewIds'; id: string },
): Promise<string | null> {
  const [mailing] = await db
    .select({ subject: mailings.subject })
    .from(mailings)
    .where(
      and(
        isNull(mailings.preparedAt),
        ne(mailings.status, 'stopped'),
        sql`${mailings.audience} -> ${of}::text @> ${JSON.stringify([id])}::jsonb`,
      ),
    )
    .orderBy(desc(mailings.updatedAt))
    .limit(1)
  if (!mailing) return null
  return mailing.subject ? `“${mailing.subject}”` : 'A mailing without a subject'
}
