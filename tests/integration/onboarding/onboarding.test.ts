import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { userPreferences, users } from '#server/db/schema/index.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { call, clientFor } from '#tests/support/client-for.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'
import { seedFirstDrops } from '#tests/support/seed-first-drops.ts'

const answers = {
  focusAreas: ['Finance', 'Marketing'],
  aiLevel: 'intermediate',
  goals: ['Reduce costs'],
  franchiseType: 'Retail',
}

const server = openForTests(() => createTestApp({ env: { PUBLIC_URL: 'https://counter.example' } }))
beforeEach(async () => {
  await server.database.truncate({ keepsContent: true })
  await seedFirstDrops(server.deps)
})

const storedOf = async (userId: string) => {
  const [row] = await server.database.db.select().from(userPreferences).where(eq(userPreferences.userId, userId))
  return row
}

describe('finishing onboarding', () => {
  test('stores the answers for the session’s user, whatever email the body contains', async () => {
    const [user, victim] = [await buildUser(server), await buildUser(server)]
    const { data, error } = await clientFor(server, user.token).functions.invoke('onboarding-welcome', {
      body: { email: victim.email, ...answers },
    })
    expect(error).toBeNull()
    expect(data).toEqual({ preferences: answers })
    expect(await storedOf(user.id)).toMatchObject(answers)
    expect(await storedOf(victim.id)).toBeUndefined()
    expect(server.outbox.list(victim.email)).toEqual([])
    expect(server.outbox.list(user.email)).toHaveLength(1)
  })

  test('without a plan, the welcome email lists only matching drops, without links, and leads to the plans', async () => {
    const user = await buildUser(server)
    await call(server, 'onboarding-welcome', { email: user.email, ...answers, focusAreas: ['Finance'] }, user.token)
    const [email] = server.outbox.list(user.email)
    expect(email?.subject).toBe('Welcome to Front Counter. Next: choose a plan')
    expect(email?.text).toContain('These drops match your focus area, Finance:')
    expect(email?.text).toContain('Find ten minutes in your close')
    expect(email?.text).not.toContain('A week of reviews')
    expect(email?.text).toContain('Choose a plan:\nhttps://counter.example/#pricing')
    expect(email?.html).not.toContain('/portal')
    expect(email?.text).not.toMatch(/undefined|null|\[object/)
  })

  test('with a chosen plan, the welcome email leads to its checkout', async () => {
    const user = await buildUser(server)
    const { db } = server.database
    await db
      .update(users)
      .set({ rawUserMetaData: { chosen_plan: 'pro_yearly' } })
      .where(eq(users.id, user.id))
    await call(server, 'onboarding-welcome', answers, user.token)
    const [email] = server.outbox.list(user.email)
    expect(email?.subject).toBe('Welcome to Front Counter. Next: checkout')
    expect(email?.text).toContain('You chose Pro Yearly, $99 per year.')
    expect(email?.text).toContain('Continue to checkout:\nhttps://counter.example/checkout/pro_yearly')
    expect(email?.text).not.toContain('Choose a plan')
  })

  test('a chosen plan that isn’t sold is ignored', async () => {
    const user = await buildUser(server)
    const { db } = server.database
    await db
      .update(users)
      .set({ rawUserMetaData: { chosen_plan: 'gold' } })
      .where(eq(users.id, user.id))
    await call(server, 'onboarding-welcome', answers, user.token)
    expect(server.outbox.list(user.email)[0]?.subject).toBe('Welcome to Front Counter. Next: choose a plan')
  })

  test.each([
    ['a subscriber', { subscription: 'active' }],
    ['a subscriber on trial', { subscription: 'trialing' }],
  ] as const)('the welcome of %s links the drops that match and the portal', async (_who, options) => {
    const user = await buildUser(server, options)
    await call(server, 'onboarding-welcome', answers, user.token)
    const [email] = server.outbox.list(user.email)
    const slugs = [...(email?.text ?? '').matchAll(/https:\/\/counter\.example\/portal\/weekly-drops\/(\S+)/g)]
    expect(slugs.map((match) => match[1])).toEqual([
      'ten-minutes-in-your-close',
      'a-week-of-reviews',
      'year-end-pl-review',
    ])
    expect(email?.text).toContain('Open your portal:\nhttps://counter.example/portal')
    expect(email?.text).not.toContain('#pricing')
  })

  test('with a team invitation, the welcome email leads to the invitation and not to a plan', async () => {
    const [owner, user] = [
      await buildUser(server, { subscription: 'active', plan: 'team_monthly' }),
      await buildUser(server),
    ]
    expect((await call(server, 'invite-member', { email: user.email }, owner.token)).status).toBe(200)
    await call(server, 'onboarding-welcome', answers, user.token)
    const [email] = server.outbox.list(user.email)
    expect(email?.subject).toBe('Welcome to Front Counter. Next: join your team')
    expect(email?.text).toContain('Join your team:\nhttps://counter.example/team/join')
    expect(email?.text).not.toContain('#pricing')
  })

  test('a second click stores again and sends no second welcome email', async () => {
    const user = await buildUser(server)
    await call(server, 'onboarding-welcome', answers, user.token)
    const again = await call(server, 'onboarding-welcome', { ...answers, aiLevel: 'advanced' }, user.token)
    expect(again.status).toBe(200)
    expect(await storedOf(user.id)).toMatchObject({ aiLevel: 'advanced' })
    expect(server.outbox.list(user.email)).toHaveLength(1)
  })

  test('two concurrent clicks send one welcome email', async () => {
    const user = await buildUser(server)
    const clicks = await Promise.all([1, 2, 3].map(() => call(server, 'onboarding-welcome', answers, user.token)))
    expect(clicks.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(server.outbox.list(user.email)).toHaveLength(1)
  })

  test('nothing is stored if the welcome email cannot be enqueued', async () => {
    const broken = await createTestApp({ database: server.database })
    broken.deps.enqueue = async () => {
      throw new Error('the queue is down')
    }
    const { createApp } = await import('#server/app.ts')
    const user = await buildUser(broken)
    const answer = await call({ app: createApp(broken.deps) }, 'onboarding-welcome', answers, user.token)
    expect(answer.status).toBe(500)
    expect(await storedOf(user.id)).toBeUndefined()
  })

  test('goals and franchise type may be missing, and an empty choice counts as none', async () => {
    const user = await buildUser(server)
    const few = { focusAreas: ['Sales'], aiLevel: 'beginner' }
    expect((await call(server, 'onboarding-welcome', few, user.token)).body).toEqual({
      preferences: { ...few, goals: [], franchiseType: null },
    })
    expect((await call(server, 'onboarding-welcome', { ...few, franchiseType: '' }, user.token)).status).toBe(200)
  })

  test('the first error uses the form’s words, and nothing changes', async () => {
    const user = await buildUser(server)
    const cases = [
      [{ ...answers, focusAreas: [] }, 'Select at least one focus area'],
      [{ ...answers, aiLevel: '' }, 'Please select your AI familiarity level'],
      [{ ...answers, aiLevel: undefined }, 'Please select your AI familiarity level'],
    ] as const
    for (const [body, error] of cases) {
      const answer = await call(server, 'onboarding-welcome', body, user.token)
      expect(answer).toMatchObject({ status: 400, body: { error, code: 'validation_failed' } })
    }
    expect(await storedOf(user.id)).toBeUndefined()
    expect(server.outbox.list(user.email)).toEqual([])
  })

  test('signed-out calls are refused with Not authenticated', async () => {
    const answer = await call(server, 'onboarding-welcome', answers)
    expect(answer).toMatchObject({ status: 401, body: { error: 'Not authenticated' } })
  })

  test('no request body causes a server error', async () => {
    const user = await buildUser(server)
    const field = fc.oneof(fc.jsonValue(), fc.constantFrom(...answers.focusAreas, 'beginner', '\u0000', '\ud800'))
    const body = fc.oneof(
      fc.jsonValue(),
      fc.record({ focusAreas: fc.oneof(fc.array(field), field), aiLevel: field, goals: field, email: field }),
    )
    await fc.assert(
      fc.asyncProperty(body, async (value) => {
        const answer = await call(server, 'onboarding-welcome', value, user.token)
        expect(answer.status === 200 || answer.status === 400).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})

describe('preferences later', () => {
  test('are null before and then returned as stored', async () => {
    const user = await buildUser(server)
    expect((await call(server, 'get-preferences', undefined, user.token)).body).toEqual({ preferences: null })
    await call(server, 'update-preferences', answers, user.token)
    expect((await call(server, 'get-preferences', undefined, user.token)).body).toEqual({ preferences: answers })
  })

  test('the first answers send the welcome email wherever they are given; later ones do not', async () => {
    const user = await buildUser(server)
    await call(server, 'update-preferences', answers, user.token)
    expect(server.outbox.list(user.email).map(({ subject }) => subject)).toEqual([
      'Welcome to Front Counter. Next: choose a plan',
    ])
    await call(server, 'update-preferences', { ...answers, aiLevel: 'advanced' }, user.token)
    await call(server, 'onboarding-welcome', answers, user.token)
    expect(server.outbox.list(user.email)).toHaveLength(1)
  })

  test('changing answers from before the welcome email existed sends none', async () => {
    const user = await buildUser(server, { preferences: {} })
    await call(server, 'update-preferences', answers, user.token)
    expect(server.outbox.list(user.email)).toEqual([])
  })
})
