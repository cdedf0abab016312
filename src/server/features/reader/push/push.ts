import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { queryRows, type Tx } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { pushSubscription } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { accessSql } from '#server/features/billing/subscriptions/access/read-access.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import type { Principal } from '#server/http/principal.ts'
import { isAllowedAddress } from '#server/http/public-address.ts'
import { RequestError, type RequestFailure, sendRequest } from '#server/http/send-request.ts'
import type { PushDevice, pushDeviceCall } from '#shared/contracts/reader/push.ts'
import { dayMs, hourMs, minuteMs } from '#shared/domain/durations.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { maxPushDevices, type PushKind, pushKinds, quietEnd } from '#shared/domain/push.ts'
import { AppError } from '#shared/errors.ts'
import { encryptPush, pushKeys, signPush } from './encrypt-push.ts'

type DeviceDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>

/** @throws AppError validation_failed for an endpoint that is no push service's */
export async function usePushDevice(
  deps: DeviceDeps,
  who: Pick<Principal, 'userId' | 'sessionId'>,
  { endpoint, save }: z.output<typeof pushDeviceCall.input>,
): Promise<PushDevice> {
  if (endpoint !== null && save) await saveDevice(deps, who, { endpoint, ...save })
  const rows = await deps.database.db
    .select({ kinds: pushSubscription.kinds, quiet: pushSubscription.quiet })
    .from(pushSubscription)
    .where(and(eq(pushSubscription.userId, who.userId), eq(pushSubscription.endpoint, endpoint ?? '')))
  const [device = null] = rows.map(({ kinds, quiet }) => ({
    kinds: pushKinds.filter((kind) => kinds.includes(kind)),
    quiet,
  }))
  return { publicKey: pushKeys(deps)?.publicKey ?? null, device }
}

type Saved = NonNullable<z.output<typeof pushDeviceCall.input>['save']> & { endpoint: string }

/**
 * The device belongs to the session from then on, and ends with it. Someone else's is replaced: the endpoint is secret, so
 * it is the same browser. The oldest device makes room for an eleventh.
 */
async function saveDevice(
  { config, database, clock }: DeviceDeps,
  { userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>,
  device: Saved,
): Promise<void> {
  const { protocol, username } = new URL(device.endpoint)
  // Addresses inside are refused when it is called, after the lookup.
  if (username !== '' || (protocol !== 'https:' && !config.webhooksAllowLoopback)) {
    throw new AppError('validation_failed', { message: 'This isn’t the address of a push service' })
  }
  const isThis = and(eq(pushSubscription.userId, userId), eq(pushSubscription.endpoint, device.endpoint))
  await database.db.transaction(async (tx) => {
    await lockUser(tx, userId)
    if (device.kinds.length === 0) return void (await tx.delete(pushSubscription).where(isThis))
    const row = { ...device, userId, sessionId }
    await tx
      .insert(pushSubscription)
      .values({ ...row, createdAt: clock() })
      .onConflictDoUpdate({ target: pushSubscription.endpoint, set: row })
    await tx.execute(sql`delete from push_subscription where user_id = ${userId}::uuid and id not in (
      select id from push_subscription where user_id = ${userId}::uuid
      order by endpoint = ${device.endpoint} desc, created_at desc limit ${maxPushDevices})`)
  })
}

/** What a device shows. A later note with the same tag takes the place of an earlier one. */
const noteSchema = z.object({ title: z.string(), body: z.string(), path: z.string(), tag: z.string() })
type PushNote = z.output<typeof noteSchema>

/** Sends a note to one device, as a job. */
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

type PushDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets' | 'enqueue'>

const timeoutMs = 10_000
/** After failures of a push service. */
const retryDelaysMs = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 6 * hourMs]
/** The subscription ended (RFC 8030, 7.3). A refused signature (401, 403) may be this server's wrong clock, so it only costs the note. */
const goneStatuses: readonly number[] = [404, 410]
/** Of endpoints that aren't those of a push service. */
const refusals: readonly RequestFailure[] = ['not_a_web_address', 'port', 'password', 'private_network']

type Device = { endpoint: string; p256dh: string; auth: string; quiet: boolean; timeZone: string | null }

