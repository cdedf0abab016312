import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserConfigSchema } from '#shared/contracts/browser-config.ts'
import { createTestApp, type TestApp } from '#tests/support/create-test-app.ts'

let server: TestApp
beforeAll(async () => {
  server = await createTestApp()
})
afterAll(() => server.close())

test('the health check responds', async () => {
  const answer = await server.request('/healthz')
  expect(answer.status).toBe(200)
})

test('an unknown call is refused in the format of calls, an unknown path as JSON', async () => {
  const call = await server.request('/functions/v1/nothing', { method: 'POST' })
  expect(call.status).toBe(404)
  expect(await call.json()).toMatchObject({ code: 'not_found', error: expect.any(String) })
  expect((await server.request('/auth/v1/nothing')).status).toBe(404)
})

test('every response has a request id and a content security policy without inline scripts', async () => {
  const answer = await server.request('/healthz')
  expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
  const policy = answer.headers.get('Content-Security-Policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).toMatch(/base-uri|frame-ancestors/)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

test('the browser gets the URLs it needs and nothing secret', async () => {
  const config = browserConfigSchema.parse(await (await server.request('/config.json')).json())
  expect(config).toEqual({ url: 'http://localhost:3000', publishableKey: expect.any(String), sandbox: true })
})

test('a body above a megabyte is refused in the format of each mount, with or without a declared length', async () => {
  const text = 'x'.repeat(1_100_000)
  const stream = () => new Blob([text]).stream()
  for (const [path, shape] of [
    ['/auth/v1/signup', { error_code: 'request_entity_too_large', msg: expect.any(String) }],
    ['/rest/v1/user_roles', { code: expect.any(String), message: expect.any(String), details: null, hint: null }],
    ['/functions/v1/plans', { code: 'request_entity_too_large', error: expect.any(String) }],
  ] as const) {
    const response = await server.request(path, {
      method: 'POST',
      body: text,
      headers: { 'content-length': String(text.length) },
    })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject(shape)
    const untold = await server.request(path, {
      method: 'POST',
      body: stream(),
      headers: { 'transfer-encoding': 'chunked' },
      duplex: 'half',
    } as RequestInit)
    expect([405, 413]).toContain(untold.status)
  }
})

test('a client that disconnects during its body is not a server error', async () => {
  for (const path of ['/auth/v1/signup', '/functions/v1/plans']) {
    const body = new ReadableStream({ start: (stream) => stream.error(new Error('aborted')) })
    const answer = await server.request(path, { method: 'POST', body, duplex: 'half' } as RequestInit)
    expect(answer.status).toBe(400)
  }
})
