import { expect, test } from 'vitest'
import { limitConcurrency } from './keyed-queue.ts'

test('runs so many tasks at a time, in order, and one that fails makes room for the next', async () => {
  const started: number[] = []
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const withinLimit = limitConcurrency(2)
  const results = gates.map(({ promise }, index) =>
    withinLimit(() => {
      started.push(index)
      return promise
    }),
  )
  await expect.poll(() => started, { interval: 1 }).toEqual([0, 1])
  gates[0]?.reject(new Error('failed'))
  await expect(results[0]).rejects.toThrow('failed')
  await expect.poll(() => started, { interval: 1 }).toEqual([0, 1, 2])
  for (const { resolve } of gates.slice(1)) resolve()
  await Promise.all(results.slice(1))
  expect(started).toEqual([0, 1, 2, 3])
})
