import { expect, test } from 'vitest'
import { CallError, isTransient, readCallError } from './error-message.ts'

test('an error response keeps the code and message of the server', async () => {
  const error = await readCallError(
    Response.json({ error: 'Not authenticated', code: 'not_authenticated' }, { status: 401 }),
  )
  expect(error).toMatchObject({ code: 'not_authenticated', message: 'Not authenticated', status: 401 })
})

test('a body of another shape gives a generic message', async () => {
  for (const body of ['<html>Bad gateway</html>', '', '[]', 'null', '{"error":5}']) {
    const error = await readCallError(new Response(body, { status: 502 }))
    expect(error).toMatchObject({ code: 'unexpected_failure', status: 502 })
    expect(error.message).toContain('Try again')
  }
})

test('only network errors, rate limits and server errors are transient', () => {
  expect(isTransient(new CallError('network', 'No answer', 0))).toBe(true)
  expect(isTransient(new CallError('unexpected_failure', 'Sorry', 500))).toBe(true)
  expect(isTransient(new CallError('overloaded', 'Later', 429))).toBe(true)
  expect(isTransient(new CallError('not_subscribed', 'No', 403))).toBe(false)
})
