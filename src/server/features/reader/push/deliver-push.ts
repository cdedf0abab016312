import { eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { queryRows } from '#server/db/database.ts'
import { readTimeZone } from '#server/db/publication-setting.ts'
import { isOnHold } from '#server/db/restore-hold.ts'
import { pushSubscription } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { isAllowedAddress } from '#server/http/public-address.ts'
import { RequestError, type RequestFailure, sendRequest } from '#server/http/send-request.ts'
import { dayMs, hourMs, minuteMs } from '#shared/domain/durations.ts'
import { inOwnWords } from '#shared/domain/own-words.ts'
import { quietEnd } from '#shared/domain/push.ts'
import { encryptPush, pushKeys, signPush } from './encrypt-push.ts'
import { pushJob, sendPush } from './send-push.ts'

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
