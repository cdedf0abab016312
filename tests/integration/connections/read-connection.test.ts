import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauthConsents, userRoles, users } from '#server/db/schema/index.ts'
import { readConnection } from '#server/features/identity/connections/read-connection.ts'
import { rightNames } from '#shared/domain/connection-rights.ts'
import { buildConnection } from '#tests/support/build-connection.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const read = (token: string) => readConnection(app.deps, token)

describe('an access token of a connection', () => {
  test('stands for its person, with the rights that they gave', async () => {
    const { id: userId } = await buildUser(app)
    const made = await buildConnection(app, { userId, rights: ['library:read', 'activity:write'] })
    const found = await read(made.token)
    expect(found).toMatchObject({ connectionId: made.connectionId, clientId: made.clientId, userId })
    expect([...(found?.rights ?? [])]).toEqual(['library:read', 'activity:write'])
  })

  test('gives publishers’ rights only while the person has the role', async () => {
    const { id: userId } = await buildUser(app, { role: 'support' })
    const { token } = await buildConnection(app, { userId, rights: rightNames })
    const names = async () => [...((await read(token))?.rights ?? [])]
    expect(await names()).not.toContain('drafts:write')
    expect(await names()).toContain('members:read')
    await app.deps.database.db.delete(userRoles).where(eq(userRoles.userId, userId))
    expect(await names()).not.toContain('members:read')
  })

  test('ends by its time, its connection, its account and for another address', async () => {
    const { id: userId } = await buildUser(app)
    const { token, connectionId } = await buildConnection(app, { userId, rights: ['library:read'] })
    const moved = { ...app.deps, config: { ...app.deps.config, publicUrl: 'https://elsewhere.test' } }
    expect(await readConnection(moved, token)).toBeUndefined()
    const { db } = app.deps.database
    await db
      .update(users)
      .set({ bannedUntil: new Date('9999-12-31') })
      .where(eq(users.id, userId))
    expect(await read(token)).toBeUndefined()
    await db.update(users).set({ bannedUntil: null }).where(eq(users.id, userId))
    expect(await read(token)).toBeDefined()
    app.clock.advance(app.deps.config.auth.accessTokenSeconds * 1000)
    expect(await read(token)).toBeUndefined()
    app.clock.advance(-app.deps.config.auth.accessTokenSeconds * 1000)
    await db.delete(oauthConsents).where(eq(oauthConsents.id, connectionId))
    expect(await read(token)).toBeUndefined()
  })

  test('is refused when altered or made up', async () => {
    const { id: userId } = await buildUser(app)
    const { token, refreshToken } = await buildConnection(app, { userId, rights: ['library:read'] })
    const altered = token.replace(/\.(\d+)\./, (_, end) => `.${Number(end) + 1}.`)
    for (const given of [altered, `${token}x`, refreshToken, '', 'fca_', 'x'.repeat(10_000)]) {
      expect(await read(given)).toBeUndefined()
    }
  })

  test('records its last use to the minute', async () => {
    const { id: userId } = await buildUser(app)
    const { token, connectionId } = await buildConnection(app, { userId, rights: ['library:read'] })
    const used = async () => {
      const [row] = await app.deps.database.db.select().from(oauthConsents).where(eq(oauthConsents.id, connectionId))
      return row?.lastUsedAt?.getTime()
    }
    await read(token)
    const first = app.clock.now.getTime()
    app.clock.advance(30_000)
    await read(token)
    expect(await used()).toBe(first)
    app.clock.advance(30_000)
    await read(token)
    expect(await used()).toBe(first + 60_000)
  })
})
