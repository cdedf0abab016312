import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openPostgres } from '#server/db/open-postgres.ts'
import { createTestApp } from '#tests/support/create-test-app.ts'
import { openTestDatabase } from '#tests/support/open-test-database.ts'
import { startPostgres, whyNoPostgres } from '../../../scripts/postgres.ts'

const post = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describe.runIf(process.env.DATABASE_URL)('Attack 8, a database that stalls', () => {
  test('a sign-in that waits for a lock ends with 503 instead of hanging, and works again afterwards', async () => {
    const kept = await openTestDatabase()
    const database = await openPostgres(kept.url ?? '', { queryTimeoutMs: 300 })
    const server = await createTestApp({ database: { ...database, url: kept.url, truncate: kept.truncate } })
    const credentials = { email: 'stalled@example.test', password: 'front-counter' }
    expect((await server.request('/auth/v1/signup', post(credentials))).status).toBe(200)

    const other = new pg.Client({ connectionString: kept.url })
    await other.connect()
    await other.query('begin; lock table auth.users, auth.sessions in access exclusive mode')
    const stalled = await server.request('/auth/v1/token?grant_type=password', post(credentials))
    expect(stalled.status).toBe(503)
    expect(await stalled.json()).toMatchObject({ error_code: 'server_busy' })
    await other.query('rollback')

    expect((await server.request('/auth/v1/token?grant_type=password', post(credentials))).status).toBe(200)
    await other.end()
    await server.close()
    await kept.close()
  })

  test('a job may take longer than a request', async () => {
    const kept = await openTestDatabase()
    const database = await openPostgres(kept.url ?? '', { queryTimeoutMs: 100 })
    await expect(database.db.execute('select pg_sleep(0.5)')).rejects.toThrow()
    await expect(database.background.execute('select pg_sleep(0.5)')).resolves.toBeDefined()
    await database.close()
    await kept.close()
  })

  test('the server reports not ready while the database is down, and stays up', async () => {
    const kept = await openTestDatabase()
    const server = await createTestApp({ database: kept })
    expect((await server.request('/readyz')).status).toBe(200)
    const down = { ...kept, read: () => Promise.reject(new Error('connect ECONNREFUSED')) }
    const other = await createTestApp({ database: down })
    expect((await other.request('/readyz')).status).toBe(503)
    expect((await other.request('/healthz')).status).toBe(200)
    await kept.close()
  })

  test('requests end with 503 while the database is gone', async ({ skip }) => {
    const missing = whyNoPostgres()
    if (missing && !process.env.CI) skip(missing)
    const postgres = await startPostgres()
    const database = await openPostgres(postgres.url)
    const server = await createTestApp({ database: { ...database, url: postgres.url, truncate: async () => {} } })
    const credentials = { email: 'gone@example.test', password: 'front-counter' }
    const signedUp = await (await server.request('/auth/v1/signup', post(credentials))).json()
    const headers = { authorization: `Bearer ${(signedUp as { access_token: string }).access_token}` }
    await postgres.stop()
    for (const answer of [
      await server.request('/auth/v1/token?grant_type=password', post(credentials)),
      await server.request('/auth/v1/user', { headers }),
      await server.request('/rest/v1/user_roles?select=role', { headers }),
      await server.request('/functions/v1/get-preferences', { ...post({}), headers }),
    ]) {
      expect(answer.status).toBe(503)
      expect(await answer.text()).toContain('service_unavailable')
    }
    await server.close()
  })
})
