import { and, eq, gte, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { afterCursor, type Db, newestFirst, type Tx, toMicroseconds } from '#server/db/database.ts'
import { emailSearchPattern } from '#server/db/email-search.ts'
import { suppressions, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, aboutAddress, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { createdBy, displayName, editorLabel } from '#server/features/identity/auth/security/editor.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import { deleteRetainedSuppressions } from '#server/mail/retained-suppressions.ts'
import type {
  adminLiftSuppressionCall,
  adminSuppressCall,
  adminSuppressionsCall,
  Suppression,
} from '#shared/contracts/publishing/deliverability.ts'
import { dayMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'

const defaultPageSize = 50
const bounceReasons = ['hard_bounce', 'soft_bounces']
/** Creation time in microseconds since 1970, and id. */
const position = z.tuple([z.string().regex(/^\d{1,17}$/), z.number().int().positive()])

/** Name of the newsletter whose stream a suppression stops, if the publisher added it. */
export const newsletterNameSql = sql<
  string | null
>`(select n.name from newsletter n where ${suppressions.stream} = 'newsletter:' || n.id)`

const columns = {
  row: suppressions,
  userId: users.id,
  newsletter: newsletterNameSql,
  createdBy: editorLabel(suppressions.createdBy, suppressions.createdById),
  liftedBy: editorLabel(suppressions.liftedBy, suppressions.liftedById),
  createdAtMicros: toMicroseconds(suppressions.createdAt),
}

const select = (db: Db | Tx) =>
  db.select(columns).from(suppressions).leftJoin(users, eq(users.email, suppressions.email)).$dynamic()

/** Newest first, with keyset pagination in the order of `suppressions_created_at_idx`. */
export async function listSuppressions(
  db: Db,
  now: Date,
  {
    search,
    reason,
    stream,
    days,
    lifted = false,
    cursor,
    limit = defaultPageSize,
  }: z.output<typeof adminSuppressionsCall.input>,
): Promise<z.input<typeof adminSuppressionsCall.output>> {
  const conditions: (SQL | undefined)[] = [
    lifted ? undefined : isNull(suppressions.liftedAt),
    search ? sql`${suppressions.email} like ${emailSearchPattern(search)}` : undefined,
    reason ? inArray(suppressions.reason, reason === 'bounced' ? bounceReasons : [reason]) : undefined,
    days ? gte(suppressions.createdAt, new Date(now.getTime() - days * dayMs)) : undefined,
    stream ? eq(suppressions.stream, stream) : undefined,
    cursor ? before(decodeCursor(cursor, position)) : undefined,
  ]
  const rows = await select(db)
    .where(and(...conditions))
    .orderBy(...newestFirst(suppressions))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.createdAtMicros, last.row.id])
  return { items: page.map(asSuppression), nextCursor }
}

const before = ([micros, id]: z.output<typeof position>) => afterCursor(suppressions, micros, sql`${id}::bigint`)

type Row = {
  row: typeof suppressions.$inferSelect
  userId: string | null
  newsletter: string | null
  createdBy: string | null
  liftedBy: string | null
}

function asSuppression({
  row,
  userId,
  newsletter,
  createdBy: by,
  liftedBy,
}: Row): z.input<typeof adminSuppressCall.output> {
  return {
    id: row.id,
    email: row.email,
    userId,
    stream: row.stream as Suppression['stream'],
    newsletter,
    reason: row.reason as Suppression['reason'],
    detail: row.detail,
    createdAt: row.createdAt.toISOString(),
    createdBy: by,
    liftedAt: row.liftedAt?.toISOString() ?? null,
    liftedBy,
    liftReason: row.liftReason,
  }
}

type ListDeps = Pick<Deps, 'database' | 'clock' | 'secrets'>

/** Adds a suppression manually. @throws AppError already_suppressed */
export async function suppress(
  { database, clock }: ListDeps,
  who: Actor,
  { email, stream, reason, note }: z.output<typeof adminSuppressCall.input>,
) {
  return database.db.transaction(async (tx) => {
    const now = clock()
    const [added] = await tx
      .insert(suppressions)
      .values({
        email,
        stream,
        reason,
        detail: note || null,
        createdAt: now,
        ...createdBy(who),
      })
      .onConflictDoNothing()
      .returning({ id: suppressions.id })
    if (!added) throw new AppError('already_suppressed')
    const row = await readOne(tx, added.id)
    const about = await aboutAddress(tx, email)
    await recordAdminEvent(tx, who, { event: 'address_suppressed', about, note: describe(row), now })
    return row
  })
}

/** Stream and reason for the staff log, such as "all email, manual". */
const describe = ({ stream, newsletter, reason }: Pick<Suppression, 'stream' | 'newsletter' | 'reason'>) =>
  `${stream === 'all' ? 'all email' : (newsletter ?? stream)}, ${reason.replaceAll('_', ' ')}`

/** Marks the suppression as lifted and keeps the row as a record. @throws AppError not_found, suppression_already_removed */
export async function lift(
  deps: ListDeps,
  who: Actor,
  { id, reason }: z.output<typeof adminLiftSuppressionCall.input>,
) {
  const { database, clock } = deps
  return database.db.transaction(async (tx) => {
    const now = clock()
    const [lifted] = await tx
      .update(suppressions)
      .set({ liftedAt: now, liftedBy: displayName(who.name), liftedById: who.userId, liftReason: reason })
      .where(and(eq(suppressions.id, id), isNull(suppressions.liftedAt)))
      .returning({ id: suppressions.id })
    const row = await readOne(tx, id)
    if (!lifted) throw new AppError('suppression_already_removed')
    await deleteRetainedSuppressions(tx, deps, row.email, [row.stream])
    const about = await aboutAddress(tx, row.email)
    await recordAdminEvent(tx, who, { event: 'suppression_lifted', about, note: `${describe(row)}: ${reason}`, now })
    return row
  })
}

async function readOne(db: Db | Tx, id: number) {
  const [row] = await select(db).where(eq(suppressions.id, id))
  if (!row) throw new AppError('not_found')
  return asSuppression(row)
}
