import { type SQL, sql } from 'drizzle-orm'
import { type Db, queryRows, type Tx } from '#server/db/database.ts'
import { commentWords } from '#server/features/library/content/render-markdown.ts'
import type { MailingContent } from '#shared/contracts/publishing/newsletter.ts'
import { canReadWhole, visitor } from '#shared/domain/open-sections.ts'
import type { Publication } from '#shared/publication-defaults.ts'
import { nameless, worked } from './read-comments.ts'
import { readTalkSettings } from './talk-rules.ts'

export type PublicAnswer = { id: string; name: string; text: string; isEditor: boolean; at: string }

/** Visible answers of people who aren't suspended, the most helpful first. `c` is the answer. */
const listShown = (db: Db | Tx, condition: SQL, limit: number) =>
  queryRows<PublicAnswer>(
    db,
    sql`select c.id, coalesce(a.name, ${nameless}) as name, c.text, c.is_editor as "isEditor", to_char(c.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at
      from comment c left join comment_author a on a.user_id = c.user_id left join auth.users u on u.id = c.user_id
      where c.state = 'visible' and c.parent_id is null and a.suspended_at is null and not coalesce(u.banned_until > now(), false) and ${condition}
      order by c.helpful desc, c.created_at desc, c.id desc limit ${limit}`,
  )

/** On a public page. */
const maxPublic = 5

/** The first answers under a drop that everyone can read in full; none under other drops. */
export const listPublicAnswers = (db: Db, slug: string): Promise<PublicAnswer[]> =>
  listShown(
    db,
    sql`c.issue_id = (select i.id from issues i where i.slug = ${slug} and i.published_at is not null and not exists (
      select 1 from issue_sections s where s.issue_id = i.id and not s.open_to_everyone))`,
    maxPublic,
  )

const maxBest = 3
const maxWords = 280

/** Up to three answers to the drop before, for the email of a drop, if the publisher chose so. */
export async function readBestAnswers(
  tx: Tx,
  { comments }: Publication,
  issueId: string,
): Promise<MailingContent['bestAnswers']> {
  if (comments === 'off' || !(await readTalkSettings(tx)).areInEmail) return undefined
  const [drop] = await queryRows<{ id: string; title: string; open: boolean[] }>(
    tx,
    sql`select b.id, b.title, array(select s.open_to_everyone from issue_sections s where s.issue_id = b.id) as open
      from issues b join issues i on i.id = ${issueId}
      where b.published_at is not null and (b.date, b.id) < (i.date, i.id) order by b.date desc, b.id desc limit 1`,
  )
  if (!drop) return undefined
  const isBest = sql`c.issue_id = ${drop.id} and not c.is_question and (c.helpful > 0 or ${worked})`
  const found = await listShown(tx, isBest, maxBest)
  if (found.length === 0) return undefined
  const cut = (words: string) => (words.length > maxWords ? `${words.slice(0, maxWords).trimEnd()}…` : words)
  return {
    title: drop.title,
    path: `/talk/${encodeURIComponent(drop.id)}`,
    isForEveryone:
      comments === 'readers' &&
      canReadWhole(
        visitor,
        drop.open.map((openToEveryone) => ({ openToEveryone })),
      ),
    answers: found.map(({ name, text }) => ({ name, words: cut(commentWords(text)) })),
  }
}
