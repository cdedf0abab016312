import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { billingCustomer, emailPreferences, importedStripeCustomer, users } from '#server/db/schema/index.ts'
import { membersCsv } from '#server/features/operations/archive/write-members-csv.ts'
import { ageAuthentication, auditEntries } from '#tests/integration/account/support.ts'
import { latestEmail, pressConfirm } from '#tests/integration/auth/email-flows.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const server = openForTests(() => createTestApp())
/** The outbox is shared between tests, so each has its own domain. */
let rounds = 0
const at = (name: string) => `${name}@round${rounds}.test`
let owner: TestUser
let support: TestUser
let mia: TestUser
beforeEach(async () => {
  await server.database.truncate()
  server.clock.now = new Date('2026-03-08T12:00:00Z')
  rounds += 1
  owner = await buildUser(server, { admin: true, email: at('owner') })
  support = await buildUser(server, { role: 'support', email: at('support') })
  mia = await buildUser(server, { email: at('mia'), data: { full_name: 'Mia' } })
  await server.database.db.update(users).set({ lastSignInAt: server.clock.now }).where(eq(users.id, mia.id))
})

const ask = async (name: string, body: object, who = owner) => call(server, name, body, who.token)
const accountOf = async (id: string) =>
  (await server.database.db.select().from(users).where(eq(users.id, id)))[0] ?? null
const subjectsTo = (email: string) => server.outbox.list(email).map(({ subject }) => subject)

describe('adding a member', () => {
  const id = crypto.randomUUID()
  const add = (given: object = {}, who = owner) =>
    ask(
      'admin-add-member',
      { id, email: ` ${at('Zoe')}`, name: 'Zoe', emails: 'confirm', complimentaryUntil: null, ...given },
      who,
    )

  test('asks for confirmation once, and starts the free edition with it', async () => {
    expect(await add()).toMatchObject({ status: 200, body: { userId: id } })
    expect(await add()).toMatchObject({ status: 200 })
    expect(subjectsTo(at('zoe'))).toEqual(['Confirm your email address for Front Counter'])
    expect(await accountOf(id)).toMatchObject({ email: at('zoe'), emailConfirmedAt: null })
    const [choices] = await server.database.db.select().from(emailPreferences).where(eq(emailPreferences.userId, id))
    expect(choices?.freeSince).toEqual(server.clock.now)
    expect((await auditEntries(server, 'member_created')).map(({ email }) => email)).toEqual([at('zoe')])
  })

  test('with consent that staff answer for, sends nothing and counts the address as confirmed', async () => {
    expect(await add({ emails: 'vouched' }, support)).toMatchObject({ status: 200 })
    expect(subjectsTo(at('zoe'))).toEqual([])
    expect(await accountOf(id)).toMatchObject({ emailConfirmedAt: server.clock.now })
  })

  test('with complimentary access, announces it', async () => {
    await add({ emails: 'vouched', complimentaryUntil: '2026-06-30T23:59:59Z' })
    expect(subjectsTo(at('zoe'))).toHaveLength(1)
    const { body } = await ask('admin-member', { userId: id })
    expect(body).toMatchObject({ name: 'Zoe', hasAccess: true })
  })

  test.each([
    ['an address that another account has', () => ({ email: mia.email }), 'email_exists'],
    ['an id of another account', () => ({ id: mia.id }), 'email_exists'],
    ['no address', () => ({ email: 'zoe' }), 'validation_failed'],
    ['a day that has passed', () => ({ complimentaryUntil: '2026-03-07T23:59:59Z' }), 'validation_failed'],
  ])('with %s adds no one', async (_what, given, code) => {
    const answer = await add(given())
    expect(answer.body.code).toBe(code)
    expect(await accountOf(id)).toBeNull()
    expect(subjectsTo(at('zoe'))).toEqual([])
  })

  test('of two staff who add the same address at once, one does', async () => {
    const answers = await Promise.all([add(), add({ id: crypto.randomUUID() }, support)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422])
  })

  test('needs a recent sign-in', async () => {
    await ageAuthentication(server, owner)
    expect((await add()).body.code).toBe('step_up_required')
  })
})

