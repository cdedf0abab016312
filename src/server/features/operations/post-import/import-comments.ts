import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { queryRows, type Tx } from '#server/db/database.ts'
import { comment, commentAuthor, importedPosts } from '#server/db/schema/index.ts'
import type { CommentState } from '#shared/contracts/reader/comments.ts'
import { formatCount } from '#shared/domain/format-count.ts'

/** A reader's comment on a post at the source. */
export type SourceComment = {
  id: string
  /** The comment that it replies to. */
  parentId: string | null
  /** Both empty if the file doesn't have the person. */
  email: string
  name: string
  state: Extract<CommentState, 'visible' | 'hidden' | 'deleted'>
  /** Markdown without images. */
  text: string
  createdAt: Date
  editedAt: Date | null
}

type Target = { source: string; sourceId: string; documentId: string; now: Date }

/**
 * Stores the comments on a post as answers under its drop, once for each post: what members delete later isn't brought back.
 * @returns notes about them
 */
export async function importComments(
  tx: Tx,
  { source, sourceId, documentId, now }: Target,
  comments: readonly SourceComment[],
): Promise<string[]> {
  if (comments.length === 0) return []
  const isFirst = await tx
    .update(importedPosts)
    .set({ commentsAt: now })
    .where(
      and(eq(importedPosts.source, source), eq(importedPosts.sourceId, sourceId), isNull(importedPosts.commentsAt)),
    )
    .returning({ id: importedPosts.sourceId })
  if (isFirst.length === 0) return ['Its answers were imported before']
  const accounts = await findAccounts(tx, [...new Set(comments.map(({ email }) => email))])
  const byId = new Map(comments.map((each) => [each.id, each]))
  /** The answer above a reply to a reply is the one above both. Null if it isn't in the file. */
  const topOf = ({ parentId }: SourceComment): string | null => {
    const parent = byId.get(parentId ?? '')
    const top = parent?.parentId ? byId.get(parent.parentId) : parent
    return top?.parentId === null ? top.id : null
  }
  const [orphans, attached] = partition([...byId.values()], (each) => each.parentId !== null && topOf(each) === null)
  const replied = new Set(attached.flatMap((each) => (each.state === 'deleted' ? [] : (topOf(each) ?? []))))
  const [gone, kept] = partition(attached, ({ id, state }) => state === 'deleted' && !replied.has(id))
  const known = new Set(kept.map(({ id }) => id))
  const ids = new Map(kept.map(({ id }) => [id, randomUUID()]))
  const rows = kept
    .filter((each) => each.parentId === null || known.has(topOf(each) ?? ''))
    .map((each) => ({
      ...{ id: ids.get(each.id) ?? '', issueId: documentId, parentId: ids.get(topOf(each) ?? '') ?? null },
      userId: each.state === 'deleted' ? null : (accounts.get(each.email) ?? null),
      text: each.state === 'deleted' ? '' : each.text,
      ...{ state: each.state, createdAt: each.createdAt, publishedAt: each.createdAt, editedAt: each.editedAt },
      toldAt: now,
    }))
  const batch = 1_000
  for (let at = 0; at < rows.length; at += batch) await tx.insert(comment).values(rows.slice(at, at + batch))
  const names = new Map(kept.flatMap(({ email, name }) => (accounts.has(email) && name ? [[email, name]] : [])))
  const authors = [...names].map(([email, name]) => ({ userId: accounts.get(email) ?? '', name, chosenAt: now }))
  if (authors.length > 0) await tx.insert(commentAuthor).values(authors).onConflictDoNothing()
  const without = rows.filter(({ userId, state }) => userId === null && state !== 'deleted').length
  const leftOut = (count: number, why: string) =>
    count > 0 ? [`Left out: ${formatCount(count, 'answer')} ${why}`] : []
  return [
    `Imported ${formatCount(rows.length, 'answer')}, replies included`,
    ...(without > 0
      ? [
          `By people without a confirmed or imported account here, shown as “A reader”: ${formatCount(without, 'answer')}`,
        ]
      : []),
    ...leftOut(gone.length, 'deleted at the source'),
    ...leftOut(orphans.length, 'to something that isn’t in the file'),
  ]
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  const { yes = [], no = [] } = Object.groupBy(items, (item) => (test(item) ? 'yes' : 'no'))
  return [yes, no]
}

/** Accounts by address. One that signed up with an address without confirming it may be someone else's. */
async function findAccounts(tx: Tx, emails: readonly string[]): Promise<Map<string, string>> {
  const rows = await queryRows<{ id: string; email: string }>(
    tx,
    sql`select u.id, u.email from auth.users u join jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb) as given (email)
        on u.email = given.email
      where u.deleted_at is null and u.is_sso_user = false and (u.email_confirmed_at is not null or u.created_by_admin)`,
  )
  return new Map(rows.map(({ id, email }) => [email, id]))
}
