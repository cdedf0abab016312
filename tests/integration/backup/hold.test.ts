import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, isNotNull, ne, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { jobsOf } from '#server/all-features.ts'
import { restoreHold } from '#server/db/restore-hold.ts'
import {
  bulkActionMembers,
  bulkActions,
  comment,
  contentDocument,
  contentSchedule,
  emailPreferences,
  gift,
  issues,
  mailings,
  memberImports,
  priceMove,
  priceMoveMember,
  publicationSettings,
  purchase,
  referral,
  series,
  seriesEntry,
  staffEmailChoice,
  staffEvent,
  subscriptionState,
  teamAssignment,
  tries,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
  withdrawal,
} from '#server/db/schema/index.ts'
import { syncCustomer } from '#server/features/billing/subscriptions/sync/sync-customer.ts'
import { findMailings } from '#server/features/publishing/mailings/sending/start-sender.ts'
import { everyone } from '#shared/contracts/publishing/newsletter.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { openBilling, startClock, subscribe, travel } from '../billing/support.ts'
import { addIssue } from '../mailings/sending/support.ts'
import { defaultOptions } from '../member-import/support.ts'
import { buildOwner, seat } from '../teams/support.ts'
import { addItem, prompt } from '../tries/support.ts'

/** 10 AM in New York on the first of a month, when everything is due. */
const now = new Date('2026-11-01T15:00:00.000Z')
const dayMs = 24 * 60 * 60_000
const ago = (days: number) => new Date(now.getTime() - days * dayMs)

const mailbox = openForTests(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'hold-test-'))
  mkdirSync(join(directory, 'new'))
  return { directory, close: async () => rmSync(directory, { recursive: true, force: true }) }
})
const billing = openForTests(async () => {
  const opened = await openBilling()
  opened.server.clock.now = now
  return opened
})
/** The deps of jobs, with a bounce mailbox. */
const deps = () => ({
  ...billing.deps,
  config: {
    ...billing.deps.config,
    bounceReports: {
      ...billing.deps.config.bounceReports,
      mailbox: { kind: 'maildir' as const, directory: mailbox.directory },
    },
  },
})
const jobs = () => jobsOf(deps()).flatMap((feature) => feature.jobs)
const schedules = () => jobsOf(deps()).flatMap(({ schedules }) => schedules.map(({ job }) => job))
const run = (name: string) =>
  jobs()
    .find((job) => job.name === name)
    ?.run({} as never)

const setHold = () =>
  billing.db.insert(publicationSettings).values({
    name: restoreHold,
    value: { backupAt: now.toISOString(), restoredAt: now.toISOString(), from: 'archive' },
    updatedAt: now,
  })
const releaseHold = () => billing.db.delete(publicationSettings).where(eq(publicationSettings.name, restoreHold))

const emailsTo = (address: string) => billing.server.outbox.list(address).length
const countOf = async (kind: string) => billing.db.$count(mailings, eq(mailings.kind, kind))