describe('changing a member', () => {
  const known = () => ({ name: 'Mia', email: at('mia') })
  const change = (given: object = {}, who = owner) =>
    ask('admin-change-member', { userId: mia.id, ...known(), known: known(), ...given }, who)

  test('changes the name, and removes it', async () => {
    expect(await change({ name: 'Mia Lopez' })).toMatchObject({ status: 200, body: { address: 'none' } })
    expect((await accountOf(mia.id))?.rawUserMetaData).toMatchObject({ full_name: 'Mia Lopez' })
    expect(await change({ name: '', known: { ...known(), name: 'Mia Lopez' } })).toMatchObject({ status: 200 })
    expect((await ask('admin-member', { userId: mia.id })).body.name).toBeNull()
  })

  test('changes the address once both mailboxes have confirmed it', async () => {
    expect(await change({ email: at('new') }, support)).toMatchObject({ body: { address: 'awaiting-both' } })
    expect((await ask('admin-member', { userId: mia.id })).body.pendingEmail).toBe(at('new'))
    await pressConfirm(server, latestEmail(server, at('new')).link)
    expect((await accountOf(mia.id))?.email).toBe(at('mia'))
    await pressConfirm(server, latestEmail(server, at('mia')).link)
    expect((await accountOf(mia.id))?.email).toBe(at('new'))
    expect((await ask('admin-member', { userId: mia.id })).body.pendingEmail).toBeNull()
  })

  test('an owner can leave out an old mailbox that is lost, which is told', async () => {
    const answer = await change({ email: at('new'), isOldMailboxLost: true })
    expect(answer.body).toEqual({ address: 'awaiting-new' })
    expect(subjectsTo(at('mia'))).toEqual(['Email change requested for Front Counter'])
    await pressConfirm(server, latestEmail(server, at('new')).link)
    expect((await accountOf(mia.id))?.email).toBe(at('new'))
    expect(subjectsTo(at('mia'))).toContain('Your Front Counter email address was changed')
  })

  test('support can’t leave it out', async () => {
    const answer = await change({ email: at('new'), isOldMailboxLost: true }, support)
    expect(answer.body).toEqual({ address: 'awaiting-both' })
  })

  test('an address that was never used is replaced at once', async () => {
    const id = crypto.randomUUID()
    const added = { id, email: at('tpyo'), name: null, emails: 'confirm', complimentaryUntil: null }
    expect(await ask('admin-add-member', added)).toMatchObject({ status: 200 })
    const wanted = { userId: id, name: null, email: at('typo'), known: { name: null, email: at('tpyo') } }
    expect((await ask('admin-change-member', wanted)).body).toEqual({ address: 'replaced' })
    // A second click finds its own change.
    expect((await ask('admin-change-member', wanted)).body).toEqual({ address: 'none' })
    expect(await accountOf(id)).toMatchObject({ email: at('typo'), emailConfirmedAt: null })
  })

  test('an address that another account has is refused, and the name stays', async () => {
    const answer = await change({ name: 'Other', email: at('support') })
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'email_exists', error: 'Another account has this address.' },
    })
    expect((await accountOf(mia.id))?.rawUserMetaData).toMatchObject({ full_name: 'Mia' })
  })

  test('of two staff, the second is told about the first', async () => {
    await change({ name: 'Mia Lopez' })
    expect(await change({ name: 'Mia L.' }, support)).toMatchObject({ status: 409, body: { code: 'edit_conflict' } })
    expect((await ask('admin-member', { userId: mia.id })).body.name).toBe('Mia Lopez')
  })

  test('addresses of the staff are changed by themselves', async () => {
    const wanted = { userId: support.id, name: null, email: at('new'), known: { name: null, email: support.email } }
    const answer = await ask('admin-change-member', wanted)
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect((await accountOf(support.id))?.emailChange).toBeNull()
    expect((await ask('admin-change-member', wanted, support)).body.code).toBe('staff_account')
  })
})

test('a member who paid elsewhere has the Stripe customer of the import until it is linked, in the archive too', async () => {
  const { db } = server.database
  await db.insert(importedStripeCustomer).values({ userId: mia.id, stripeCustomerId: 'cus_elsewhere' })
  const page = async () => (await ask('admin-member', { userId: mia.id })).body.unlinkedStripeCustomer
  const csv = () =>
    db.transaction(async (tx) => {
      let text = ''
      for await (const part of membersCsv(tx, server.clock.now)) text += part
      return text
    })
  expect(await page()).toBe('cus_elsewhere')
  expect(await csv()).toContain(',cus_elsewhere,')
  await db.insert(billingCustomer).values({ userId: mia.id, stripeCustomerId: 'cus_linked' })
  expect(await page()).toBeNull()
  expect(await csv()).toContain(',cus_linked,')
})

describe('deleting a member', () => {
  const remove = (given: object = {}, who = owner) =>
    ask('admin-delete-member', { userId: mia.id, typedEmail: at('Mia'), ...given }, who)

  test('deletes the account once, tells the member, and keeps an entry without the address', async () => {
    expect(await remove()).toMatchObject({ status: 200 })
    expect(await remove()).toMatchObject({ status: 200 })
    expect(await accountOf(mia.id)).toBeNull()
    expect(subjectsTo(mia.email)).toEqual(['Your Front Counter account is deleted'])
    const entries = await auditEntries(server, 'account_deleted')
    expect(entries).toMatchObject([{ email: 'deleted account', by: owner.email, actor_id: owner.id }])
    expect(JSON.stringify(entries)).not.toContain(mia.email)
  })

  test.each([
    ['another address than the member’s', () => ({ typedEmail: 'mia@other.test' }), 'confirmation_mismatch'],
    ['their own account', () => ({ userId: owner.id, typedEmail: owner.email }), 'validation_failed'],
    ['someone on the staff', () => ({ userId: support.id, typedEmail: support.email }), 'validation_failed'],
  ])('an owner who names %s deletes nothing', async (_what, given, code) => {
    expect((await remove(given())).body.code).toBe(code)
    expect(await accountOf(mia.id)).not.toBeNull()
    expect(await accountOf(owner.id)).not.toBeNull()
    expect(await accountOf(support.id)).not.toBeNull()
  })

  test('is for owners who confirmed who they are', async () => {
    expect((await remove({}, support)).body.code).toBe('role_not_allowed')
    await ageAuthentication(server, owner)
    expect((await remove()).body.code).toBe('step_up_required')
    expect(await accountOf(mia.id)).not.toBeNull()
  })
})
