import { expect, test } from 'vitest'
import type { ClaimedDelivery, DeliveryResult } from './compose-delivery.ts'
import { createDeliveryWorkers } from './delivery-workers.ts'

/** Workers whose deliveries end when the test says so. */
function workersOf(slots: number) {
  const sending = new Map<string, () => void>()
  const workers = createDeliveryWorkers({
    slots,
    deliver: ({ id }) =>
      new Promise((resolve) => {
        sending.set(id, () => {
          sending.delete(id)
          resolve({ id } as DeliveryResult)
        })
      }),
    onProgress: () => {},
  })
  const start = (...ids: number[]) => workers.start(ids.map((id) => ({ id: `${id}` }) as ClaimedDelivery))
  return { sending, start, workers }
}

const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index)

test.each([1, 2, 9, 10])('%i deliveries on ten connections are all sent at once', (count) => {
  const { sending, start } = workersOf(10)
  start(...numbers(count))
  expect(sending.size).toBe(count)
})

test('deliveries that arrive later use the connections that are free', () => {
  const { sending, start, workers } = workersOf(10)
  for (const first of [1, 4, 7]) start(...numbers(3, first))
  expect(sending.size).toBe(9)
  start(...numbers(4, 10))
  expect(sending.size).toBe(10)
  expect(workers.inFlight()).toBe(13)
})

test('a connection that becomes free takes the next delivery', async () => {
  const { sending, start, workers } = workersOf(2)
  start(...numbers(3))
  sending.get('1')?.()
  await expect.poll(() => [...sending.keys()]).toEqual(['2', '3'])
  expect(workers.takeResults().map(({ id }) => id)).toEqual(['1'])
})
