import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows, type Tx } from '#server/db/database.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import type { PushKind } from '#shared/domain/push.ts'

/** What a device shows. A later note with the same tag takes the place of an earlier one. */
const noteSchema = z.object({ title: z.string(), body: z.string(), path: z.string(), tag: z.string() })
export type PushNote = z.output<typeof noteSchema>

/** Sends a note to one device; `deliver-push.ts` runs it. */
export const pushJob = {
  name: 'send-push',
  payload: z.object({
    deviceId: z.uuid(),
    note: noteSchema,
    expiresAt: z.iso.datetime(),
    attempt: z.int(),
    notBefore: z.iso.datetime().nullable(),
  }),
  startOf: ({ notBefore }: { notBefore: string | null }) => (notBefore === null ? null : new Date(notBefore)),
  retryLimit: 3,
  parallel: 5,
}

const batchSize = 500

/**
 * Tells the devices of a person that chose the kind, in the transaction that makes it necessary; with null, those of
 * everyone. Does nothing for people without access.
 */
export async function sendPush(
  { config, clock, enqueue }: Pick<Deps, 'config' | 'clock' | 'enqueue'>,
  tx: Tx,
  userId: string | null,
  kind: PushKind,
  { expiresAt, ...note }: PushNote & { expiresAt: Date },
): Promise<void> {
  if (config.push.kind === 'off') return
  const { joins, entitled } = accessSql(config, sql`u`, clock())
  const devices = await queryRows<{ id: string }>(
    tx,
    sql`select s.id from push_subscription s join auth.users u on u.id = s.user_id ${joins}
      where ${kind} = any(s.kinds) and ${entitled} ${userId === null ? sql`` : sql`and s.user_id = ${userId}::uuid`}
      order by s.id`,
  )
  const jobs = devices.map(({ id }) => ({
    ...{ deviceId: id, note, expiresAt: expiresAt.toISOString() },
    ...{ attempt: 1, notBefore: null },
  }))
  for (let at = 0; at < jobs.length; at += batchSize) await enqueue(tx, pushJob, ...jobs.slice(at, at + batchSize))
}
