import { randomBytes } from 'node:crypto'
import { isIP } from 'node:net'
import { and, asc, desc, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Config } from '#server/config/config.ts'
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { lockOwners } from '#server/features/identity/auth/users/staff-roles.ts'
import { decodeCursor, pageOf } from '#server/http/cursor.ts'
import type { Caller } from '#server/http/principal.ts'
import { isAllowedAddress } from '#server/http/public-address.ts'
import {
  type adminSaveWebhookCall,
  secretOverlapHours,
  type Webhook,
  type WebhookDelivery,
  webhookEventNames,
} from '#shared/contracts/operations/outgoing-webhooks.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { AppError } from '#shared/errors.ts'

type WebhookDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>
type EndpointRow = typeof webhookEndpoints.$inferSelect

export const secretPurpose = 'outgoing webhook'
const defaultPageSize = 25
const maxEndpoints = 20

const eventsOf = ({ events }: Pick<EndpointRow, 'events'>) => webhookEventNames.filter((name) => events.includes(name))

const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export async function listWebhooks({ database: { db }, clock }: WebhookDeps): Promise<{ items: Webhook[] }> {
  const rows = await db
    .select()
    .from(webhookEndpoints)
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id))
  const now = clock()
  return {
    items: rows.map((row) => ({
      id: row.id,
      url: row.url,
      events: eventsOf(row),
      createdAt: row.createdAt.toISOString(),
      enabled: row.disabledAt === null,
      disabledReason: row.disabledReason === 'failures' || row.disabledReason === 'gone' ? row.disabledReason : null,
      formerSecretUntil:
        row.formerSecretUntil && row.formerSecretUntil > now ? row.formerSecretUntil.toISOString() : null,
    })),
  }
}

/** Names that only the machine or its local network resolves. */
const privateNames = /(^|\.)(localhost|local|internal|home\.arpa)$/

/** https and a public address; loopback also over http where the configuration allows it. */
function requireAllowedUrl(config: Config, given: string): string {
  const refuse = (message: string) => new AppError('validation_failed', { message })
  if (!URL.canParse(given)) throw refuse('Enter a full address, such as https://example.com/hooks')
  const url = new URL(given)
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isLoopback = host === 'localhost' || host === '127.0.0.1' || host === '::1'
  if (isLoopback && config.webhooksAllowLoopback) return url.href
  if (url.protocol !== 'https:') throw refuse('Enter an address that starts with https://')
  if (url.username || url.password) throw refuse('Leave the password out of the address')
  const isPrivate = isIP(host) ? !isAllowedAddress(config, host) : privateNames.test(host) || !host.includes('.')
  if (isLoopback || isPrivate) {
    throw refuse('This address is in a private network')
  }
  return url.href
}

/** @throws AppError not_found; validation_failed for the address, a duplicate, or too many endpoints */
export async function saveWebhook(
  deps: WebhookDeps,
  who: Caller,
  { id: given, url: givenUrl, events, enabled }: z.output<typeof adminSaveWebhookCall.input>,
) {
  const url = requireAllowedUrl(deps.config, givenUrl)
  const now = deps.clock()
  const wanted = { url, events: webhookEventNames.filter((name) => events.includes(name)) }
  return deps.database.db.transaction(async (tx) => {
    await lockOwners(tx)
    const existing = await tx.select().from(webhookEndpoints).orderBy(asc(webhookEndpoints.id)).for('update')
    const before = existing.find(({ id }) => id === given)
    if (given && !before) throw new AppError('not_found')
    if (!given && existing.length >= maxEndpoints) {
      throw new AppError('validation_failed', { message: `You can have up to ${maxEndpoints} webhooks` })
    }
    // A second submit creates no second endpoint, which would get every event twice.
    if (!given && existing.some((row) => row.url === url && row.events.join() === wanted.events.join())) {
      throw new AppError('validation_failed', {
        message: 'You already have a webhook with this address and these events',
      })
    }
    const id = given ?? crypto.randomUUID()
    const disabledAt = enabled ? null : (before?.disabledAt ?? now)
    const secret = before ? null : newSecret()
    if (secret) {
      const sealedSecret = deps.secrets.seal(secretPurpose, secret)
      await tx.insert(webhookEndpoints).values({ id, ...wanted, sealedSecret, createdAt: now, disabledAt })
    } else {
      const disabledReason = enabled ? null : before?.disabledReason
      await tx
        .update(webhookEndpoints)
        .set({ ...wanted, disabledAt, disabledReason })
        .where(eq(webhookEndpoints.id, id))
    }
    const facts = (row: { url: string; events: string[]; disabledAt: Date | null }) => ({
      url: row.url,
      events: row.events,
      enabled: row.disabledAt === null,
    })
    await recordAdminEvent(tx, who, {
      event: before ? 'webhook_changed' : 'webhook_created',
      object: { kind: 'webhook', id, name: url },
      changes: changesBetween(before ? facts(before) : {}, facts({ ...wanted, disabledAt })),
      now,
    })
    return { id, secret }
  })
}

