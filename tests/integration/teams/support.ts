import { eq } from 'drizzle-orm'
import { readConfig } from '#server/config/config.ts'
import { teamSeat } from '#server/db/schema/index.ts'
import { buildUser, type TestUser, type UserOptions } from '#tests/support/build-user.ts'
import { call } from '#tests/support/client-for.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '#tests/support/create-test-app.ts'

export const dayMs = 24 * 60 * 60 * 1000

/** Auth settings for tests that move the clock by days: sessions and step-up don't expire. */
export const patientAuth = {
  ...readConfig({ NODE_ENV: 'test' }).auth,
  accessTokenSeconds: 10 * 365 * 24 * 60 * 60,
  stepUpSeconds: 60 * 24 * 60 * 60,
}

export const createTeamApp = (options: TestAppOptions = {}) =>
  createTestApp({ ...options, config: { auth: patientAuth, ...options.config } })

/** A user with an active Team plan. */
export const buildOwner = (server: TestApp, options: UserOptions = {}) =>
  buildUser(server, { subscription: 'active', plan: 'team_monthly', ...options })

/** The token and code of the newest invitation to an address. */
export function invitationIn(server: TestApp, email: string): { token: string; code: string } {
  const text = server.outbox.list(email).find(({ subject }) => subject.startsWith('You’re invited to a'))?.text ?? ''
  const token = /\/team\/join#invitation=([\w-]+)/.exec(text)?.[1]
  const code = /\b[0-9A-Z]{4}-[0-9A-Z]{4}\b/.exec(text)?.[0]
  if (!token || !code) throw new Error(`no invitation to ${email}`)
  return { token, code }
}

export const as =
  (server: Pick<TestApp, 'app'>, user: TestUser) =>
  (name: string, body: unknown = {}) =>
    call(server, name, body, user.token)

export async function invite(server: TestApp, owner: TestUser, email: string) {
  const answer = await as(server, owner)('invite-member', { email })
  if (answer.status !== 200) throw new Error(`not invited: ${JSON.stringify(answer.body)}`)
  return invitationIn(server, email)
}

/** Invites and joins. */
export async function seat(server: TestApp, owner: TestUser, member: TestUser) {
  const { token } = await invite(server, owner, member.email)
  const answer = await as(server, member)('join-team', { token })
  if (answer.status !== 200) throw new Error(`not joined: ${JSON.stringify(answer.body)}`)
}

export const seatsOf = (server: TestApp, owner: TestUser) =>
  server.database.db.select().from(teamSeat).where(eq(teamSeat.ownerId, owner.id))

export const subjectsTo = (server: TestApp, user: Pick<TestUser, 'email'>) =>
  server.outbox.list(user.email).map(({ subject }) => subject)
