import { eq } from 'drizzle-orm'
import { z } from 'zod'
import { billingCustomer, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { TimelineEntry, TimelineKind } from '#shared/contracts/operations/member-page.ts'
import { AppError } from '#shared/errors.ts'
import { type Position, readSource, type SourceRow, type TimelineMember } from './timeline-source.ts'
import { timelineSources } from './timeline-sources.ts'

const defaultPageSize = 40

type TimelineQuery = {
  userId: string
  kind?: TimelineKind | null
  cursor?: string | null
  limit?: number
  seesMoney: boolean
}

/**
 * Merges one keyset page of each table. A page reads at most `limit` rows of each, so it costs the same for a member with
 * ten events and one with ten thousand.
 * @throws AppError not_found, validation_failed for an invalid cursor
 */
export async function readTimeline(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  { userId, kind = null, cursor, limit = defaultPageSize, seesMoney }: TimelineQuery,
): Promise<{ items: TimelineEntry[]; nextCursor: string | null }> {
  const position = cursor ? parseCursor(cursor) : null
  const member = await requireMember(database, userId)
  const { publication } = config.settings
  const context = { member, publication, seesMoney, now: clock() }
  const pages = await Promise.all(
    timelineSources.map((source, index) =>
      kind && !source.kinds.includes(kind)
        ? []
        : readSource(database.db, source, { index, context, position, kind, limit: limit + 1 }),
    ),
  )
  // Sorting is stable, and each source is in its own order.
  const rows = pages.flat().toSorted((a, b) => newerFirst(a.row, b.row) || a.source - b.source)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.row.micros, last.source, last.row.id])
  return { items: page.flatMap(({ entry }) => entry ?? []), nextCursor }
}

const newerFirst = (a: SourceRow, b: SourceRow) => {
  const difference = BigInt(b.micros) - BigInt(a.micros)
  return difference > 0n ? 1 : difference < 0n ? -1 : 0
}

const positionSchema = z.tuple([
  z.string().regex(/^\d{1,17}$/),
  z
    .number()
    .int()
    .min(0)
    .max(timelineSources.length - 1),
  z.string().max(200),
])

function parseCursor(cursor: string): Position {
  const [micros, source, id] = decodeCursor(cursor, positionSchema)
  if (!timelineSources[source]?.id.test(id)) throw new AppError('validation_failed', { message: 'cursor: not valid' })
  return { micros, source, id }
}

async function requireMember({ db }: Deps['database'], userId: string): Promise<TimelineMember> {
  const [user] = await db
    .select({
      email: users.email,
      createdAt: users.createdAt,
      deletedAt: users.deletedAt,
      customerId: billingCustomer.stripeCustomerId,
    })
    .from(users)
    .leftJoin(billingCustomer, eq(billingCustomer.userId, users.id))
    .where(eq(users.id, userId))
  if (!user || user.deletedAt) throw new AppError('not_found')
  return { userId, email: user.email ?? '', createdAt: user.createdAt, customerId: user.customerId }
}