/** Sends a note to a device whose session goes on, or puts it off: to the end of quiet hours, or for a busy push service. */
export async function deliverPush(deps: PushDeps, job: z.output<typeof pushJob.payload>): Promise<void> {
  const { db } = deps.database
  const now = deps.clock()
  const expiresAt = new Date(job.expiresAt)
  if (expiresAt <= now || (await isOnHold(db))) return
  const [device] = await queryRows<Device>(
    db,
    sql`select s.endpoint, s.p256dh, s.auth, s.quiet, p.time_zone as "timeZone"
      from push_subscription s join auth.sessions e on e.id = s.session_id
      left join email_preferences p on p.user_id = s.user_id
      where s.id = ${job.deviceId}::uuid and (e.not_after is null or e.not_after > ${now.toISOString()}::timestamptz)`,
  )
  if (!device) return
  const putOff = (until: Date, attempt: number) =>
    db.transaction((tx) => deps.enqueue(tx, pushJob, { ...job, attempt, notBefore: until.toISOString() }))
  const quietUntil = device.quiet ? quietEnd(device.timeZone ?? (await readTimeZone(db)), now) : null
  if (quietUntil) return putOff(quietUntil, job.attempt)

  const answer = await post(deps, device, JSON.stringify(job.note), { now, expiresAt })
  if (answer === 'gone') {
    return void (await db.delete(pushSubscription).where(eq(pushSubscription.id, job.deviceId)))
  }
  const delayMs = retryDelaysMs[job.attempt - 1]
  const isBusy = answer.status === 429 || answer.status >= 500
  if (!isBusy || delayMs === undefined) return
  const waitMs = Math.max(delayMs, answer.retryAfterMs)
  if (now.getTime() + waitMs < expiresAt.getTime()) await putOff(new Date(now.getTime() + waitMs), job.attempt + 1)
}

type Times = { now: Date; expiresAt: Date }

/** Posts an encrypted text. No answer counts as a failure of the push service. */
async function post(deps: PushDeps, device: Device, text: string, { now, expiresAt }: Times) {
  const { config } = deps
  const keys = pushKeys(deps)
  try {
    if (!keys) return 'gone'
    const answer = await sendRequest(device.endpoint, {
      method: 'POST',
      headers: {
        Authorization: signPush(keys, device.endpoint, now),
        'Content-Encoding': 'aes128gcm',
        'Content-Type': 'application/octet-stream',
        TTL: String(Math.ceil((expiresAt.getTime() - now.getTime()) / 1000)),
      },
      body: encryptPush(text, device),
      timeoutMs,
      maxBytes: 0,
      isAllowed: (ip) => isAllowedAddress(config, ip),
      anyPort: config.webhooksAllowLoopback,
    })
    if (goneStatuses.includes(answer.status)) return 'gone'
    const after = answer.headers['retry-after'] ?? ''
    const retryAfterMs = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - now.getTime()
    return { status: answer.status, retryAfterMs: retryAfterMs || 0 }
  } catch (error) {
    // Other errors come from keys that no browser makes.
    if (!(error instanceof RequestError) || refusals.includes(error.failure)) return 'gone'
    return { status: 503, retryAfterMs: 0 }
  }
}

/** Tells members of the drop that came out in the last day, once, in the transaction that says so. */
export async function announceDrops(deps: PushDeps): Promise<void> {
  const now = deps.clock()
  await deps.database.db.transaction(async (tx) => {
    const drops = await queryRows<{ title: string; slug: string; date: string }>(
      tx,
      sql`update issues set announced_at = ${now.toISOString()}::timestamptz
        where announced_at is null and published_at > ${new Date(now.getTime() - dayMs).toISOString()}::timestamptz
          and published_at <= ${now.toISOString()}::timestamptz
        returning title, slug, date::text`,
    )
    // Of several at once, such as imported ones, the newest.
    const [drop] = drops.toSorted((a, b) => b.date.localeCompare(a.date))
    if (!drop) return
    await sendPush(deps, tx, null, 'drop', {
      title: inOwnWords(deps.config.settings.publication, 'New drop'),
      body: drop.title,
      path: `/portal/weekly-drops/${drop.slug}`,
      tag: 'drop',
      expiresAt: new Date(now.getTime() + 2 * dayMs),
    })
  })
}
