import { expect, test } from 'vitest'
import { CallError, isTransient, readCallError } from './call-error.ts'

test('a refusal keeps the code and the words of the server', async () => {
  const refusal = await readCallError(
    Response.json({ error: 'Not authenticated', code: 'not_authenticated' }, { status: 401 }),
  )
  expect(refusal).toMatchObject({ code: 'not_authenticated', message: 'Not authenticated', status: 401 })
})

test('a body that is not ours still gives a sentence for people', async () => {
  for (const body of ['<html>Bad gateway</html>', '', '[]', 'null', '{"error":5}']) {
    const refusal = await readCallError(new Response(body, { status: 502 }))
    expect(refusal).toMatchObject({ code: 'unexpected_failure', status: 502 })
    expect(refusal.message).toContain('Try again')
  }
})

test('only silence, overload and server trouble are worth asking again', () => {
  expect(isTransient(new CallError('network', 'No answer', 0))).toBe(true)
  expect(isTransient(new CallError('unexpected_failure', 'Sorry', 500))).toBe(true)
  expect(isTransient(new CallError('overloaded', 'Later', 429))).toBe(true)
  expect(isTransient(new CallError('not_subscribed', 'No', 403))).toBe(false)
})
