import { afterEach, expect, test } from 'vitest'
import { CallError } from './call-error.ts'
import { StepUpDeclined, stepUpHost, stepUpNeed, withStepUp } from './step-up.ts'

const refused = (code: string) => new CallError(code, 'no', 403)

/** Answers every question that comes up, and remembers what was asked. */
function answerWith(confirmed: boolean) {
  const asked: string[] = []
  const stop = stepUpHost.subscribe(() => {
    const question = stepUpHost.question()
    if (!question) return
    asked.push(question.need)
    queueMicrotask(() => question.answer(confirmed))
  })
  cleanUp.push(stop)
  return asked
}

const cleanUp: (() => void)[] = []
afterEach(() => {
  for (const stop of cleanUp.splice(0)) stop()
})

/** Refuses once, then does it. */
function stale(code = 'step_up_required') {
  let runs = 0
  return async () => {
    runs += 1
    if (runs === 1) throw refused(code)
    return runs
  }
}

test('an action that is refused for want of a proof runs again after it', async () => {
  const asked = answerWith(true)
  expect(await withStepUp(stale())).toBe(2)
  expect(await withStepUp(stale('insufficient_aal'))).toBe(2)
  expect(asked).toEqual(['fresh', 'second-factor'])
})

test('an action does not run again when the question is declined', async () => {
  answerWith(false)
  await expect(withStepUp(stale())).rejects.toBeInstanceOf(StepUpDeclined)
})

test('another refusal is passed on without a question', async () => {
  const asked = answerWith(true)
  await expect(withStepUp(stale('not_admin'))).rejects.toMatchObject({ code: 'not_admin' })
  expect(asked).toEqual([])
})

test('two actions that are refused at once are asked for once', async () => {
  const asked = answerWith(true)
  expect(await Promise.all([withStepUp(stale()), withStepUp(stale('reauthentication_needed'))])).toEqual([2, 2])
  expect(asked).toEqual(['fresh'])
})

test('a second refusal after the proof is an error, not a second question', async () => {
  const asked = answerWith(true)
  const never = () => Promise.reject(refused('step_up_required'))
  await expect(withStepUp(never)).rejects.toMatchObject({ code: 'step_up_required' })
  expect(asked).toHaveLength(1)
})

test('only codes that ask for a proof are needs', () => {
  expect(stepUpNeed(refused('constructor'))).toBeNull()
  expect(stepUpNeed('step_up_required')).toBeNull()
})
