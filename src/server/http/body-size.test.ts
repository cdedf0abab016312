import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBodySize } from './body-size.ts'
import type { AppEnv } from './principal.ts'

const chunked = (bytes: number) =>
  ({
    method: 'POST',
    headers: { 'transfer-encoding': 'chunked' },
    body: new Blob(['x'.repeat(bytes)]).stream(),
    duplex: 'half',
  }) as RequestInit

test('uploads have their own memory limit, and finished requests free theirs', async () => {
  const held = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  const app = new Hono<AppEnv>()
    .use(limitBodySize({ maxBytes: 100, larger: new Map([['/upload', { maxBytes: 100 }]]), maxTotalBytes: 150 }))
    .post('/hold', async (c) => {
      await c.req.text()
      reading.resolve()
      await held.promise
      return c.text('held')
    })
    .post('/upload', async (c) => c.text(String((await c.req.text()).length)))
    .post('/other', async (c) => c.text(String((await c.req.text()).length)))
    .onError((error, c) => c.text(error.message, 503))

  const first = app.request('/hold', chunked(100))
  await reading.promise
  expect((await app.request('/other', chunked(60))).status).toBe(503)
  expect(await (await app.request('/upload', chunked(90))).text()).toBe('90')
  held.resolve()
  expect((await first).status).toBe(200)
  expect(await (await app.request('/other', chunked(60))).text()).toBe('60')
})

test('a streamed file counts toward no total and stops at its limit', async () => {
  const app = new Hono<AppEnv>()
    .use(
      limitBodySize({
        maxBytes: 100,
        larger: new Map([['/stream', { maxBytes: 1_000, streamed: true }]]),
        maxTotalBytes: 150,
      }),
    )
    .post('/stream', async (c) => c.text(String((await c.req.text()).length)))
    .onError((error, c) => c.text(error.message, 413))

  expect(await (await app.request('/stream', chunked(900))).text()).toBe('900')
  expect((await app.request('/stream', chunked(1_001))).status).toBe(413)
})
