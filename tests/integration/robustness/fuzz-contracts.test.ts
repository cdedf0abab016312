import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { seedContent } from '#server/seed/seed-content.ts'
import { openBilling } from '#tests/integration/billing/support.ts'
import { allCalls } from '#tests/support/all-calls.ts'
import { arbitraryInput } from '#tests/support/arbitrary-input.ts'
import { buildUser } from '#tests/support/build-user.ts'
import { caseCount } from '#tests/support/case-count.ts'
import { openForTests } from '#tests/support/open-for-tests.ts'

const calls = await allCalls()
const billing = openForTests(() => openBilling())
beforeAll(() => seedContent(billing.server.deps))

let token = ''

const toQuery = (input: unknown) =>
  Object.entries(input ?? {})
    .map((pair) => pair.map((part) => encodeURIComponent(toText(part).toWellFormed())).join('='))
    .join('&')

const toText = (part: unknown) => (typeof part === 'string' ? part : (JSON.stringify(part) ?? ''))

async function ask({ name, file }: Pick<(typeof calls)[number], 'name' | 'file'>, input: unknown) {
  const query = file ? `?${toQuery(input)}` : ''
  return billing.server.request(`/functions/v1/${name}${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: file ? 'not a file' : JSON.stringify(input),
  })
}

/** As an owner with a plan. A call can end the session or give up the role. */
async function askAsOwner(call: Pick<(typeof calls)[number], 'name' | 'file'>, input: unknown) {
  const answer = await ask(call, input)
  if (answer.status !== 401) return answer
  token = (await buildUser(billing.server, { admin: true, subscription: 'active' })).token
  return ask(call, input)
}

/** `FUZZ_CALLS=80000` sends more calls, `FUZZ_SEED` others. */
const numRuns = caseCount(1_000, 3_000, 'FUZZ_CALLS')

test('no input of any call gets a 5xx', { timeout: Math.max(240_000, numRuns * 50) }, async () => {
  const accepted = new Set<string>()
  const inputs = calls.map(({ name, file, input }) => fc.tuple(fc.constant({ name, file }), arbitraryInput(input)))
  await fc.assert(
    fc.asyncProperty(fc.oneof(...inputs), async ([call, input]) => {
      const answer = await askAsOwner(call, input)
      if (answer.ok) accepted.add(call.name)
      if (answer.status >= 500) throw new Error(`${call.name} answers ${answer.status}: ${await answer.text()}`)
    }),
    { numRuns, seed: Number(process.env.FUZZ_SEED ?? 20_261_126) },
  )
  // Not everything was rejected at the door.
  expect(accepted.size).toBeGreaterThan(calls.length / 5)
})
