import { and, eq, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pushSubscription } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { lockUser } from '#server/features/identity/auth/users/lock-user.ts'
import type { Principal } from '#server/http/principal.ts'
import type { PushDevice, pushDeviceCall } from '#shared/contracts/reader/push.ts'
import { maxPushDevices, pushKinds } from '#shared/domain/push.ts'
import { AppError } from '#shared/errors.ts'
import { pushKeys } from './encrypt-push.ts'

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
