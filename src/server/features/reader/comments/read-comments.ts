import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, fromMicroseconds, queryRows, type Tx } from '#server/db/database.ts'
import { isSupporter } from '#server/features/billing/subscriptions/access/read-access.ts'
import { renderComment } from '#server/features/library/content/render-markdown.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { Principal } from '#server/http/principal.ts'
import type { CommentItem, Comments, commentsCall, ReplyItem } from '#shared/contracts/reader/comments.ts'
import { editableUntil } from '#shared/domain/comments.ts'
import { optionLabel } from '#shared/domain/preferences.ts'
import { readTalk, type TalkDeps } from './talk-rules.ts'

type ReadDeps = Pick<TalkDeps, 'config' | 'clock'>

const defaultPageSize = 20
const position = z.tuple([z.int(), z.int(), z.int32(), z.string().regex(/^\d{1,17}$/), z.uuid()])
/** For answers whose author hasn't chosen a display name. */
export const nameless = 'A reader'

/** True if the author of `c` said of something in its drop that it worked. */
export const worked = sql`exists (select 1 from tries t join issue_sections i on i.id = t.item_id where t.user_id = c.user_id
          and t.kind = 'section' and i.issue_id = c.issue_id and t.outcome in ('worked', 'worked-with-changes'))`

/** Readers see visible answers, and their own in any state but deleted. */
const isShownTo = (userId: string) =>
  sql`(c.state = 'visible' or (c.state <> 'deleted' and c.user_id = ${userId}::uuid))`

/**
 * The answers under a drop: questions that the editor answered, the reader's trade, the most helpful, the newest. Deleted and
 * hidden ones keep their place while they have replies.
 * @throws AppError not_found, comments_closed
 */
export async function readComments(
  deps: ReadDeps & Pick<TalkDeps, 'database'>,
  who: Principal,
  { issueId, cursor, limit = defaultPageSize }: z.output<typeof commentsCall.input>,
): Promise<Comments> {
  const { db } = deps.database
  const { drop, own, mayPost, isPublic } = await readTalk(deps, db, who, issueId)
  const after = cursor ? decodeCursor(cursor, position) : null
  const found = await queryRows<{ id: string; answered: number; mine: number; helpful: number; micros: string }>(
    db,
    sql`select * from (
        select c.id, c.is_answered::int as answered, c.helpful, c.created_at,
          (extract(epoch from c.created_at) * 1000000)::bigint::text as micros,
          coalesce(p.franchise_type = (select franchise_type from user_preferences where user_id = ${who.userId}::uuid), false)::int as mine
        from comment c left join user_preferences p on p.user_id = c.user_id
        where c.issue_id = ${issueId} and c.parent_id is null and (${isShownTo(who.userId)}
          or exists (select 1 from comment r where r.parent_id = c.id and r.state = 'visible'))
      ) ranked ${after ? sql`where (answered, mine, helpful, created_at, id) < (${after[0]}::int, ${after[1]}::int, ${after[2]}::int, ${fromMicroseconds(after[3])}, ${after[4]}::uuid)` : sql``}
      order by answered desc, mine desc, helpful desc, created_at desc, id desc limit ${limit + 1}`,
  )
  const { page, nextCursor } = pageOf(found, limit, (last) => [
    ...[last.answered, last.mine, last.helpful],
    ...[last.micros, last.id],
  ])
  const [total] = await queryRows<{ count: number }>(
    db,
    sql`select count(*)::int as count from comment where issue_id = ${issueId} and state = 'visible'`,
  )
  const ids = page.map(({ id }) => id)
  return {
    drop: { title: drop.title, path: isPublic ? `/drops/${drop.slug}` : `/portal/weekly-drops/${drop.slug}` },
    canPost: mayPost,
    hasName: own !== null,
    count: total?.count ?? 0,
    items: await readItems(deps, db, who, ids),
    nextCursor,
  }
}

type Row = Omit<ReplyItem, 'html' | 'source' | 'author' | 'at'> & ReplyItem['author'] & { text: string; micros: string }

/** Answers by id, in that order, with their replies, the oldest first. */
export async function readItems(
  deps: ReadDeps,
  db: Db | Tx,
  { userId }: Pick<Principal, 'userId'>,
  ids: readonly string[],
): Promise<CommentItem[]> {
  const given = sql`${sql.param(`{${ids.join(',')}}`)}::uuid[]`
  const rows = await queryRows<Row>(
    db,
    sql`select c.id, c.parent_id as "parentId", c.state, c.text, coalesce(a.name, ${nameless}) as name, p.franchise_type as trade,
        (select count(*)::int from business_location b where b.user_id = coalesce(s.owner_id, c.user_id)) as stores,
        ${worked} as worked, ${isSupporter(deps.config, sql`c.user_id`, deps.clock())} as "isSupporter",
        c.is_editor as "isEditor", coalesce(c.user_id = ${userId}::uuid, false) as "isOwn", c.is_question as "isQuestion",
        c.is_answered as "isAnswered", m.user_id is not null as "isHelpful", c.helpful, c.edited_at is not null as "isEdited",
        (extract(epoch from c.created_at) * 1000000)::bigint::text as micros
      from (select id from unnest(${given}) as asked (id)
        union all select c.id from comment c where c.parent_id = any(${given}) and ${isShownTo(userId)}) wanted
      join comment c on c.id = wanted.id
      left join comment_author a on a.user_id = c.user_id
      left join user_preferences p on p.user_id = c.user_id
      left join team_seat s on s.user_id = c.user_id
      left join comment_mark m on m.comment_id = c.id and m.user_id = ${userId}::uuid and m.kind = 'helpful'
      order by c.created_at, c.id`,
  )
  const items = rows.map((row) => toItem(deps, row))
  const replies = Map.groupBy(items, ({ parentId }) => parentId)
  return ids.flatMap((wanted) =>
    items.flatMap((item) => (item.id === wanted ? { ...item, replies: replies.get(wanted) ?? [] } : [])),
  )
}

function toItem({ config, clock }: ReadDeps, row: Row): ReplyItem {
  const { text, name, trade, stores, worked, isSupporter: supports, micros, ...rest } = row
  const createdAt = new Date(Number(micros) / 1000)
  const label = trade && optionLabel(config.settings.publication, 'franchiseType', trade)
  const isShown = row.state === 'visible' || (row.isOwn && row.state !== 'deleted')
  return {
    ...rest,
    html: isShown ? renderComment(text) : '',
    source: isShown && row.isOwn && clock() < editableUntil(createdAt) ? text : '',
    author: isShown
      ? { name, trade: label, stores, worked, isSupporter: supports && !row.isEditor }
      : { name: '', trade: null, stores: 0, worked: false, isSupporter: false },
    isOwn: isShown && row.isOwn,
    at: createdAt.toISOString(),
  }
}
