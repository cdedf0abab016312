import { consumePoint, userCounterKey } from '#server/features/auth/limits/rate-limit-counters.ts'
import { notifySecurityChange } from '#server/features/auth/security/notify-security-change.ts'
import { requireStepUp } from '#server/features/auth/security/step-up.ts'
import { type CallerContext, callerInfo } from '#server/features/auth/sessions/client-info.ts'
import { AppError } from '#shared/errors.ts'
import { publication } from '#shared/publication.ts'
import type { AccountDeps } from './account-deps.ts'
import { heldData } from './held-data.ts'

/** Each one is a mail to the owner: enough for anybody who tries again, too few to fill a mailbox. */
const exportsAllowed = { points: 10, windowSeconds: 3600 }

/**
 * Everything that is held about the account, as one document. Its owner is told by mail, as it is what somebody with a
 * borrowed session would want most.
 * @throws AppError step_up_required, over_request_rate_limit
 */
export async function exportData(deps: AccountDeps, { who, request }: CallerContext) {
  // Who has never said who they are has nothing to prove it with: their session is all there is.
  if (!who.isAnonymous) await requireStepUp(deps, who)
  const now = deps.clock()
  const { points } = await consumePoint(
    deps.database.db,
    userCounterKey(who.userId, 'export'),
    exportsAllowed.windowSeconds,
    now,
  )
  if (points > exportsAllowed.points) throw new AppError('over_request_rate_limit')
  return deps.database.db.transaction(async (tx) => {
    const data: Record<string, unknown> = { publication: publication.name, exportedAt: now.toISOString() }
    for (const [name, { read }] of Object.entries(heldData)) data[name] = await read(tx, who.userId)
    await notifySecurityChange(tx, deps, {
      event: 'data_exported',
      userId: who.userId,
      email: who.email,
      client: callerInfo(request),
      now,
    })
    return { fileName: `front-counter-data-${now.toISOString().slice(0, 10)}.json`, data }
  })
}
