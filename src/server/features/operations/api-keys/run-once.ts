import { createHash } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { apiRequests } from '#server/db/schema/index.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#shared/errors.ts'

/** How long an answer is repeated. */
const retentionMs = 24 * 60 * 60 * 1000
/** A request that took longer has died; its key may be used again. Allows for nodes whose clocks differ by two minutes. */
const abandonedMs = 3 * 60_000

type Request = { keyId: string; idempotencyKey: string; fingerprint: string }

/**
 * Runs a write once for each `Idempotency-Key`: a repeated request gets the first answer again. Failures aren't kept, so
 * that they can be tried again.
 * @throws AppError idempotency_key_reused for another request, conflict while the first is running
 */
export async function runOnce(
  { database: { db }, clock }: Pick<Deps, 'database' | 'clock'>,
  { keyId, idempotencyKey, fingerprint }: Request,
  run: () => Promise<unknown>,
): Promise<unknown> {
  const now = clock()
  const requestHash = createHash('sha256').update(fingerprint).digest('hex')
  const mine = and(eq(apiRequests.keyId, keyId), eq(apiRequests.idempotencyKey, idempotencyKey))
  await db.delete(apiRequests).where(lt(apiRequests.createdAt, new Date(now.getTime() - retentionMs)))
  await db
    .delete(apiRequests)
    .where(and(mine, isNull(apiRequests.answer), lt(apiRequests.createdAt, new Date(now.getTime() - abandonedMs))))
  const [taken] = await db
    .insert(apiRequests)
    .values({ keyId, idempotencyKey, requestHash, createdAt: now })
    .onConflictDoNothing()
    .returning({ keyId: apiRequests.keyId })
  if (!taken) {
    const [first] = await db.select().from(apiRequests).where(mine)
    if (first && first.requestHash !== requestHash) throw new AppError('idempotency_key_reused')
    if (!first?.answer) throw new AppError('conflict')
    return first.answer
  }
  try {
    const answer = await run()
    await db.update(apiRequests).set({ answer }).where(mine)
    return answer
  } catch (error) {
    await db.delete(apiRequests).where(mine)
    throw error
  }
}
