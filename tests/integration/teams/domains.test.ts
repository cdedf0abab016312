import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import {
  formerTeamMember,
  identities,
  seatRequest,
  subscriptionState,
  teamDomain,
  users,
} from '#server/db/schema/index.ts'
import type { TeamView } from '#shared/contracts/billing/teams.ts'
import { buildUser, type TestUser, type UserOptions } from '#tests/support/build-user.ts'
import type { TestApp } from '#tests/support/create-test-app.ts'
import '#tests/support/property-seed.ts'
import { as, buildOwner, createTeamApp, dayMs, invite, seat, seatsOf, subjectsTo } from './support.ts'

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

const codeTo = (email: string) =>
  /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(server.outbox.list(email)[0]?.text ?? '')?.[0] ?? ''

async function prove(domain: string, who = owner) {
  const email = `it@${domain}`
  expect(await as(server, who)('add-team-domain', { email })).toMatchObject({ status: 200, body: { domain } })
  return as(server, who)('prove-team-domain', { domain, code: codeTo(email) })
}

async function signIn(user: Pick<TestUser, 'email' | 'password'>, app = server.app) {
  const answer = await app.request('/auth/v1/token?grant_type=password', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: user.email, password: user.password }),
  })
  return (await answer.json()) as { access_token: string }
}

const build = (email: string, options: UserOptions = {}) => buildUser(server, { email, ...options })
const teamOf = async (user: TestUser) => (await as(server, user)('team')).body as unknown as TeamView
const seated = async () => (await seatsOf(server, owner)).map(({ userId }) => userId)

/** Team Monthly has three seats; this fills the last two. */
async function fill() {
  for (const name of ['one', 'two']) await seat(server, owner, await build(`${name}@elsewhere.test`))
}

test('whoever signs in with a confirmed address at a proven domain has a seat, in upper case and with a plus too', async () => {
  await prove('bakery.test')
  const ana = await build('Ana+portal@Bakery.Test')
  await signIn(ana)
  expect(await seated()).toEqual([ana.id])
  expect((await teamOf(ana)).membership).toMatchObject({ active: true, ownerEmail: owner.email })
  expect(subjectsTo(server, owner)).toContain('ana+portal@bakery.test joined your team')
  await signIn(ana)
  expect(await seated()).toEqual([ana.id])
})

test('an internationalized domain is one domain in either form', async () => {
  const answer = await as(server, owner)('add-team-domain', { email: 'it@Bücher.test' })
  expect(answer.body).toEqual({ domain: 'xn--bcher-kva.test' })
  const code = codeTo('it@xn--bcher-kva.test')
  await as(server, owner)('prove-team-domain', { domain: 'xn--bcher-kva.test', code })
  const ana = await build('ana@bücher.test')
  await signIn(ana)
  expect(await seated()).toEqual([ana.id])
})

test.each([
  ['at a subdomain', 'ana@shop.bakery.test', {}],
  ['at a domain that ends alike', 'ana@notbakery.test', {}],
  ['not confirmed', 'ana@bakery.test', { confirmed: false }],
  ['of someone who pays for a plan', 'ana@bakery.test', { subscription: 'active' }],
  ['of someone with a team', 'ana@bakery.test', { subscription: 'active', plan: 'team_monthly' }],
] as const)('an address gives no seat: %s', async (_what, email, options) => {
  await prove('bakery.test')
  await signIn(await build(email, options))
  expect(await seated()).toEqual([])
  expect((await teamOf(owner)).owned?.requests).toEqual([])
})

test('an address that counts as confirmed without a check by email gives no seat', async () => {
  await prove('bakery.test')
  const ana = await build('ana@bakery.test')
  await server.database.db
    .update(identities)
    .set({ identityData: { email: ana.email, email_verified: false } })
    .where(eq(identities.userId, ana.id))
  await signIn(ana)
  expect(await seated()).toEqual([])
})

