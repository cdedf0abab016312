import { and, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { emailPreferences, suppressions } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { hasAccess } from '#server/features/billing/subscriptions/access/read-access.ts'
import { consumeReauthenticationNonce } from '#server/features/identity/auth/email-flows/change-email.ts'
import {
  consumeReauthenticationAttempt,
  resetReauthenticationAttempts,
} from '#server/features/identity/auth/limits/reauthentication-attempts.ts'
import { displayName } from '#server/features/identity/auth/security/editor.ts'
import { readSubscriptions, saveSubscriptions } from '#server/features/publishing/newsletters/subscriptions.ts'
import { readSendingSettings } from '#server/features/publishing/sending-settings/sending-settings.ts'
import { isOnTeam } from '#server/features/reader/assignments/find-team.ts'
import type { Principal } from '#server/http/principal.ts'
import { deleteRetainedSuppressions } from '#server/mail/retained-suppressions.ts'
import type { SuppressionReason } from '#shared/contracts/publishing/deliverability.ts'
import type {
  EmailPreferences,
  emailPreferencesCall,
  saveEmailPreferencesCall,
} from '#shared/contracts/publishing/email-preferences.ts'
import { type EmailStream, personalStream } from '#shared/contracts/publishing/newsletter.ts'
import { newsletterStream } from '#shared/domain/newsletters.ts'
import { AppError } from '#shared/errors.ts'
import { readChoices, readDropTime, saveChoices, saveDropTime, setFreeEdition } from './stored-email-choices.ts'

type PreferenceDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>
type Preferences = z.input<typeof emailPreferencesCall.output>

/** Suppression reasons as members see them. An unsubscribe request entered by an admin counts as manual. */
const blockReasonOf: Record<SuppressionReason, EmailPreferences['blocked'][number]['reason']> = {
  hard_bounce: 'bounced',
  soft_bounces: 'bounced',
  complaint: 'complained',
  unsubscribed: 'manual',
  manual: 'manual',
}

export async function readPreferences(
  { config, clock }: Pick<PreferenceDeps, 'config' | 'clock'>,
  db: Db | Tx,
  who: Principal,
): Promise<Preferences> {
  const choices = await readChoices(db, who.userId)
  const freeEdition = await db.$count(
    emailPreferences,
    and(eq(emailPreferences.userId, who.userId), isNotNull(emailPreferences.freeSince)),
  )
  const { tracking, readerHours = false } = await readSendingSettings(db)
  // Hidden until the address is confirmed, because it may belong to another person.
  const blocked = who.emailConfirmed
    ? await db
        .select({ stream: suppressions.stream, reason: suppressions.reason, since: suppressions.createdAt })
        .from(suppressions)
        .where(
          and(
            eq(suppressions.email, who.email),
            isNull(suppressions.liftedAt),
            ne(suppressions.stream, personalStream),
          ),
        )
        .orderBy(suppressions.stream)
    : []
  const isMember = hasAccess(config, who, clock())
  return {
    ...choices,
    ...(await readDropTime(db, who.userId)),
    dropTimeOffered: readerHours,
    newsletters: (await readSubscriptions(db, who.userId)).filter(
      ({ isRetired, membersOnly, subscribed }) => !isRetired && (isMember || !membersOnly || subscribed),
    ),
    freeEdition: freeEdition > 0,
    hasAccess: isMember,
    isOnTeam: isOnTeam({ config, clock }, who),
    trackingOffered: tracking,
    blocked: blocked.map(({ stream, reason, since }) => ({
      stream: stream as EmailStream | 'all',
      reason: blockReasonOf[reason as SuppressionReason],
      since: since.toISOString(),
    })),
  }
}

export async function savePreferences(
  deps: PreferenceDeps,
  who: Principal,
  { freeEdition, newsletters = [], dropTime, timeZone, ...wanted }: z.output<typeof saveEmailPreferencesCall.input>,
): Promise<Preferences> {
  const now = deps.clock()
  return deps.database.db.transaction(async (tx) => {
    const isThere = await saveChoices(tx, who.userId, wanted, now)
    const { on } = isThere
      ? await saveSubscriptions(tx, who.userId, newsletters, { now, onlyKnown: false })
      : { on: [] }
    if (isThere) await saveDropTime(tx, who.userId, { dropTime, timeZone })
    if (freeEdition !== undefined) await setFreeEdition(tx, who.userId, freeEdition ? now : null)
    const wantedAgain: EmailStream[] = [
      ...on.map(newsletterStream),
      ...(wanted.drops === 'off' ? [] : (['drops'] as const)),
      ...(wanted.news ? (['news'] as const) : []),
      ...(wanted.followUps ? (['follow-ups'] as const) : []),
      ...(wanted.assignments ? (['assignments'] as const) : []),
      ...(wanted.replies && wanted.replies !== 'off' ? (['replies'] as const) : []),
    ]
    // Turning a stream on, with a confirmed address, overrides an earlier spam complaint.
    if (wantedAgain.length > 0 && who.emailConfirmed) {
      const lifted = await tx
        .update(suppressions)
        .set({
          liftedAt: now,
          liftedBy: displayName(who.name, 'Member'),
          liftedById: who.userId,
          liftReason: 'The member resubscribed',
        })
        .where(
          and(
            eq(suppressions.email, who.email),
            isNull(suppressions.liftedAt),
            inArray(suppressions.stream, wantedAgain),
            eq(suppressions.reason, 'complaint'),
          ),
        )
        .returning({ stream: suppressions.stream })
      await deleteRetainedSuppressions(
        tx,
        deps,
        who.email,
        lifted.map(({ stream }) => stream),
      )
    }
    return readPreferences(deps, tx, who)
  })
}

/**
 * Lifts the suppressions after bounces, because the code emailed to the address proves that it works.
 * @throws AppError reauthentication_failed, over_request_rate_limit
 */
export async function tryAddressAgain(deps: PreferenceDeps, who: Principal, code: string): Promise<Preferences> {
  const now = deps.clock()
  // Outside the transaction, so that a failed attempt still counts.
  await consumeReauthenticationAttempt(deps.database.db, who.userId, now)
  return deps.database.db.transaction(async (tx) => {
    const given = { userId: who.userId, email: who.email, nonce: code, now }
    if (!(await consumeReauthenticationNonce(tx, deps, given))) throw new AppError('reauthentication_failed')
    await resetReauthenticationAttempts(tx, who.userId)
    await tx
      .update(suppressions)
      .set({
        liftedAt: now,
        liftedBy: displayName(who.name, 'Member'),
        liftedById: who.userId,
        liftReason: 'The member confirmed the address',
      })
      .where(
        and(
          eq(suppressions.email, who.email),
          isNull(suppressions.liftedAt),
          sql`${suppressions.reason} in ('hard_bounce', 'soft_bounces')`,
        ),
      )
    return readPreferences(deps, tx, who)
  })
}
