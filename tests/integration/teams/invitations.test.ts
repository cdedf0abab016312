import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { subscriptionState, teamInvitation, users } from '#server/db/schema/index.ts'
import { sweepInvitations } from '#server/features/billing/teams/feature.ts'
import { buildUser, type TestUser } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'
import { ageAuthentication, auditEntries } from '../account/support.ts'
import { as, buildOwner, createTeamApp, dayMs, invitationIn, invite, seat, seatsOf, subjectsTo } from './support.ts'

let server: TestApp
let owner: TestUser
beforeAll(async () => {
  server = await createTeamApp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.database.truncate()
  owner = await buildOwner(server)
})

const rows = () => server.database.db.select().from(teamInvitation)
const refused = (code: string, status: number) => ({ status, body: { code, error: expect.any(String) } })

describe('inviting', () => {
  test('emails a link and a code to the lowercase address and stores neither', async () => {
    expect(await as(server, owner)('invite-member', { email: ' Mia@Example.TEST ' })).toMatchObject({ status: 200 })
    const { token, code } = invitationIn(server, 'mia@example.test')
    const stored = JSON.stringify(await rows())
    expect(stored).toContain('mia@example.test')
    for (const secret of [token, code, code.replace('-', '')]) expect(stored).not.toContain(secret)
    const [message] = server.outbox.list('mia@example.test')
    expect(message?.text).toContain(owner.email)
    expect((await as(server, owner)('team')).body.owned).toMatchObject({
      active: true,
      seats: { total: 3, taken: 1 },
      members: [],
      invitations: [{ email: 'mia@example.test', expired: false }],
    })
    expect(await auditEntries(server, 'team_invitation_sent', owner.id)).toMatchObject([{ note: 'mia@example.test' }])
  })

  test.each(['', 'nobody', 'a b@example.test', 'x@y', `${'x'.repeat(300)}@example.test`, "x'\u0000@example.test"])(
    'refuses %j, which isn’t an address',
    async (email) => {
      const { status, body } = await as(server, owner)('invite-member', { email })
      expect([status, body.code]).toEqual([400, 'validation_failed'])
      expect(await rows()).toEqual([])
    },
  )

  test('refuses undeliverable addresses', async () => {
    const answer = await as(server, owner)('invite-member', { email: 'mia@mailbox.invalid' })
    expect(answer).toMatchObject(refused('email_address_invalid', 400))
  })

  test('requires an active Team plan, a confirmed address and step-up', async () => {
    const email = 'nobody-wrote@example.test'
    const pro = await buildUser(server, { subscription: 'active' })
    expect(await as(server, pro)('invite-member', { email })).toMatchObject(refused('no_team_plan', 403))
    const late = await buildOwner(server, { subscription: 'canceled' })
    expect(await as(server, late)('invite-member', { email })).toMatchObject(refused('no_team_plan', 403))
    const unproven = await buildOwner(server, { confirmed: false })
    expect(await as(server, unproven)('invite-member', { email })).toMatchObject(refused('address_not_confirmed', 403))
    await ageAuthentication(server, owner, 61 * dayMs)
    expect(await as(server, owner)('invite-member', { email })).toMatchObject(refused('step_up_required', 403))
    expect((await call(server, 'invite-member', { email })).status).toBe(401)
    expect(server.outbox.list(email)).toEqual([])
    expect(await rows()).toEqual([])
  })

  test('refuses the owner, members, and everyone once all seats are taken', async () => {
    const mia = await buildUser(server)
    await seat(server, owner, mia)
    for (const email of [owner.email, mia.email]) {
      expect(await as(server, owner)('invite-member', { email })).toMatchObject(refused('already_member', 409))
    }
    await seat(server, owner, await buildUser(server))
    expect(await as(server, owner)('invite-member', { email: 'x@example.test' })).toMatchObject(
      refused('team_full', 409),
    )
  })

  test('allows ten open invitations; revoked and expired ones do not count', async () => {
    for (let n = 0; n < 10; n += 1) await invite(server, owner, `guest-${n}@example.test`)
    const more = () => as(server, owner)('invite-member', { email: 'guest-10@example.test' })
    expect(await more()).toMatchObject(refused('too_many_invitations', 409))
    const [first] = await rows()
    expect((await as(server, owner)('revoke-invitation', { id: first?.id })).body).toEqual({ revoked: true })
    expect((await more()).status).toBe(200)
    server.clock.advance(7 * dayMs)
    expect((await as(server, owner)('invite-member', { email: 'guest-11@example.test' })).status).toBe(200)
  })

  test('sends one email per address and minute, and thirty per day', async () => {
    const { code } = await invite(server, owner, 'mia@example.test')
    const repeat = () => as(server, owner)('invite-member', { email: 'mia@example.test' })
    expect(await repeat()).toMatchObject(refused('over_email_send_rate_limit', 429))
    server.clock.advance(60_000)
    expect((await repeat()).status).toBe(200)
    expect(invitationIn(server, 'mia@example.test').code).not.toBe(code)
    expect(await rows()).toHaveLength(1)
    for (let n = 2; n < 30; n += 1) {
      const { body } = await as(server, owner)('team')
      const [open] = (body.owned as { invitations: { id: string }[] }).invitations
      await as(server, owner)('revoke-invitation', { id: open?.id })
      await invite(server, owner, `guest-${n}@example.test`)
    }
    expect(await as(server, owner)('invite-member', { email: 'last@example.test' })).toMatchObject(
      refused('over_email_send_rate_limit', 429),
    )
  })

  test('resending creates a new link for another seven days; the old link and code stop working', async () => {
    const mia = await buildUser(server)
    const old = await invite(server, owner, mia.email)
    const [row] = await rows()
    server.clock.advance(60_000)
    expect((await as(server, owner)('resend-invitation', { id: row?.id })).status).toBe(200)
    const fresh = invitationIn(server, mia.email)
    expect(await as(server, mia)('join-team', { token: old.token })).toMatchObject(refused('invitation_invalid', 404))
    expect(await as(server, mia)('join-team', { email: mia.email, code: old.code })).toMatchObject(
      refused('invitation_invalid', 404),
    )
    expect((await rows())[0]?.expiresAt).toEqual(new Date(server.clock.now.getTime() + 7 * dayMs))
    expect((await as(server, mia)('join-team', { token: fresh.token })).status).toBe(200)
  })

  test('another owner’s invitation can be neither resent nor revoked', async () => {
    const stranger = await buildOwner(server)
    const { token } = await invite(server, owner, 'mia@example.test')
    const [row] = await rows()
    expect((await as(server, stranger)('revoke-invitation', { id: row?.id })).body).toEqual({ revoked: false })
    expect(await as(server, stranger)('resend-invitation', { id: row?.id })).toMatchObject(refused('not_found', 404))
    expect((await call(server, 'team-invitation', { token })).body.status).toBe('open')
  })
})