test('confirming a new account gives the seat at once', async () => {
  await prove('bakery.test')
  await server.app.request('/auth/v1/signup', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'new@bakery.test', password: 'eleven brave otters' }),
  })
  expect(await seated()).toEqual([])
  const token = /\b\d{6}\b/.exec(server.outbox.list('new@bakery.test')[0]?.text ?? '')?.[0]
  await server.app.request('/auth/v1/verify', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ type: 'signup', email: 'new@bakery.test', token }),
  })
  expect(await seated()).toHaveLength(1)
})

test('an unproven, expired or removed domain gives no seat, and members stay when a domain is removed', async () => {
  const [ana, ben] = [await build('ana@bakery.test'), await build('ben@bakery.test')]
  await as(server, owner)('add-team-domain', { email: 'it@bakery.test' })
  await signIn(ana)
  expect(await seated()).toEqual([])
  server.clock.advance(31 * 60_000)
  const late = { domain: 'bakery.test', code: codeTo('it@bakery.test') }
  expect((await as(server, owner)('prove-team-domain', late)).body.code).toBe('domain_code_invalid')
  await prove('bakery.test')
  await signIn(ana)
  expect((await as(server, owner)('remove-team-domain', { domain: 'bakery.test' })).body).toEqual({ removed: true })
  await signIn(ben)
  expect(await seated()).toEqual([ana.id])
})

test('a code works once, for its domain and team, and not after five wrong tries', async () => {
  const other = await buildOwner(server)
  await as(server, owner)('add-team-domain', { email: 'it@bakery.test' })
  const code = codeTo('it@bakery.test')
  const tryCode = (given: string, who = owner) =>
    as(server, who)('prove-team-domain', { domain: 'bakery.test', code: given })
  expect((await tryCode(code, other)).status).toBe(400)
  for (let time = 0; time < 5; time += 1) expect((await tryCode('0000-0000')).body.code).toBe('domain_code_invalid')
  expect((await tryCode(code)).body.code).toBe('domain_code_invalid')
  server.clock.advance(61_000)
  await as(server, owner)('add-team-domain', { email: 'it@bakery.test' })
  const fresh = codeTo('it@bakery.test')
  expect((await tryCode(code)).status).toBe(400)
  // Two tabs: both say yes, and nothing happens twice.
  expect((await Promise.all([tryCode(fresh.toLowerCase()), tryCode(fresh)])).map(({ status }) => status)).toContain(200)
  expect((await tryCode(fresh)).body).toEqual({ proven: true })
  const [row] = await server.database.db.select().from(teamDomain)
  expect(row).toMatchObject({ codeHash: null, provenAt: expect.any(Date) })
})

test.each([
  ['it@hey.com', 'Anyone can get an address at hey.com, so it can’t give access. Use your company’s own domain.'],
  ['it@gmail.com', 'Anyone can get an address at gmail.com, so it can’t give access. Use your company’s own domain.'],
  [
    'it@Outlook.com',
    'Anyone can get an address at outlook.com, so it can’t give access. Use your company’s own domain.',
  ],
  ['bakery.test', 'Unable to validate email address: invalid format'],
  ['it@', 'Unable to validate email address: invalid format'],
])('%s is refused in words, and changes nothing', async (email, error) => {
  expect(await as(server, owner)('add-team-domain', { email })).toMatchObject({ status: 400, body: { error } })
  expect(await server.database.db.select().from(teamDomain)).toEqual([])
})

test('a domain of another team is refused without its owner, until that team’s plan ends', async () => {
  const other = await buildOwner(server)
  await prove('bakery.test', other)
  const refused = await as(server, owner)('add-team-domain', { email: 'it@bakery.test' })
  expect(refused).toMatchObject({ status: 409, body: { code: 'domain_taken' } })
  expect(JSON.stringify(refused.body)).not.toContain(other.email)
  await server.database.db
    .update(subscriptionState)
    .set({ status: 'canceled' })
    .where(eq(subscriptionState.userId, other.id))
  expect((await prove('bakery.test')).status).toBe(200)
})

