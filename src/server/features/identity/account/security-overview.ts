import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { backupCodes } from '#server/db/schema/index.ts'
import { notStaffOnly, ofUser, readSecurityLog } from '#server/features/identity/auth/security/security-event.ts'
import { hasAdminSecondFactor, readStepUp, type StepUp } from '#server/features/identity/auth/security/step-up.ts'
import { listTrustedDevices } from '#server/features/identity/auth/sessions/trusted-devices.ts'
import type { Principal } from '#server/http/principal.ts'
import type { StepUpMethod, securityOverviewCall } from '#shared/contracts/identity/account-security.ts'
import type { AccountDeps } from './account-sessions.ts'

const maxEvents = 10

/**
 * Security settings of the account. A session that awaits its second factor gets what it needs to finish signing in,
 * without the account's history.
 */
export async function readSecurityOverview(
  deps: AccountDeps,
  who: Principal,
): Promise<z.input<typeof securityOverviewCall.output>> {
  const { db } = deps.database
  const [stepUp, [codes], meetsMfaPolicy, events, trustedDevices] = await Promise.all([
    readStepUp(deps, who),
    db
      .select({
        left: sql<number>`count(*)::int`,
        createdAt: sql<Date | null>`max(${backupCodes.createdAt})`.mapWith(backupCodes.createdAt),
      })
      .from(backupCodes)
      .where(and(eq(backupCodes.userId, who.userId), isNull(backupCodes.usedAt))),
    who.staffRole ? hasAdminSecondFactor(deps, who) : true,
    who.awaitsSecondFactor ? [] : readSecurityLog(db, { where: [ofUser(who.userId), notStaffOnly], limit: maxEvents }),
    who.awaitsSecondFactor ? [] : listTrustedDevices(deps, who.userId),
  ])
  return {
    hasPassword: stepUp.hasPassword,
    awaitsSecondFactor: who.awaitsSecondFactor,
    stepUp: {
      validUntil: stepUp.validUntil?.toISOString() ?? null,
      methods: stepUpMethodsOf(stepUp, who),
    },
    backupCodes: { left: codes?.left ?? 0, createdAt: codes?.createdAt?.toISOString() ?? null },
    trustedDevices,
    phoneFactorOffered: deps.config.sms.kind !== 'off',
    secureEmailChange: deps.config.auth.secureEmailChange,
    mfaRequired: !meetsMfaPolicy,
    recentEvents: events.map(({ id, at, event, by, device, ip }) => ({
      id,
      at: at.toISOString(),
      event,
      // Hide the admin's own device and IP address.
      device: by ? '' : device,
      ip: by ? '' : ip,
    })),
  }
}

/** Best first. With a second factor set up, only that factor or a passkey is enough. */
function stepUpMethodsOf({ hasFactor, hasPassword, hasPasskey }: StepUp, who: Principal): StepUpMethod[] {
  const methods: [StepUpMethod, boolean][] = [
    ['factor', hasFactor],
    ['passkey', hasPasskey],
    ['password', hasPassword && !hasFactor],
    ['email-code', who.email !== '' && who.emailConfirmed && !hasFactor],
  ]
  return methods.filter(([, offered]) => offered).map(([method]) => method)
}
