import { eq, lt, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import { notOnHold } from '#server/db/restore-hold.ts'
import {
  emailPreferences,
  series,
  seriesEntry,
  webhookAttempts,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { listAdminEmails } from '#server/features/identity/auth/users/list-admin-emails.ts'
import { readApiDrop, readApiMailing } from '#server/features/operations/api-keys/api-content.ts'
import { readApiAccess, readApiMember } from '#server/features/operations/api-keys/api-members.ts'
import { readSubscriptions } from '#server/features/publishing/newsletters/subscriptions.ts'
import { emailJob } from '#server/jobs/email-job.ts'
import { webhookDisabledEmail } from '#server/mail/texts/publisher-emails.ts'
import { hourMs, minuteMs } from '#shared/domain/durations.ts'
import { AppError } from '#shared/errors.ts'
import { secretPurpose } from './manage-webhooks.ts'
import { postWebhook, signatureHeaders, type WebhookAnswer } from './send-webhook.ts'

type DataDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>

/**
 * The subject of an event as of now, in the shapes of the public API. Only the id is left of a subject that is gone
 * since, so that no personal data outlives an account here.
 */
async function readEventData(deps: DataDeps, { type, subject }: { type: string; subject: string }) {
  try {
    return await readPresent(deps, type, subject)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return { id: subject }
    throw error
  }
}

async function readPresent(deps: DataDeps, type: string, subject: string): Promise<object> {
  const { db } = deps.database
  if (type === 'member.deleted') return { id: subject }
  if (type === 'series.step_reached') return readSeriesStep(deps, subject)
  if (type === 'member.unsubscribed') {
    const member = await readApiMember(deps, subject)
    const [chosen] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, subject))
    const newsletters = (await readSubscriptions(db, subject)).filter(({ wasAsked }) => wasAsked)
    return {
      ...member,
      emailPreferences: {
        drops: chosen?.drops ?? 'weekly',
        news: chosen?.news ?? true,
        newsletters: newsletters.map(({ id, name, subscribed }) => ({ id, name, subscribed })),
      },
    }
  }
  if (type.startsWith('member.')) return readApiMember(deps, subject)
  if (type.startsWith('subscription.')) return readApiAccess(deps, subject)
  if (type === 'drop.published') {
    const { sections, intro, closing, ...drop } = await readApiDrop(deps, subject)
    return drop
  }
  return readApiMailing(deps, subject)
}

/** @param subject ids of the entry and the step. @throws AppError not_found */
async function readSeriesStep(deps: DataDeps, subject: string) {
  const [entryId, stepId] = subject.split(':')
  const [found] = await deps.database.db
    .select({ id: series.id, name: series.name, userId: seriesEntry.userId })
    .from(seriesEntry)
    .innerJoin(series, eq(series.id, seriesEntry.seriesId))
    .where(eq(seriesEntry.id, Number(entryId)))
  if (!found) throw new AppError('not_found')
  const { userId, ...of } = found
  return { series: { ...of, stepId }, member: await readApiMember(deps, userId) }
}

export type DeliverDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>

/** Waits after each failed attempt: about a day and a half in all. */
export const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 5 * hourMs, 10 * hourMs, 18 * hourMs]
const maxAttempts = retryDelaysMs.length + 1
/** After a crash between claiming and recording, another node tries again. Longer than an attempt takes. */
const leaseMs = 2 * minuteMs
const batchSize = 20
/** How long the job runs at most; it is started every minute. */
const maxRunMs = 50_000
const retentionMs = 30 * 24 * hourMs

const claimedSchema = z.object({
  id: z.coerce.number(),
  attempts: z.coerce.number(),
  eventId: z.uuid(),
  type: z.string(),
  subject: z.string(),
  createdAt: z.coerce.date(),
  endpointId: z.uuid(),
  url: z.string(),
  sealedSecret: z.string(),
  formerSealedSecret: z.string().nullable(),
  formerSecretUntil: z.coerce.date().nullable(),
})
type Claimed = z.output<typeof claimedSchema>

/** Sends what is due, in batches, until nothing is left or the time is up. */
export async function deliverWebhooks(deps: DeliverDeps): Promise<void> {
  const startedAt = performance.now()
  for (;;) {
    const batch = await claimBatch(deps)
    await Promise.all(batch.map((delivery) => attempt(deps, delivery)))
    if (batch.length < batchSize || performance.now() - startedAt > maxRunMs) return
  }
}

