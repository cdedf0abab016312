import { expect, test } from 'vitest'
import { createBatchWriter } from './batch-writer.ts'

function slowWriter() {
  const writes: { items: number[]; done: PromiseWithResolvers<void> }[] = []
  const write = (items: number[]) => {
    const done = Promise.withResolvers<void>()
    writes.push({ items, done })
    return done.promise
  }
  return { writes, write }
}

test('The first item is written at once; items during a write are batched', async () => {
  const { writes, write } = slowWriter()
  const add = createBatchWriter(write)
  const first = add([1])
  const others = [add([2]), add([3, 4])]
  expect(writes.map(({ items }) => items)).toEqual([[1]])
  writes[0]?.done.resolve()
  await first
  await expect.poll(() => writes.map(({ items }) => items)).toEqual([[1], [2, 3, 4]])
  writes[1]?.done.resolve()
  await Promise.all(others)
})

test('A failed write rejects its own items only', async () => {
  const { writes, write } = slowWriter()
  const add = createBatchWriter(write)
  const [first, second] = [add([1]), add([2])]
  writes[0]?.done.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await expect.poll(() => writes.length).toBe(2)
  writes[1]?.done.resolve()
  await second
})

test('No write grows without limit, and no item is lost or written twice', async () => {
  const written: number[][] = []
  const add = createBatchWriter<number>(async (items) => void written.push(items), 10)
  await Promise.all([
    ...Array.from({ length: 25 }, (_, n) => add([n])),
    add(Array.from({ length: 12 }, (_, n) => 100 + n)),
  ])
  expect(written.flat().toSorted((a, b) => a - b)).toEqual([
    ...Array.from({ length: 25 }, (_, n) => n),
    ...Array.from({ length: 12 }, (_, n) => 100 + n),
  ])
  expect(written.filter(({ length }) => length > 10)).toHaveLength(1)
  await add([])
})