/** Jobs after which something leaves the house: what makes it due, and a number that grows when it left. */
const outgoing: Record<string, () => Promise<() => number | Promise<number>>> = {
  'newsletter-digest': async () => {
    const reader = await billing.user()
    await addIssue(billing.deps.database)
    await billing.db.update(issues).set({ date: '2026-10-31' })
    await billing.db.insert(emailPreferences).values({ userId: reader.id, drops: 'monthly', updatedAt: now })
    return () => countOf('digest')
  },
  'newsletter-follow-ups': async () => {
    await addItem(billing.server, prompt, 'Write the shift handover')
    const reader = await billing.user({
      subscription: 'active',
      subscriptionFacts: { currentPeriodEnd: new Date('2027-11-02T00:00:00Z') },
    })
    await billing.db
      .insert(tries)
      .values({ userId: reader.id, kind: prompt.kind, itemId: prompt.id, startedAt: ago(8) })
    return () => countOf('follow-up')
  },
  'billing-notices': async () => {
    const { email } = await billing.user({
      subscription: 'active',
      subscriptionFacts: { currentPeriodEnd: ago(-3), cancelAt: ago(-3) },
    })
    return () => emailsTo(email)
  },
  'lower-due-seats': async () => {
    const user = await billing.user()
    await billing.checkout(user)
    const customer = await billing.customerOf(user)
    const { id, items } = await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
    const [item] = items.data
    await billing.api.subscriptions.update(id, { items: [{ id: item?.id ?? '', quantity: 3 }] })
    await syncCustomer(billing.deps, customer)
    const seatsChangeAt = new Date((item?.current_period_end ?? 0) * 1000)
    await billing.db
      .update(subscriptionState)
      .set({ seatsAfterRenewal: 2, seatsPaid: 3, seatsChangeAt })
      .where(eq(subscriptionState.userId, user.id))
    billing.server.clock.now = new Date(seatsChangeAt.getTime() - dayMs)
    return async () => 3 - ((await billing.api.subscriptions.retrieve(id)).items.data[0]?.quantity ?? 0)
  },
  'reconcile-billing': async () => {
    // The sandbox's events have today's date.
    billing.server.clock.now = new Date()
    const user = await billing.user()
    await billing.checkout(user)
    const customer = await billing.customerOf(user)
    await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
    await subscribe(billing.api, customer, billing.priceOf('team_monthly'))
    const canceled = async () =>
      (await billing.api.subscriptions.list({ customer, status: 'canceled' })).data.length + emailsTo(user.email)
    return canceled
  },
  'deliver-webhooks': async () => {
    const id = crypto.randomUUID()
    const sealedSecret = billing.deps.secrets.seal('outgoing webhook', 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz')
    // Nothing listens there; an attempt counts.
    const url = 'https://127.0.0.1:9/hooks'
    await billing.db.insert(webhookEndpoints).values({ id, url, events: [], sealedSecret, createdAt: now })
    const [event] = await billing.db
      .insert(webhookEvents)
      .values({ id: crypto.randomUUID(), type: 'member.deleted', subject: crypto.randomUUID(), createdAt: now })
      .returning()
    await billing.db
      .insert(webhookDeliveries)
      .values({ endpointId: id, eventId: event?.id ?? '', status: 'pending', nextAttemptAt: now })
    return async () =>
      (await billing.db.select().from(webhookDeliveries)).reduce((sum, { attempts }) => sum + attempts, 0)
  },
  'resume-runs': async () => {
    const { id: userId } = await billing.user()
    const { id: createdById } = await billing.user({ admin: true })
    const actionId = crypto.randomUUID()
    await billing.db.insert(bulkActions).values({
      id: actionId,
      action: { kind: 'access', until: '2030-01-01', note: '' },
      selection: '1 selected',
      status: 'running',
      total: 1,
      createdAt: ago(1),
      createdById,
    })
    await billing.db.insert(bulkActionMembers).values({ actionId, userId })
    const importId = crypto.randomUUID()
    await billing.db.insert(memberImports).values({
      id: importId,
      fileName: 'members.csv',
      status: 'running',
      options: { ...defaultOptions, invite: true },
      createdAt: ago(1),
      updatedAt: ago(1),
    })
    const queued = () => new Set(billing.server.jobs.map(({ payload }) => (payload as { id?: string }).id))
    return () => (queued().has(actionId) && queued().has(importId) ? 1 : 0)
  },
  'publishing-due': async () => {
    const editor = await billing.user({ role: 'editor' })
    const row = { kind: 'issue', id: 'unfinished', document: { title: 'Unfinished' } }
    await billing.db.insert(contentDocument).values({ ...row, version: 1, createdAt: now, updatedAt: now } as never)
    await billing.db.insert(contentSchedule).values({ ...row, version: 1, publishAt: ago(1), createdAt: now } as never)
    return () => emailsTo(editor.email)
  },
  'assignment-emails': async () => {
    const task = { kind: 'prompt', id: 'ops-closing-note' } as const
    await addItem(billing.server, task, 'Write the closing note')
    const plan = { subscriptionFacts: { currentPeriodEnd: new Date('2027-11-22T00:00:00Z') } }
    const owner = await buildOwner(billing.server, plan)
    const member = await billing.user()
    await seat(billing.server, owner, member)
    await billing.db.insert(teamAssignment).values({
      id: crypto.randomUUID(),
      ownerId: owner.id,
      createdBy: owner.id,
      assignedTo: 'person',
      assigneeId: member.id,
      kind: task.kind,
      itemId: task.id,
      dueOn: '2026-11-01',
      note: '',
      createdAt: ago(5),
    })
    return () => emailsTo(member.email)
  },
  'reply-emails': async () => {
    const [asker, other] = [await billing.user(), await billing.user()]
    await addIssue(billing.deps.database, 'issue-replies')
    await billing.db.update(issues).set({ publishedAt: ago(2) })
    const [parentId, row] = [
      crypto.randomUUID(),
      { issueId: 'issue-replies', state: 'visible', text: 'Count twice' } as const,
    ]
    await billing.db.insert(comment).values([
      { ...row, id: parentId, userId: asker.id, createdAt: ago(1) },
      { ...row, id: crypto.randomUUID(), parentId, userId: other.id, createdAt: ago(0.1), publishedAt: ago(0.1) },
    ])
    return () => emailsTo(asker.email)
  },
  'resume-price-moves': async () => {
    const member = await billing.user()
    const id = crypto.randomUUID()
    const dates = { createdAt: ago(40), updatedAt: ago(40) }
    const terms = {
      plan: 'pro_monthly',
      priceId: 'price_new',
      priceCents: 1200,
      currency: 'usd',
      interval: 'month' as const,
    }
    await billing.db.insert(priceMove).values({ id, ...terms, noticeDays: 30, status: 'announced', ...dates })
    await billing.db.insert(priceMoveMember).values({
      ...{ moveId: id, userId: member.id, subscriptionId: 'sub_1', oldCents: 1000, newCents: 1200 },
      ...{ effectiveAt: ago(-2), state: 'announced', changedAt: ago(40) },
    })
    return () => billing.db.$count(priceMove, ne(priceMove.status, 'announced'))
  },
  'staff-emails': async () => {
    const owner = await billing.user({ admin: true })
    await billing.db.insert(staffEmailChoice).values({ userId: owner.id, kind: 'canceled', chosenAt: ago(1) })
    await billing.db.insert(staffEvent).values({ kind: 'canceled', count: 1 })
    return () => emailsTo(owner.email)
  },
  gifts: async () => {
    await billing.db.insert(gift).values({
      ...{ id: crypto.randomUUID(), state: 'scheduled', giverName: 'Gwen', giverEmail: 'gwen@example.test' },
      ...{ recipientName: 'Remy', recipientEmail: 'remy@example.test', message: '', deliverOn: '2026-11-28' },
      ...{ deliverAt: ago(1), plan: 'pro_yearly', amountCents: 9900, currency: 'usd', months: 12 },
      ...{ giverTokenHash: crypto.randomUUID(), paidAt: ago(2), createdAt: ago(2) },
    })
    return () => emailsTo('remy@example.test')
  },
  purchases: async () => {
    await billing.db.insert(purchase).values({
      ...{ id: crypto.randomUUID(), plan: 'pro_yearly', once: 'forever', interval: 'year', intervalCount: 1 },
      ...{ state: 'unpaid', amountCents: 9900, currency: 'usd', terms: '', createdAt: ago(5) },
    })
    return async () => 1 - (await billing.db.$count(purchase))
  },
  'end-due-pauses': async () => {
    const user = await billing.user()
    await billing.checkout(user)
    const customer = await billing.customerOf(user)
    const { id, items } = await subscribe(billing.api, customer, billing.priceOf('pro_yearly'))
    const end = items.data[0]?.current_period_end ?? 0
    const clock = await startClock(billing.api, customer)
    const pause = { pause_collection: { behavior: 'void' as const }, metadata: { pause_ends_at: String(end + 86_400) } }
    await billing.api.subscriptions.update(id, pause)
    await travel(billing.api, clock.id, new Date((end + 2 * 86_400) * 1000))
    await syncCustomer(billing.deps, customer)
    return async () => (await billing.api.invoices.list({ customer, status: 'paid' })).data.length
  },
  withdrawals: async () => {
    const user = await billing.user()
    await billing.checkout(user)
    const customer = await billing.customerOf(user)
    const { id } = await subscribe(billing.api, customer, billing.priceOf('pro_monthly'))
    await billing.db.insert(withdrawal).values({
      ...{ id: crypto.randomUUID(), name: 'Ana', email: user.email, tokenHash: id, contract: `plan:${id}` },
      ...{ declaredAt: ago(1), confirmedAt: ago(1), refundCents: 1000, currency: 'usd' },
    })
    return () => billing.db.$count(withdrawal, isNotNull(withdrawal.settledAt))
  },
  referrals: async () => {
    const { id: refereeId } = await billing.user()
    await billing.db
      .insert(referral)
      .values({ id: crypto.randomUUID(), refereeId, state: 'pending', createdAt: ago(91) })
    return async () => 1 - (await billing.db.$count(referral))
  },
  series: async () => {
    const member = await billing.user()
    const id = crypto.randomUUID()
    const step = { kind: 'email', id: crypto.randomUUID(), subject: 'Hello', preheader: '', body: 'Hello.' }
    const dates = { turnedOnAt: ago(1), createdAt: ago(1), updatedAt: ago(1) }
    await billing.db
      .insert(series)
      .values({ id, name: 'Welcome', status: 'on', trigger: { kind: 'paid_start' }, steps: [step], ...dates })
    await billing.db.insert(seriesEntry).values({ seriesId: id, userId: member.id, enteredAt: ago(1), dueAt: ago(1) })
    return () => countOf('series')
  },
  'read-bounce-mailbox': async () => {
    writeFileSync(join(mailbox.directory, 'new', 'report'), 'Subject: hello\r\n\r\nHello.')
    return () => 1 - readdirSync(join(mailbox.directory, 'new')).length
  },
}

/** Scheduled jobs that stay in the house, and why. */
const inHouse: Record<string, string> = {
  'sweep-invitations': 'deletes rows',
  'sweep-expired': 'deletes rows',
  'sweep-connections': 'deletes rows',
  'delete-old-visits': 'deletes rows',
  'newsletter-delete-old-usage': 'deletes rows',
  'email-usual-hours': 'computes the hour at which readers read',
  'missing-guide-texts': 'reads uploaded files',
  'delete-expired-archives': 'deletes files',
  'record-ended-views': 'writes the staff log',
  'purge-webhook-events': 'deletes rows',
  'purge-deleted-documents': 'deletes rows',
  'delete-unused-recordings': 'deletes files',
  'stripe-adoption-maintenance': 'deletes rows',
  'member-import-maintenance': 'deletes rows',
  'delete-old-post-files': 'deletes files',
  'delete-task-photos': 'deletes files',
  'announce-drops': 'enqueues notes for devices, which aren’t sent on hold',
  backup: 'of this installation, as its environment says',
  'backup-drill': 'of this installation',
  'backup-check': 'of this installation; tells its owners about its backups',
}

describe('on hold after a restore or an import', () => {
  test('each scheduled job is known to stay in the house, or to respect the hold', () => {
    const known = [...Object.keys(outgoing), ...Object.keys(inHouse)]
    expect(schedules().filter((name) => !known.includes(name))).toEqual([])
    expect(Object.keys(outgoing).filter((name) => !schedules().includes(name))).toEqual([])
  })

  test.each(Object.entries(outgoing))('%s waits, and goes on when the hold ends', async (name, prepare) => {
    const left = await prepare()
    const before = await left()
    await setHold()
    await run(name)
    expect(await left()).toBe(before)
    await releaseHold()
    // Each customer is compared with Stripe once a day.
    if (name === 'reconcile-billing') billing.server.clock.advance(dayMs)
    await run(name)
    billing.server.clock.now = now
    // Notices of the time of the hold count as sent.
    if (name === 'billing-notices' || name === 'publishing-due') expect(await left()).toBe(before)
    else expect(await left()).toBeGreaterThan(before)
  })

  test('mailings that are due or open wait', async () => {
    const mailing = { kind: 'issue', subject: 'A', preheader: '', audience: everyone, createdAt: now, updatedAt: now }
    const [due] = await billing.db
      .insert(mailings)
      .values([{ ...mailing, id: crypto.randomUUID(), status: 'scheduled', scheduledAt: ago(1) }] as never)
      .returning()
    const [open] = await billing.db
      .insert(mailings)
      .values([{ ...mailing, id: crypto.randomUUID(), status: 'sending', startedAt: ago(1) }] as never)
      .returning()
    const found = async () => (await findMailings(billing.db, now)).map(({ id }) => id)
    expect(await found()).toEqual(expect.arrayContaining([due?.id, open?.id]))
    await setHold()
    expect(await found()).toEqual([])
    await releaseHold()
    await billing.db.delete(mailings).where(sql`${mailings.id} in (${due?.id}, ${open?.id})`)
  })
})

test('all staff can see that automatic email is on hold, with the settings that every admin page reads', async () => {
  const editor = await billing.user({ role: 'editor' })
  const isOnHold = async () => (await billing.call('admin-sending-settings', {}, editor)).body.isOnHold
  expect(await isOnHold()).toBe(false)
  await setHold()
  expect(await isOnHold()).toBe(true)
  await releaseHold()
  expect(await isOnHold()).toBe(false)
})
