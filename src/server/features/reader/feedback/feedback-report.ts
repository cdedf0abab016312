import { and, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Db, queryRows } from '#server/db/database.ts'
import { emailReplies, issues, pollVotes, questionAnswers } from '#server/db/schema/index.ts'
import type { AdminDropFeedback, AdminItemVotes, AdminPoll, ratedKinds } from '#shared/contracts/reader/feedback.ts'
import { pollClosesAt } from '#shared/domain/poll.ts'
import { countVotes } from './polls.ts'

const maxWhys = 20
const maxRatedItems = 50
const maxPolls = 10

/** Votes and answers about a drop. A drop that was deleted keeps its votes. */
export async function readAdminDropFeedback(db: Db, { issueId }: { issueId: string }): Promise<AdminDropFeedback> {
  const [drop] = await db
    .select({ question: issues.pollQuestion, answers: issues.pollAnswers, publishedAt: issues.publishedAt })
    .from(issues)
    .where(eq(issues.id, issueId))
  const votes = await countVotes(db, issueId)
  const offered = drop?.answers ?? []
  const former = [...votes.keys()].filter((text) => !offered.includes(text))
  const [rating] = await readRatings(db, sql`kind = 'issue' and item_id = ${issueId}`)
  return {
    poll:
      drop?.question || votes.size > 0
        ? {
            question: drop?.question || 'A poll that was removed',
            answers: [...offered, ...former].map((text) => ({
              text,
              votes: votes.get(text) ?? 0,
              isOffered: offered.includes(text),
            })),
            closesAt: drop?.publishedAt ? pollClosesAt(drop.publishedAt).toISOString() : null,
          }
        : null,
    rating: rating ? toRating(rating) : { useful: 0, notUseful: 0, whys: [] },
    answers: await db.$count(questionAnswers, eq(questionAnswers.issueId, issueId)),
    replies: await db.$count(emailReplies, eq(emailReplies.issueId, issueId)),
  }
}

/** Lists the newest polls with what readers can answer or have answered. */
export async function listPolls(db: Db): Promise<{ items: AdminPoll[] }> {
  const found = await db
    .select({ issueId: issues.id, question: issues.pollQuestion, offered: issues.pollAnswers })
    .from(issues)
    .where(and(ne(issues.pollQuestion, ''), isNotNull(issues.publishedAt)))
    .orderBy(desc(issues.publishedAt), desc(issues.id))
    .limit(maxPolls)
  const ids = found.map(({ issueId }) => issueId)
  const chosen = await db
    .selectDistinct({ issueId: pollVotes.issueId, answer: pollVotes.answer })
    .from(pollVotes)
    .where(inArray(pollVotes.issueId, ids))
    .orderBy(pollVotes.answer)
  const chosenIn = Map.groupBy(chosen, ({ issueId }) => issueId)
  return {
    items: found.map(({ issueId, question, offered }) => ({
      issueId,
      question,
      answers: [...new Set([...offered, ...(chosenIn.get(issueId) ?? []).map(({ answer }) => answer)])],
    })),
  }
}

export async function listItemVotes(db: Db): Promise<{ items: AdminItemVotes[] }> {
  const rows = await readRatings(db, sql`true`)
  return { items: rows.map((row) => ({ kind: row.kind, id: row.id, title: row.title, ...toRating(row) })) }
}

type RatingRow = {
  kind: (typeof ratedKinds)[number]
  id: string
  title: string
  useful: number
  not_useful: number
  whys: string | null
}

const readRatings = (db: Db, where: ReturnType<typeof sql>) =>
  queryRows<RatingRow>(
    db,
    sql`select v.kind, v.item_id as id, coalesce(i.title, v.item_id) as title, v.useful, v.not_useful,
        (select json_agg(json_build_object('useful', w.useful, 'why', w.why, 'at', w.at) order by w.at desc)::text
          from (select useful, why, at from item_votes
            where kind = v.kind and item_id = v.item_id and why <> '' order by at desc limit ${maxWhys}) as w) as whys
      from (
        select kind, item_id, (count(*) filter (where useful))::int as useful,
          (count(*) filter (where not useful))::int as not_useful, count(*) as total
        from item_votes where ${where} group by kind, item_id
      ) as v
      left join content_items i on i.kind = v.kind and i.id = v.item_id
      order by v.total desc, v.kind, v.item_id limit ${maxRatedItems}`,
  )

const whysSchema = z.array(z.object({ useful: z.boolean(), why: z.string(), at: z.coerce.date() }))

const toRating = ({ useful, not_useful: notUseful, whys }: RatingRow) => ({
  useful,
  notUseful,
  whys: whysSchema.parse(JSON.parse(whys ?? '[]')).map((why) => ({ ...why, at: why.at.toISOString() })),
})