describe('the page behind the link', () => {
  const readInvitation = async (token: string) => (await call(server, 'team-invitation', { token })).body

  test('shows who invites whom and the status, and changes nothing', async () => {
    const mia = await buildUser(server)
    const { token } = await invite(server, owner, mia.email)
    const before = await rows()
    const facts = { email: mia.email, ownerEmail: owner.email }
    expect(await readInvitation(token)).toEqual({ ...facts, status: 'open' })
    expect(await rows()).toEqual(before)
    await seat(server, owner, await buildUser(server))
    await seat(server, owner, await buildUser(server))
    expect(await readInvitation(token)).toEqual({ ...facts, status: 'full' })
    server.clock.advance(7 * dayMs)
    expect(await readInvitation(token)).toEqual({ ...facts, status: 'expired' })
  })

  test('shows that it was used or that the plan is inactive', async () => {
    const mia = await buildUser(server)
    const { token } = await invite(server, owner, mia.email)
    await seatByToken(mia, token)
    expect((await readInvitation(token)).status).toBe('used')
    const other = await invite(server, owner, 'noah@example.test')
    server.clock.advance(6 * dayMs)
    await endPlan()
    expect((await readInvitation(other.token)).status).toBe('lapsed')
  })

  test('refuses an invented link', async () => {
    expect(await call(server, 'team-invitation', { token: 'x'.repeat(43) })).toMatchObject(
      refused('invitation_invalid', 404),
    )
    expect((await call(server, 'team-invitation', { token: '' })).status).toBe(400)
  })
})

const seatByToken = async (user: TestUser, token: string) =>
  expect((await as(server, user)('join-team', { token })).status).toBe(200)
const endPlan = () =>
  server.database.db.update(subscriptionState).set({ status: 'canceled' }).where(eq(subscriptionState.userId, owner.id))

