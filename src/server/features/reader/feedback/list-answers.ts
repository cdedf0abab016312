import { desc, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, fromMicroseconds, queryRows } from '#server/db/database.ts'
import { replyMailbox } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { Principal } from '#server/http/principal.ts'
import type { AdminAnswer, ReplyMailbox } from '#shared/contracts/reader/feedback.ts'

import { caseIssueId } from './drop-feedback.ts'

const defaultPageSize = 20
const position = z.tuple([z.string().regex(/^\d{1,17}$/), z.uuid()])

type Row = {
  id: string
  user_id: string
  text: string
  question: string
  issue_id: string | null
  title: string | null
  at: string
  micros: string
  email: string | null
  name: string | null
  by_email: boolean
  subject: string | null
  has_token: boolean
  is_shortened: boolean
  attachments: string[] | null
}

/** Answers to closing questions and replies by email, newest first. Only owners see members' data here. */
export async function listAnswers(
  { config, database: { db } }: Pick<Deps, 'config' | 'database'>,
  { staffRole }: Pick<Principal, 'staffRole'>,
  { cursor, limit = defaultPageSize }: { cursor?: string | null; limit?: number },
): Promise<{ items: AdminAnswer[]; nextCursor: string | null; mailbox: ReplyMailbox | null }> {
  const after = cursor ? decodeCursor(cursor, position) : null
  const seesMembers = staffRole === 'owner'
  const newest = (table: SQL, columns: SQL) => sql`(select ${columns} from ${table} a
    ${after ? sql`where (a.at, a.id) < (${fromMicroseconds(after[0])}, ${after[1]}::uuid)` : sql``}
    order by a.at desc nulls last, a.id desc nulls last limit ${limit + 1})`
  const answers = newest(
    sql`question_answers`,
    sql`a.id, a.user_id, a.text, a.question, a.issue_id, a.at, false as by_email, null::uuid as mailing_id,
      false as has_token, false as is_shortened, null::text[] as attachments`,
  )
  const replies = newest(
    sql`email_replies`,
    sql`a.id, a.user_id, a.text, '', a.issue_id, a.at, true, a.mailing_id, a.has_token, a.is_shortened, a.attachments`,
  )
  const found = await queryRows<Row>(
    db,
    sql`select a.*, (extract(epoch from a.at) * 1000000)::bigint::text as micros, i.title, m.subject, u.email,
        nullif(trim(coalesce(u.raw_user_meta_data ->> 'full_name', u.raw_user_meta_data ->> 'name')), '') as name
      from (${answers}${seesMembers ? sql` union all ${replies}` : sql``}) a
      join auth.users u on u.id = a.user_id
      left join issues i on i.id = a.issue_id
      left join mailings m on m.id = a.mailing_id
      order by a.at desc nulls last, a.id desc nulls last limit ${limit + 1}`,
  )
  const { page, nextCursor } = pageOf(found, limit, (last) => [last.micros, last.id])
  return {
    items: page.map((row) => ({
      id: row.id,
      text: row.text,
      question: row.question,
      isCase: row.issue_id === caseIssueId,
      reply: row.by_email
        ? {
            subject: row.subject ?? '',
            isVerified: row.has_token,
            isShortened: row.is_shortened,
            attachments: row.attachments ?? [],
          }
        : null,
      drop: row.issue_id === null || row.title === null ? null : { id: row.issue_id, title: row.title },
      at: new Date(row.at).toISOString(),
      member: seesMembers ? { id: row.user_id, name: row.name ?? row.email ?? 'No address' } : null,
    })),
    nextCursor,
    mailbox: seesMembers && config.repliesMailbox ? await readMailbox(db) : null,
  }
}

async function readMailbox(db: Db): Promise<ReplyMailbox> {
  const [row] = await db.select().from(replyMailbox).orderBy(desc(replyMailbox.readAt)).limit(1)
  return {
    readAt: row?.readAt.toISOString() ?? null,
    automatic: row?.automatic ?? 0,
    others: row?.others ?? 0,
  }
}
