import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import { deliveries } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { readViewFilters } from '#server/features/publishing/segments/views.ts'
import type { PreviewedMember } from '#shared/contracts/publishing/mailing-preview.ts'
import { deliveryCauses } from '#shared/contracts/publishing/newsletter.ts'
import { audienceSql } from '../sending/audience-sql.ts'
import type { FullMailing } from '../sending/mailing-row.ts'

const causeSchema = z.enum(Object.keys(deliveryCauses) as [keyof typeof deliveryCauses]).nullable()
const rowsSchema = z.array(z.object({ cause: causeSchema }))

/** Says whether a member gets a mailing, from its deliveries or, before preparation, from the current audience. */
export async function readMember(
  { config, database, clock }: Pick<Deps, 'config' | 'database' | 'clock'>,
  mailing: Pick<FullMailing, 'id' | 'kind' | 'issueId' | 'audience' | 'preparedAt'>,
  userId: string,
): Promise<PreviewedMember> {
  const { db } = database
  if (mailing.preparedAt) {
    const [delivery] = await db
      .select({ status: deliveries.status, cause: deliveries.cause })
      .from(deliveries)
      .where(and(eq(deliveries.mailingId, mailing.id), eq(deliveries.userId, userId)))
    const receives = delivery !== undefined && delivery.status !== 'suppressed'
    return { receives, cause: receives ? null : causeSchema.parse(delivery?.cause ?? null) }
  }
  const { joins, where, cause } = audienceSql(
    config,
    mailing,
    clock(),
    await readViewFilters(db, mailing.audience.viewIds),
  )
  const rows = await queryRows(
    db,
    sql`select ${cause} as cause from auth.users u ${joins} where ${where} and u.id = ${userId}::uuid`,
  )
  const [row] = rowsSchema.parse(rows)
  return { receives: row?.cause === null, cause: row?.cause ?? null }
}