/** Claims due deliveries by moving their time into the future, so that a crash loses none. */
async function claimBatch({ database, clock }: DeliverDeps): Promise<Claimed[]> {
  const now = clock()
  const leased = new Date(now.getTime() + leaseMs)
  const rows = await queryRows(
    database.db,
    sql`with claimed as (
        update webhook_deliveries set attempts = attempts + 1, next_attempt_at = ${leased.toISOString()}::timestamptz
        where id in (
          select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
          where d.status = 'pending' and d.next_attempt_at <= ${now.toISOString()}::timestamptz and e.disabled_at is null
            and ${notOnHold}
          order by d.next_attempt_at, d.id limit ${batchSize} for update of d skip locked)
        returning id, attempts, event_id, endpoint_id)
      select c.id, c.attempts, c.event_id as "eventId", v.type, v.subject, v.created_at as "createdAt",
        c.endpoint_id as "endpointId", e.url, e.sealed_secret as "sealedSecret",
        e.former_sealed_secret as "formerSealedSecret", e.former_secret_until as "formerSecretUntil"
      from claimed c join webhook_events v on v.id = c.event_id join webhook_endpoints e on e.id = c.endpoint_id
      order by c.id`,
  )
  return z.array(claimedSchema).parse(rows)
}

async function attempt(deps: DeliverDeps, delivery: Claimed): Promise<void> {
  const at = deps.clock()
  const { eventId: id, type, createdAt } = delivery
  const data = await readEventData(deps, delivery)
  const body = JSON.stringify({ type, timestamp: createdAt.toISOString(), data })
  const { sealedSecret, formerSealedSecret, formerSecretUntil } = delivery
  const isFormerValid = formerSecretUntil !== null && formerSecretUntil > at
  const sealed = [sealedSecret, ...(formerSealedSecret && isFormerValid ? [formerSealedSecret] : [])]
  const secrets = sealed.map((each) => deps.secrets.open(secretPurpose, each))
  const startedAt = performance.now()
  const answer = await postWebhook(deps.config, delivery.url, {
    body,
    headers: signatureHeaders(secrets, { id, at, body }),
  })
  await record(deps, delivery, answer, { at, durationMs: Math.round(performance.now() - startedAt) })
}

async function record(
  deps: DeliverDeps,
  { id, attempts, endpointId }: Claimed,
  answer: WebhookAnswer,
  { at, durationMs }: { at: Date; durationMs: number },
): Promise<void> {
  const { status } = answer
  const hasSucceeded = status !== null && status >= 200 && status < 300
  const isGone = status === 410
  const isLast = isGone || attempts >= maxAttempts
  const next = hasSucceeded
    ? { status: 'succeeded', nextAttemptAt: null }
    : isLast
      ? { status: 'failed', nextAttemptAt: null }
      : { status: 'pending', nextAttemptAt: new Date(at.getTime() + (retryDelaysMs[attempts - 1] ?? hourMs)) }
  await deps.database.db.transaction(async (tx) => {
    const [known] = await tx
      .update(webhookDeliveries)
      .set(next)
      .where(eq(webhookDeliveries.id, id))
      .returning({ id: webhookDeliveries.id })
    // Deleted meanwhile, with its endpoint or member.
    if (!known) return
    await tx.insert(webhookAttempts).values({ deliveryId: id, at, durationMs, ...answer })
    if (hasSucceeded || !isLast) return
    const reason = isGone ? 'gone' : 'failures'
    const [disabled] = await tx
      .update(webhookEndpoints)
      .set({ disabledAt: at, disabledReason: reason })
      .where(sql`${webhookEndpoints.id} = ${endpointId}::uuid and ${webhookEndpoints.disabledAt} is null`)
      .returning()
    if (!disabled) return
    await recordAdminEvent(
      tx,
      { userId: '', email: 'automatic' },
      {
        event: 'webhook_disabled',
        object: { kind: 'webhook', id: endpointId, name: disabled.url },
        changes: [{ field: 'enabled', before: 'true', after: 'false' }],
        now: at,
      },
    )
    const { config } = deps
    for (const to of await listAdminEmails(tx, at)) {
      await deps.enqueue(tx, emailJob, webhookDisabledEmail({ to, url: disabled.url, reason, config }))
    }
  })
}

/** Deletes events and their log after a month, and secrets that no longer sign. */
export async function purgeWebhookEvents({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  const now = clock()
  await database.db.delete(webhookEvents).where(lt(webhookEvents.createdAt, new Date(now.getTime() - retentionMs)))
  await database.db
    .update(webhookEndpoints)
    .set({ formerSealedSecret: null, formerSecretUntil: null })
    .where(lte(webhookEndpoints.formerSecretUntil, now))
}