test('of two teams that prove one domain at once, one gets it', async () => {
  const other = await buildOwner(server)
  await as(server, owner)('add-team-domain', { email: 'it@bakery.test' })
  const code = codeTo('it@bakery.test')
  await as(server, other)('add-team-domain', { email: 'hq@bakery.test' })
  const answers = await Promise.all([
    as(server, owner)('prove-team-domain', { domain: 'bakery.test', code }),
    as(server, other)('prove-team-domain', { domain: 'bakery.test', code: codeTo('hq@bakery.test') }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a team has five domains, and only an owner with an active plan adds them', async () => {
  for (let count = 1; count <= 5; count += 1) await prove(`bakery${count}.test`)
  const sixth = await as(server, owner)('add-team-domain', { email: 'it@bakery6.test' })
  expect(sixth.body.error).toBe('A team can have 5 domains. Remove one first.')
  const again = await as(server, owner)('add-team-domain', { email: 'hq@bakery5.test' })
  expect(again.body.error).toBe('bakery5.test already gives access.')
  const member = await build('ana@elsewhere.test')
  await seat(server, owner, member)
  expect((await as(server, member)('add-team-domain', { email: 'it@bakery7.test' })).body.code).toBe('no_team_plan')
})

test('who left or was removed gets no seat by domain, also with a plus or a new account, until the owner invites', async () => {
  await prove('bakery.test')
  const [ana, ben] = [await build('ana@bakery.test'), await build('ben@bakery.test')]
  await signIn(ana)
  await signIn(ben)
  await as(server, owner)('remove-member', { userId: ana.id })
  await as(server, ben)('leave-team')
  for (const person of [ana, ben, await build('ana+new@bakery.test')]) await signIn(person)
  await server.database.db.delete(users).where(eq(users.id, ana.id))
  const again = await build('ana@bakery.test')
  await signIn(again)
  expect(await seated()).toEqual([])
  expect((await teamOf(owner)).owned?.requests).toEqual([])
  await as(server, again)('join-team', await invite(server, owner, again.email))
  expect(await seated()).toEqual([again.id])
  expect(await server.database.db.select().from(formerTeamMember)).toHaveLength(1)
})

test('a team whose plan or owner is suspended or deleted gives no seats', async () => {
  await prove('bakery.test')
  const ana = await build('ana@bakery.test')
  const { db } = server.database
  await db
    .update(users)
    .set({ bannedUntil: new Date(server.clock.now.getTime() + dayMs) })
    .where(eq(users.id, owner.id))
  await signIn(ana)
  await db.update(users).set({ bannedUntil: null }).where(eq(users.id, owner.id))
  await db.update(subscriptionState).set({ status: 'canceled' })
  await signIn(ana)
  expect(await seated()).toEqual([])
  await db.delete(users).where(eq(users.id, owner.id))
  await signIn(ana)
  expect(await db.select().from(teamDomain)).toEqual([])
})

test('without a free seat, one request reaches the owner, and yes gives the seat once one is free', async () => {
  await fill()
  await prove('bakery.test')
  const ana = await build('ana@bakery.test')
  await signIn(ana)
  await signIn(ana)
  expect(subjectsTo(server, owner).filter((subject) => subject.includes('asks for a seat'))).toHaveLength(1)
  expect(subjectsTo(server, ana)[0]).toBe('Your team has no free seat yet')
  expect((await teamOf(ana)).request).toMatchObject({ ownerEmail: owner.email, seats: 1, declined: false })
  expect((await teamOf(owner)).owned?.requests).toMatchObject([{ email: ana.email, isMember: false, seats: 1 }])
  const yes = { userId: ana.id, accept: true }
  expect((await as(server, owner)('answer-seat-request', yes)).body.code).toBe('team_full')
  await as(server, owner)('remove-member', { userId: (await seated())[0] })
  const answers = await Promise.all([1, 2].map(() => as(server, owner)('answer-seat-request', yes)))
  expect(answers.map(({ body }) => body.answered).toSorted()).toEqual([false, true])
  expect(await seated()).toContain(ana.id)
  expect(subjectsTo(server, ana)[0]).toBe('Your team has room: 1 seat')
  expect(await server.database.db.select().from(seatRequest)).toEqual([])
})

test('no is told once, and signing in doesn’t ask again', async () => {
  await fill()
  await prove('bakery.test')
  const ana = await build('ana@bakery.test')
  await signIn(ana)
  await as(server, owner)('answer-seat-request', { userId: ana.id, accept: false })
  await signIn(ana)
  expect((await teamOf(owner)).owned?.requests).toEqual([])
  expect((await teamOf(ana)).request).toMatchObject({ declined: true })
  expect(subjectsTo(server, ana)[0]).toBe('Your request for a seat was declined')
})

test('a member asks for seats for others, and someone invited to a full team for their own', async () => {
  const [member, guest] = [await build('ana@elsewhere.test'), await build('guest@elsewhere.test')]
  await seat(server, owner, member)
  const { token } = await invite(server, owner, guest.email)
  expect((await as(server, member)('request-seats', { seats: 1 })).body.error).toBe(
    'Your team has enough free seats for that.',
  )
  await seat(server, owner, await build('last@elsewhere.test'))
  const asked = await Promise.all([1, 2, 3].map(() => as(server, member)('request-seats', { seats: 2 })))
  expect(asked.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await as(server, guest)('request-seats', { seats: 1, token })).status).toBe(200)
  expect((await teamOf(owner)).owned?.requests).toMatchObject([
    { email: member.email, isMember: true, seats: 2 },
    { email: guest.email, isMember: false, seats: 1 },
  ])
  const stranger = await build('stranger@elsewhere.test')
  expect((await as(server, stranger)('request-seats', { seats: 1, token })).body.code).toBe('invitation_invalid')
  expect((await as(server, stranger)('request-seats', { seats: 1 })).body.code).toBe('not_in_team')
  // No one answers for another team.
  const other = await buildOwner(server)
  const foreign = await as(server, other)('answer-seat-request', { userId: guest.id, accept: true })
  expect(foreign.body).toEqual({ answered: false })
  await as(server, owner)('answer-seat-request', { userId: member.id, accept: false })
  await as(server, owner)('remove-member', { userId: member.id })
  expect((await as(server, owner)('answer-seat-request', { userId: guest.id, accept: true })).status).toBe(200)
  expect(await seated()).toContain(guest.id)
})

test('someone invited to a full team is told if they ask again after a no', async () => {
  const guest = await build('guest@elsewhere.test')
  const { token } = await invite(server, owner, guest.email)
  await fill()
  const ask = () => as(server, guest)('request-seats', { seats: 1, token })
  expect((await ask()).status).toBe(200)
  await as(server, owner)('answer-seat-request', { userId: guest.id, accept: false })
  expect((await ask()).body).toMatchObject({
    code: 'conflict',
    error: 'The team’s owner has declined your request for a seat.',
  })
})

test('however people sign in on two nodes, no more get a seat than are free, and the rest are requests', async () => {
  const nodes = [server.app, createApp({ ...server.deps, database: { ...server.deps.database } })]
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 1 }),
      fc.array(fc.record({ person: fc.nat(3), node: fc.nat(1) }), { minLength: 4, maxLength: 8 }),
      async (taken, sequence) => {
        await server.database.truncate()
        owner = await buildOwner(server)
        for (let count = 0; count < taken; count += 1)
          await seat(server, owner, await build(`s${count}@elsewhere.test`))
        await prove('bakery.test')
        const people = await Promise.all(['a', 'b', 'c', 'd'].map((name) => build(`${name}@bakery.test`)))
        await Promise.all(sequence.map(({ person, node }) => signIn(people[person] as TestUser, nodes[node])))
        const asking = new Set(sequence.map(({ person }) => person)).size
        const joined = Math.min(asking, 2 - taken)
        expect(await seated()).toHaveLength(taken + joined)
        expect(await server.database.db.select().from(seatRequest)).toHaveLength(asking - joined)
      },
    ),
    { numRuns: 6 },
  )
})
