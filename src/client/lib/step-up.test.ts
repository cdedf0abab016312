import { afterEach, expect, test } from 'vitest'
import { CallError } from './error-message.ts'
import { StepUpDeclined, stepUpHost, stepUpNeed, withStepUp } from './step-up.ts'

const rejected = (code: string) => new CallError(code, 'no', 403)

/** Responds to every request and records its need. */
function answerWith(confirmed: boolean) {
  const asked: string[] = []
  const stop = stepUpHost.subscribe(() => {
    const request = stepUpHost.request()
    if (!request) return
    asked.push(request.need)
    queueMicrotask(() => request.answer(confirmed))
  })
  cleanUp.push(stop)
  return asked
}

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const stop of cleanUp.splice(0)) stop()
})

/** Fails once, then succeeds. */
function stale(code = 'step_up_required') {
  let runs = 0
  return async () => {
    runs += 1
    if (runs === 1) throw rejected(code)
    return runs
  }
}

test('an action that requires step-up runs again after it', async () => {
  const asked = answerWith(true)
  expect(await withStepUp(stale())).toBe(2)
  expect(await withStepUp(stale('insufficient_aal'))).toBe(2)
  expect(asked).toEqual(['fresh', 'second-factor'])
})

test('an action does not run again if step-up is declined', async () => {
  answerWith(false)
  await expect(withStepUp(stale())).rejects.toBeInstanceOf(StepUpDeclined)
})

test('other errors pass through without a request', async () => {
  const asked = answerWith(true)
  await expect(withStepUp(stale('not_admin'))).rejects.toMatchObject({ code: 'not_admin' })
  expect(asked).toEqual([])
})

test('two concurrent actions share one request', async () => {
  const asked = answerWith(true)
  expect(await Promise.all([withStepUp(stale()), withStepUp(stale('reauthentication_needed'))])).toEqual([2, 2])
  expect(asked).toEqual(['fresh'])
})

test('a second rejection after step-up is an error, not a second request', async () => {
  const asked = answerWith(true)
  const never = () => Promise.reject(rejected('step_up_required'))
  await expect(withStepUp(never)).rejects.toMatchObject({ code: 'step_up_required' })
  expect(asked).toHaveLength(1)
})

test('only step-up codes require step-up', () => {
  expect(stepUpNeed(rejected('constructor'))).toBeNull()
  expect(stepUpNeed('step_up_required')).toBeNull()
})
