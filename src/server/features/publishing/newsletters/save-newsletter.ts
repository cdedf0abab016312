import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Tx } from '#server/db/database.ts'
import { mailings, newsletter, series } from '#server/db/schema/index.ts'
import type { Deps } from '#server/feature.ts'
import { type Actor, recordAdminEvent } from '#server/features/identity/auth/security/admin-event.ts'
import { isInUse, saveOrder, setRetired, updatedBy } from '#server/features/identity/auth/security/editor.ts'
import type { NewsletterToSave } from '#shared/contracts/publishing/newsletters.ts'
import { changesBetween } from '#shared/domain/changed-fields.ts'
import { isReservedNewsletterName, maxNewsletters, maxStoredNewsletters } from '#shared/domain/newsletters.ts'
import type { AuditObject } from '#shared/domain/security-events.ts'
import { AppError } from '#shared/errors.ts'
import { type NewsletterRow, readNewsletterRows, subscribeExisting } from './read-newsletters.ts'

type SaveDeps = Pick<Deps, 'database' | 'clock' | 'newsletterMailer'>

/** Any constant that no other lock uses. */
const lockKey = 4_407_314

/** Changes to newsletters are made one at a time, on all nodes. */
const lockNewsletters = (tx: Tx) => tx.execute(sql`select pg_advisory_xact_lock(${lockKey}::bigint)`)

const refuse = (message: string) => new AppError('validation_failed', { message })
const objectOf = ({ id, name }: Pick<NewsletterRow, 'id' | 'name'>): AuditObject => ({
  kind: 'newsletter',
  id: String(id),
  name,
})

/** @throws AppError not_found, edit_conflict, validation_failed with what to change */
export async function saveNewsletter(
  { database, clock, newsletterMailer }: SaveDeps,
  who: Actor,
  { id, version, subscribesExisting, ...terms }: NewsletterToSave,
): Promise<void> {
  requireOwnDomain(terms.senderAddress, newsletterMailer.from.address)
  await database.db.transaction(async (tx) => {
    await lockNewsletters(tx)
    const rows = await readNewsletterRows(tx)
    const before = rows.find((row) => row.id === id)
    if (id !== null && !before) throw new AppError('not_found')
    if ((before?.version ?? 0) !== version) throw new AppError('edit_conflict')
    if (before?.retiredAt) throw refuse(`“${before.name}” is retired. Put it back in use before you change it.`)
    const others = rows.filter((row) => row !== before)
    requireFreeName(terms.name, others)
    if (!before) requireRoom(rows)
    const now = clock()
    const stored = before ?? {
      id: Math.max(0, ...rows.map((row) => row.id)) + 1,
      position: Math.max(0, ...rows.map(({ position }) => position)) + 1,
      createdAt: now,
      version: 0,
      retiredAt: null,
    }
    const row = { ...stored, ...terms, version: stored.version + 1, updatedAt: now, ...updatedBy(who) }
    await tx.insert(newsletter).values(row).onConflictDoUpdate({ target: newsletter.id, set: row })
    const isGiven = !before && subscribesExisting
    if (isGiven) await subscribeExisting(tx, row.id, now)
    await recordAdminEvent(tx, who, {
      event: before ? 'newsletter_changed' : 'newsletter_created',
      object: objectOf(row),
      changes: changesBetween(before ? asLogged(before) : {}, asLogged(row)),
      ...(isGiven && { note: 'Today’s members were subscribed' }),
      now,
    })
  })
}

/** Mail servers reject a sender whose domain doesn't sign its email. */
function requireOwnDomain(address: string, publicationAddress: string): void {
  if (address === '') return
  const domain = publicationAddress.slice(publicationAddress.lastIndexOf('@') + 1).toLowerCase()
  const own = address.slice(address.lastIndexOf('@') + 1)
  if (own === domain) return
  throw refuse(`Choose a sender address that ends in @${domain}. Mail servers reject others as forged.`)
}

function requireFreeName(name: string, others: readonly NewsletterRow[]): void {
  if (isReservedNewsletterName(name)) throw refuse(`Every reader knows “${name}” already. Choose another name.`)
  const isSame = (other: string) => other.toLocaleLowerCase('en') === name.toLocaleLowerCase('en')
  if (others.some((other) => isInUse(other) && isSame(other.name))) {
    throw refuse(`There’s already a newsletter called “${name}”. Choose another name.`)
  }
}

