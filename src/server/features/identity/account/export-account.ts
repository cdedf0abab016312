import type { FeatureDeps } from '#server/feature.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { notifySecurityChange } from '#server/features/identity/auth/security/notify-security-change.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import { type CallerContext, callerInfo } from '#server/features/identity/auth/sessions/client-info.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './account-deps.ts'

/** Each export emails the owner, so the limit also protects their inbox. */
const exportLimit = { points: 10, windowSeconds: 3600 }

/**
 * Exports everything stored about the account as one JSON document and emails its owner, in case a stolen session asked.
 * @throws AppError step_up_required, over_request_rate_limit
 */
export async function exportAccount(
  deps: AccountDeps & Pick<FeatureDeps, 'exportedData'>,
  { who, request }: CallerContext,
) {
  // An anonymous user has no credential to confirm with.
  if (!who.isAnonymous) await requireStepUp(deps, who)
  const now = deps.clock()
  const { points } = await consumePoint(
    deps.database.db,
    userCounterKey(who.userId, 'export'),
    exportLimit.windowSeconds,
    now,
  )
  if (points > exportLimit.points) throw new AppError('over_request_rate_limit')
  return deps.database.db.transaction(async (tx) => {
    const data: Record<string, unknown> = {
      publication: deps.config.settings.publication.name,
      exportedAt: now.toISOString(),
    }
    for (const [name, { read }] of Object.entries(deps.exportedData)) data[name] = await read(tx, who.userId)
    await notifySecurityChange(tx, deps, {
      event: 'data_exported',
      userId: who.userId,
      email: who.email,
      client: callerInfo(request),
      now,
    })
    return { fileName: `account-data-${now.toISOString().slice(0, 10)}.json`, data }
  })
}
