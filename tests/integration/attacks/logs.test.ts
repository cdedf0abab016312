import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '#server/app.ts'
import { createLogger } from '#server/http/logger.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
const lines: string[] = []
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

const logger = createLogger('debug', { write: (line: string) => void lines.push(line) })

describe('Attack 8, secrets in the log', () => {
  test('a bearer link never appears in the log; product calls and tables are named', async () => {
    const { request } = createApp({ ...server.deps, logger })
    for (const path of ['/exports/s3cret-link', '/downloads/s3cret-link', '/unsubscribe/s3cret-link'])
      await request(path)
    await request('/functions/v1/plans', { method: 'POST', body: '{}' })
    await request('/rest/v1/user_roles?select=role')
    await request('/functions/v1/s3cret%2Flink', { method: 'POST' })
    const written = lines.join('')
    expect(written).not.toContain('s3cret')
    expect(written).toContain('"route":"/downloads/')
    expect(written).toContain('"route":"/functions/v1/plans"')
    expect(written).toContain('"route":"/rest/v1/user_roles"')
  })

  test('error codes stay readable, and emailed codes don’t appear', () => {
    lines.length = 0
    for (const code of ['57014', 'ECONNREFUSED', 'over_request_rate_limit']) {
      logger.error({ err: Object.assign(new Error('failed'), { code }) }, 'failed')
      expect(lines.join('')).toContain(`"errorCode":"${code}"`)
    }
    lines.length = 0
    logger.info({ code: '123456', body: { code: '654321' }, input: { body: { code: 'a1b2c3' } } }, 'a slip')
    expect(lines.join('')).not.toMatch(/123456|654321|a1b2c3/)
  })
})
