import { OutgoingMessage, type ServerResponse } from 'node:http'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { dropDefaultHeader, setDefaultHeader } from './default-header.ts'
import type { AppEnv } from './principal.ts'

const app = new Hono<AppEnv>()
  .use((c, next) => {
    setDefaultHeader(c, 'Cache-Control', 'no-store')
    return next()
  })
  .get('/plain', (c) => c.json({}))
  .get('/own', (c) => c.json({}, 200, { 'Cache-Control': 'public' }))
  .get('/without', (c) => {
    dropDefaultHeader(c, 'Cache-Control')
    return c.json({})
  })

test('a response has the header unless its handler sets or drops it, without Node’s server', async () => {
  expect((await app.request('/plain')).headers.get('cache-control')).toBe('no-store')
  expect((await app.request('/own')).headers.get('cache-control')).toBe('public')
  expect((await app.request('/without')).headers.get('cache-control')).toBeNull()
})

test('on Node’s server, the header is set on Node’s response', async () => {
  const outgoing = new OutgoingMessage() as ServerResponse
  await app.request('/plain', {}, { outgoing } as AppEnv['Bindings'])
  expect(outgoing.getHeader('cache-control')).toBe('no-store')
  await app.request('/without', {}, { outgoing } as AppEnv['Bindings'])
  expect(outgoing.getHeader('cache-control')).toBeUndefined()
})
