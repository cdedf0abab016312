import { expect, test } from 'vitest'
import { isDatabaseReady } from './is-database-ready.ts'

test('concurrent checks share one query', async () => {
  const answer = Promise.withResolvers<never[]>()
  let asked = 0
  const read = () => {
    asked += 1
    return answer.promise
  }
  const both = [isDatabaseReady({ read }), isDatabaseReady({ read })]
  answer.resolve([])
  expect(await Promise.all(both)).toEqual([true, true])
  expect(asked).toBe(1)
  await isDatabaseReady({ read })
  expect(asked).toBe(2)
})
