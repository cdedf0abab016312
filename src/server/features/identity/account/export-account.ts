import { eq } from 'drizzle-orm'
import { users } from '#server/db/schema/index.ts'
import type { FeatureDeps } from '#server/feature.ts'
import { consumePoint, userCounterKey } from '#server/features/identity/auth/limits/rate-limit-counters.ts'
import { notifySecurityChange, type SecurityChange } from '#server/features/identity/auth/security/security-event.ts'
import { requireStepUp } from '#server/features/identity/auth/security/step-up.ts'
import type { Caller } from '#server/http/principal.ts'
import { AppError } from '#shared/errors.ts'
import type { AccountDeps } from './account-sessions.ts'

type ExportDeps = Pick<AccountDeps, 'config' | 'database' | 'clock' | 'enqueue'> & Pick<FeatureDeps, 'exportedData'>

/** Each export emails the owner, so the limit also protects their inbox. */
const exportLimit = { points: 10, windowSeconds: 3600 }

/**
 * Exports everything stored about the account as one JSON document and emails its owner, in case a stolen session asked.
 * @throws AppError step_up_required, over_request_rate_limit
 */
export async function exportAccount(deps: ExportDeps, who: Caller) {
  // An anonymous user has no credential to confirm with.
  if (!who.isAnonymous) await requireStepUp(deps, who)
  await countExport(deps, who.userId)
  const { userId, email } = who
  return exportAs(deps, { event: 'data_exported', userId, email, client: who.client })
}

/**
 * The same for staff, who answer a member's data request.
 * @throws AppError over_request_rate_limit, not_found
 */
export async function exportMember(deps: ExportDeps, who: Caller, userId: string) {
  const [member] = await deps.database.db
    .select({ email: users.email, deletedAt: users.deletedAt })
    .from(users)
    .where(eq(users.id, userId))
  if (!member || member.deletedAt) throw new AppError('not_found')
  await countExport(deps, who.userId)
  return exportAs(deps, {
    ...{ event: 'data_exported_by_staff', userId, email: member.email ?? '' },
    ...{ by: who.email, actorId: who.userId, client: who.client },
  })
}

async function countExport({ database, clock }: ExportDeps, userId: string) {
  const key = userCounterKey(userId, 'export')
  const { points } = await consumePoint(database.db, key, exportLimit.windowSeconds, clock())
  if (points > exportLimit.points) throw new AppError('over_request_rate_limit')
}

function exportAs(deps: ExportDeps, change: Omit<SecurityChange, 'now'> & { userId: string }) {
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    const data: Record<string, unknown> = {
      publication: deps.config.settings.publication.name,
      exportedAt: now.toISOString(),
    }
    for (const [name, read] of Object.entries(deps.exportedData)) data[name] = await read(tx, change.userId)
    await notifySecurityChange(tx, deps, { ...change, now })
    return { fileName: `account-data-${now.toISOString().slice(0, 10)}.json`, data }
  })
}
