import { and, desc, eq, inArray, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db, Tx } from '#server/db/database.ts'
import { auditLogEntries, emailPreferences, suppressions, users } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { type AuditPayload, ofEvent, ofUser } from '#server/features/identity/auth/security/security-event.ts'
import { requireManageable } from '#server/features/identity/auth/users/require-manageable.ts'
import { saveChoices } from '#server/features/publishing/email-preferences/stored-email-choices.ts'
import { readSubscriptions, saveSubscriptions } from '#server/features/publishing/newsletters/subscriptions.ts'
import type { Caller } from '#server/http/principal.ts'
import type { adminSetMemberNewsletterCall, MemberNewsletter } from '#shared/contracts/operations/member-newsletters.ts'
import type { SuppressionReason } from '#shared/contracts/publishing/deliverability.ts'
import { filteredStreams, newsletterOfStream, newsletterStream } from '#shared/domain/newsletters.ts'
import { AppError } from '#shared/errors.ts'

const event = 'member_newsletter_changed'
const texts = { on: 'yes', off: 'no' } as const

/** @throws AppError not_found */
export async function readMemberNewsletters(db: Db | Tx, userId: string): Promise<{ items: MemberNewsletter[] }> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user || user.deletedAt) throw new AppError('not_found')
  const statuses = await readStatuses(db, userId)
  const changes = await readStaffChanges(db, userId)
  const blocks = await db
    .select()
    .from(suppressions)
    .where(
      and(
        eq(suppressions.email, user.email ?? ''),
        isNull(suppressions.liftedAt),
        inArray(suppressions.stream, ['all', ...statuses.map(({ stream }) => stream)]),
      ),
    )
  return {
    items: statuses.map(({ changedAt, isExact, ...item }) => {
      const block = blocks.find(({ stream }) => stream === 'all') ?? blocks.find(({ stream }) => stream === item.stream)
      return {
        ...item,
        changed: changeOf(item.status, { changedAt, isExact }, changes.get(item.stream)),
        suppressed: block ? { reason: block.reason as SuppressionReason, since: block.createdAt.toISOString() } : null,
      }
    }),
  }
}

type Status = Pick<MemberNewsletter, 'stream' | 'name' | 'membersOnly' | 'status'> & {
  changedAt: Date | null
  isExact: boolean
}

/** Newsletters in use, in the order of the publisher. */
async function readStatuses(db: Db | Tx, userId: string): Promise<Status[]> {
  const [row] = await db.select().from(emailPreferences).where(eq(emailPreferences.userId, userId))
  const added = (await readSubscriptions(db, userId)).filter(({ isRetired }) => !isRetired)
  const names = filteredStreams(added)
  const isOff = { drops: row?.drops === 'off', news: row?.news === false }
  // One date for all of these.
  const isExact = [isOff.drops, isOff.news, row?.followUps === false].filter(Boolean).length === 1
  const own = (['drops', 'news'] as const).map(
    (stream): Status => ({
      stream,
      name: names[stream] ?? stream,
      membersOnly: false,
      status: isOff[stream] ? 'off' : 'on',
      changedAt: isOff[stream] ? (row?.unsubscribedAt ?? null) : null,
      isExact,
    }),
  )
  const others = added.map(
    ({ id, name, membersOnly, subscribed, wasAsked, changedAt }): Status => ({
      stream: newsletterStream(id),
      name,
      membersOnly,
      status: subscribed ? 'on' : wasAsked ? 'off' : 'never',
      changedAt,
      isExact: true,
    }),
  )
  return [...own, ...others]
}

type StaffChange = { at: Date; by: string; subscribed: boolean }

/** The last change by staff, by stream. */
async function readStaffChanges(db: Db | Tx, userId: string): Promise<Map<string, StaffChange>> {
  const rows = await db
    .select({ at: auditLogEntries.createdAt, payload: auditLogEntries.payload })
    .from(auditLogEntries)
    .where(and(ofUser(userId), ofEvent(event)))
    .orderBy(desc(auditLogEntries.createdAt))
  const last = new Map<string, StaffChange>()
  for (const { at, payload } of rows) {
    const { object, by, changes } = payload as AuditPayload
    if (!object || !at || last.has(object.id)) continue
    last.set(object.id, { at, by: by ?? '', subscribed: changes?.[0]?.after === texts.on })
  }
  return last
}

/** Staff made the change unless the member's own is later. */
function changeOf(
  status: MemberNewsletter['status'],
  { changedAt, isExact }: Pick<Status, 'changedAt' | 'isExact'>,
  byStaff: StaffChange | undefined,
): MemberNewsletter['changed'] {
  if (byStaff && byStaff.subscribed === (status === 'on') && byStaff.at >= (changedAt ?? byStaff.at)) {
    return { at: byStaff.at.toISOString(), isExact: true, by: byStaff.by }
  }
  return changedAt && { at: changedAt.toISOString(), isExact, by: null }
}

type SetDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'secrets'>

/** @throws AppError staff_account, not_found; validation_failed for a newsletter that isn't in use */
export async function setMemberNewsletter(
  deps: SetDeps,
  who: Caller,
  { userId, stream, subscribed }: z.output<typeof adminSetMemberNewsletterCall.input>,
): Promise<{ items: MemberNewsletter[] }> {
  return deps.database.db.transaction(async (tx) => {
    await requireManageable(tx, who, userId)
    // Two clicks at once change it once.
    const [user] = await tx.select().from(users).where(eq(users.id, userId)).for('no key update')
    if (!user || user.deletedAt) throw new AppError('not_found')
    const now = deps.clock()
    const found = (await readStatuses(tx, userId)).find((each) => each.stream === stream)
    if (!found) throw new AppError('validation_failed', { message: 'This newsletter isn’t sent anymore.' })
    if ((found.status === 'on') === subscribed) return readMemberNewsletters(tx, userId)
    const newsletterId = newsletterOfStream(stream)
    if (newsletterId !== null) {
      await saveSubscriptions(tx, userId, [{ id: newsletterId, subscribed }], { now, onlyKnown: false })
    } else {
      await saveChoices(
        tx,
        userId,
        stream === 'drops' ? { drops: subscribed ? 'weekly' : 'off' } : { news: subscribed },
        now,
      )
    }
    await recordAdminEvent(tx, who, {
      event,
      about: { userId, email: user.email ?? '' },
      object: { kind: 'newsletter', id: stream, name: found.name },
      changes: [{ field: found.name, ...(subscribed ? onChange : offChange) }],
      ...(subscribed && { note: 'The member asked for it' }),
      now,
    })
    return readMemberNewsletters(tx, userId)
  })
}

const onChange = { before: texts.off, after: texts.on }
const offChange = { before: texts.on, after: texts.off }