describe('joining', () => {
  test('by link takes a seat, works once, and emails the owner', async () => {
    const mia = await buildUser(server)
    const { token } = await invite(server, owner, mia.email)
    expect((await as(server, mia)('join-team', { token })).body).toEqual({ joined: true, ownPlan: false })
    expect(await seatsOf(server, owner)).toMatchObject([{ seat: 2, userId: mia.id }])
    expect(subjectsTo(server, owner)).toEqual([`${mia.email} joined your team`])
    expect(await auditEntries(server, 'team_joined', mia.id)).toHaveLength(1)
    // Clicked twice, or in a second tab.
    expect((await as(server, mia)('join-team', { token })).body).toEqual({ joined: true, ownPlan: false })
    expect(subjectsTo(server, owner)).toHaveLength(1)
    await as(server, owner)('remove-member', { userId: mia.id })
    expect(await as(server, mia)('join-team', { token })).toMatchObject(refused('invitation_used', 410))
    expect(await seatsOf(server, owner)).toEqual([])
    // After a new invitation, the same user can rejoin.
    server.clock.advance(60_000)
    await seatByToken(mia, (await invite(server, owner, mia.email)).token)
    expect(await seatsOf(server, owner)).toHaveLength(1)
  })

  test('by code works however it is typed, with the invited address', async () => {
    const mia = await buildUser(server)
    const { code } = await invite(server, owner, mia.email)
    const typed = code.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    const answer = await as(server, mia)('join-team', { email: mia.email.toUpperCase(), code: typed })
    expect(answer).toMatchObject({ status: 200 })
  })

  test('is refused to an account with another address, which cannot claim the invited one either', async () => {
    const mia = await buildUser(server)
    const eve = await buildUser(server)
    const { token, code } = await invite(server, owner, mia.email)
    for (const input of [{ token }, { email: mia.email, code }]) {
      expect(await as(server, eve)('join-team', input)).toMatchObject(refused('invitation_wrong_address', 403))
    }
    expect(await as(server, eve)('join-team', { email: eve.email, code })).toMatchObject(
      refused('invitation_invalid', 404),
    )
    expect(await seatsOf(server, owner)).toEqual([])
    await seatByToken(mia, token)
  })

  test('confirms the account’s address, since the invitation was emailed there', async () => {
    const mia = await buildUser(server, { confirmed: false })
    const { token } = await invite(server, owner, mia.email)
    await seatByToken(mia, token)
    const [row] = await server.database.db.select().from(users).where(eq(users.id, mia.id))
    expect(row?.emailConfirmedAt).not.toBeNull()
    expect(await auditEntries(server, 'address_confirmed', mia.id)).toHaveLength(1)
  })

  test('rate limits code attempts per account', async () => {
    const eve = await buildUser(server, { confirmed: false })
    const { code, token } = await invite(server, owner, eve.email)
    for (let n = 0; n < 10; n += 1) {
      const wrong = await as(server, eve)('join-team', { email: eve.email, code: `ZZZZ-000${n}` })
      expect(wrong).toMatchObject(refused('invitation_invalid', 404))
    }
    expect(await as(server, eve)('join-team', { email: eve.email, code })).toMatchObject(
      refused('over_request_rate_limit', 429),
    )
    expect(await seatsOf(server, owner)).toEqual([])
    expect((await call(server, 'team-invitation', { token })).body.status).toBe('open')
  })

  test('is refused after seven days and without an active plan', async () => {
    const mia = await buildUser(server)
    const { token } = await invite(server, owner, mia.email)
    server.clock.advance(7 * dayMs - 1)
    const late = await buildUser(server)
    const other = await invite(server, await buildOwner(server), late.email)
    await endPlan()
    expect(await as(server, mia)('join-team', { token })).toMatchObject(refused('team_plan_lapsed', 409))
    server.clock.advance(1)
    expect(await as(server, mia)('join-team', { token })).toMatchObject(refused('invitation_expired', 410))
    await seatByToken(late, other.token)
  })

  test('is refused to users with another seat or their own team', async () => {
    const mia = await buildUser(server)
    await seat(server, await buildOwner(server), mia)
    const { token } = await invite(server, owner, mia.email)
    expect(await as(server, mia)('join-team', { token })).toMatchObject(refused('already_in_team', 409))
    const boss = await buildOwner(server)
    const second = await invite(server, owner, boss.email)
    expect(await as(server, boss)('join-team', { token: second.token })).toMatchObject(refused('already_in_team', 409))
  })

  test('tells users who pay for their own plan', async () => {
    const pro = await buildUser(server, { subscription: 'active' })
    const { token } = await invite(server, owner, pro.email)
    expect((await as(server, pro)('join-team', { token })).body).toEqual({ joined: true, ownPlan: true })
  })

  test('is refused for a revoked invitation', async () => {
    const mia = await buildUser(server)
    const { token } = await invite(server, owner, mia.email)
    const [row] = await rows()
    await as(server, owner)('revoke-invitation', { id: row?.id })
    expect(await as(server, mia)('join-team', { token })).toMatchObject(refused('invitation_invalid', 404))
  })
})

test('old invitations are deleted with their addresses', async () => {
  await invite(server, owner, 'mia@example.test')
  server.clock.advance(37 * dayMs)
  await sweepInvitations(server.deps)
  expect(await rows()).toHaveLength(1)
  server.clock.advance(1)
  await sweepInvitations(server.deps)
  expect(await rows()).toEqual([])
})
