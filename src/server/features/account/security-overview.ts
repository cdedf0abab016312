import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { backupCodes } from '#server/db/schema/index.ts'
import { ofUser, readSecurityLog } from '#server/features/auth/security/security-log.ts'
import { hasAdminSecondFactor, readStepUp, type StepUp } from '#server/features/auth/security/step-up.ts'
import type { Principal } from '#server/http/principal.ts'
import type { ProofMethod, securityOverviewCall } from '#shared/contracts/account-security.ts'
import type { AccountDeps } from './account-deps.ts'

const shownEvents = 10

/**
 * What the security page shows beside factors and passkeys. A session that still owes its second factor is told what
 * finishes its sign-in and nothing of the account's history.
 */
export async function readSecurityOverview(
  deps: AccountDeps,
  who: Principal,
): Promise<z.input<typeof securityOverviewCall.output>> {
  const { db } = deps.database
  const [stepUp, [codes], meetsDemand, events] = await Promise.all([
    readStepUp(deps, who),
    db
      .select({
        left: sql<number>`count(*)::int`,
        createdAt: sql<Date | null>`max(${backupCodes.createdAt})`.mapWith(backupCodes.createdAt),
      })
      .from(backupCodes)
      .where(and(eq(backupCodes.userId, who.userId), isNull(backupCodes.usedAt))),
    who.isAdmin ? hasAdminSecondFactor(deps, who) : true,
    who.awaitsSecondFactor ? [] : readSecurityLog(db, { where: [ofUser(who.userId)], limit: shownEvents }),
  ])
  return {
    hasPassword: stepUp.hasPassword,
    awaitsSecondFactor: who.awaitsSecondFactor,
    stepUp: {
      validUntil: stepUp.validUntil?.toISOString() ?? null,
      methods: proofMethodsOf(stepUp, who),
    },
    backupCodes: { left: codes?.left ?? 0, createdAt: codes?.createdAt?.toISOString() ?? null },
    phoneFactorOffered: deps.config.sms.kind !== 'off',
    secureEmailChange: deps.config.auth.secureEmailChange,
    secondFactorDemanded: !meetsDemand,
    recentEvents: events.map(({ id, at, event, by, device, ip }) => ({
      id,
      at: at.toISOString(),
      event,
      // Where an admin sat is nothing that the account's owner needs to know.
      device: by ? '' : device,
      ip: by ? '' : ip,
    })),
  }
}

/** Best first. With a second factor only that one proves enough, or a passkey, which is one in itself. */
function proofMethodsOf({ hasFactor, hasPassword, hasPasskey }: StepUp, who: Principal): ProofMethod[] {
  const methods: [ProofMethod, boolean][] = [
    ['factor', hasFactor],
    ['passkey', hasPasskey],
    ['password', hasPassword && !hasFactor],
    ['mailed-code', who.email !== '' && who.emailConfirmed && !hasFactor],
  ]
  return methods.filter(([, offered]) => offered).map(([method]) => method)
}