function requireRoom(rows: readonly NewsletterRow[]): void {
  if (rows.filter(isInUse).length >= maxNewsletters) {
    throw refuse(`You can use ${maxNewsletters} newsletters at a time. Retire one first: its subscribers stay.`)
  }
  if (rows.length >= maxStoredNewsletters) {
    throw refuse(
      `You have ${maxStoredNewsletters} newsletters with the retired ones. Put a retired one back and rename it.`,
    )
  }
}

/**
 * Ends a newsletter or puts it back in use. Subscriptions, mailings and links in emails stay.
 * @throws AppError not_found, edit_conflict, validation_failed while a mailing to it waits or is sent, or a series sends to it
 */
export async function retireNewsletter(
  { database, clock }: Pick<SaveDeps, 'database' | 'clock'>,
  who: Actor,
  { id, version, retired }: { id: number; version: number; retired: boolean },
): Promise<void> {
  await database.db.transaction(async (tx) => {
    await lockNewsletters(tx)
    // Waits for a mailing that is being sent or scheduled right now.
    await tx.select({ id: newsletter.id }).from(newsletter).where(eq(newsletter.id, id)).for('update')
    const rows = await readNewsletterRows(tx)
    const row = rows.find((each) => each.id === id)
    await setRetired(tx, 'newsletter', row, { who, version, retired, now: clock() }, async (found) => {
      const others = rows.filter((other) => other !== found)
      if (retired) {
        await requireNoSeries(tx, found)
        await requireNoOpenMailing(tx, found)
      } else {
        requireFreeName(found.name, others)
        requireRoom(others)
      }
    })
  })
}

async function requireNoSeries(tx: Tx, { id, name }: NewsletterRow): Promise<void> {
  const [found] = await tx
    .select({ name: series.name })
    .from(series)
    .where(
      sql`${series.status} <> 'off' and exists (select 1 from jsonb_array_elements(${series.steps}) step
        where step ->> 'newsletterId' = ${String(id)} and step -> 'removed' is null)`,
    )
    .limit(1)
  if (found)
    throw refuse(`The series “${found.name}” sends emails of ${name}. Choose another newsletter for them first.`)
}

async function requireNoOpenMailing(tx: Tx, { id, name }: NewsletterRow): Promise<void> {
  const [open] = await tx
    .select({ subject: mailings.subject, status: mailings.status })
    .from(mailings)
    .where(
      and(
        inArray(mailings.status, ['scheduled', 'preparing', 'sending', 'paused']),
        sql`${mailings.audience} ->> 'newsletterId' = ${String(id)}`,
      ),
    )
    .limit(1)
  if (!open) return
  const subject = open.subject ? `“${open.subject}”` : 'A mailing without a subject'
  throw refuse(
    open.status === 'scheduled'
      ? `${subject} is scheduled for ${name}. Unschedule it first, or wait until it’s sent.`
      : `${subject} is being sent to ${name}. Stop it first, or wait until it’s sent.`,
  )
}

/** @throws AppError edit_conflict if newsletters were created or retired meanwhile */
export async function orderNewsletters(
  { database, clock }: Pick<SaveDeps, 'database' | 'clock'>,
  who: Actor,
  ids: readonly number[],
): Promise<void> {
  await database.db.transaction(async (tx) => {
    await lockNewsletters(tx)
    const rows = (await readNewsletterRows(tx)).filter(isInUse)
    await saveOrder(tx, 'newsletter', rows, ids, { who, now: clock() })
  })
}

type Terms = Omit<NewsletterToSave, 'id' | 'version' | 'subscribesExisting'>

const asLogged = (terms: Terms) => ({
  name: terms.name,
  description: terms.description,
  senderName: terms.senderName,
  senderAddress: terms.senderAddress,
  replyTo: terms.replyTo,
  for: terms.membersOnly ? 'members' : 'everyone',
  newMembers: terms.subscribesNewMembers ? 'subscribed' : 'not subscribed',
})