/** @throws AppError not_found */
export async function rotateWebhookSecret(deps: WebhookDeps, who: Caller, id: string) {
  const now = deps.clock()
  const secret = newSecret()
  const formerSecretUntil = new Date(now.getTime() + secretOverlapHours * 60 * 60 * 1000)
  await deps.database.db.transaction(async (tx) => {
    const [row] = await tx
      .update(webhookEndpoints)
      .set({
        formerSealedSecret: sql`${webhookEndpoints.sealedSecret}`,
        formerSecretUntil,
        sealedSecret: deps.secrets.seal(secretPurpose, secret),
      })
      .where(eq(webhookEndpoints.id, id))
      .returning({ url: webhookEndpoints.url })
    if (!row) throw new AppError('not_found')
    await recordAdminEvent(tx, who, {
      event: 'webhook_secret_rotated',
      object: { kind: 'webhook', id, name: row.url },
      changes: [{ field: 'formerSecretUntil', before: null, after: formerSecretUntil.toISOString() }],
      now,
    })
  })
  return { secret, formerSecretUntil: formerSecretUntil.toISOString() }
}

/** @throws AppError not_found */
export async function deleteWebhook(deps: WebhookDeps, who: Caller, id: string) {
  await deps.database.db.transaction(async (tx) => {
    const [gone] = await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id)).returning()
    if (!gone) throw new AppError('not_found')
    await recordAdminEvent(tx, who, {
      event: 'webhook_deleted',
      object: { kind: 'webhook', id, name: gone.url },
      changes: changesBetween({ url: gone.url, events: gone.events }, {}),
      now: deps.clock(),
    })
  })
  return {}
}

const positionSchema = z.tuple([z.number().int()])

/** Newest first, with the log of attempts. */
export async function listWebhookDeliveries(
  { database: { db } }: WebhookDeps,
  { id, cursor, limit = defaultPageSize }: { id: string; cursor?: string | null; limit?: number },
): Promise<{ items: WebhookDelivery[]; nextCursor: string | null }> {
  const [before] = cursor ? decodeCursor(cursor, positionSchema) : []
  const rows = await db
    .select({ delivery: webhookDeliveries, event: webhookEvents })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .where(and(eq(webhookDeliveries.endpointId, id), before ? lt(webhookDeliveries.id, before) : undefined))
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit + 1)
  const { page, nextCursor } = pageOf(rows, limit, (last) => [last.delivery.id])
  const ids = page.map(({ delivery }) => delivery.id)
  const log = ids.length
    ? await db
        .select()
        .from(webhookAttempts)
        .where(inArray(webhookAttempts.deliveryId, ids))
        .orderBy(desc(webhookAttempts.id))
    : []
  return {
    items: page.map(({ delivery, event }) => ({
      id: String(delivery.id),
      eventId: event.id,
      type: event.type,
      createdAt: event.createdAt.toISOString(),
      status: delivery.status as WebhookDelivery['status'],
      attempts: delivery.attempts,
      nextAttemptAt: delivery.status === 'pending' ? (delivery.nextAttemptAt?.toISOString() ?? null) : null,
      log: log
        .filter(({ deliveryId }) => deliveryId === delivery.id)
        .map(({ at, status, excerpt, durationMs }) => ({ at: at.toISOString(), status, excerpt, durationMs })),
    })),
    nextCursor,
  }
}

/**
 * A second click, or one in another tab, changes nothing: the event is waiting already.
 * @throws AppError not_found
 */
export async function replayWebhook(deps: WebhookDeps, who: Caller, deliveryId: string) {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const [delivery] = await tx
      .update(webhookDeliveries)
      .set({ status: 'pending', attempts: 0, nextAttemptAt: now })
      .where(and(eq(webhookDeliveries.id, Number(deliveryId)), ne(webhookDeliveries.status, 'pending')))
      .returning()
    if (!delivery) {
      const isWaiting = (await tx.$count(webhookDeliveries, eq(webhookDeliveries.id, Number(deliveryId)))) > 0
      if (isWaiting) return
      throw new AppError('not_found')
    }
    const [event] = await tx.select().from(webhookEvents).where(eq(webhookEvents.id, delivery.eventId))
    const [endpoint] = await tx.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, delivery.endpointId))
    await recordAdminEvent(tx, who, {
      event: 'webhook_replayed',
      object: { kind: 'webhook', id: delivery.endpointId, name: endpoint?.url ?? '' },
      note: `${event?.type}, ${delivery.eventId}`,
      now,
    })
  })
  return {}
}
