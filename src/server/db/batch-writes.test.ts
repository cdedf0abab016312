import { expect, test } from 'vitest'
import { batchByDatabase, batchWrites } from './batch-writes.ts'
import type { Database } from './database.ts'

/** Records the batches; each is stored when its `finish` is called. */
function openStore() {
  const batches: { items: readonly string[]; finish(error?: Error): void }[] = []
  const write = batchWrites(async (items: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    batches.push({ items, finish: (error) => (error ? reject(error) : resolve()) })
    await promise
  })
  const batch = (number: number) =>
    expect
      .poll(() => batches[number], { interval: 1 })
      .toBeDefined()
      .then(() => batches[number])
  return { write, batches, batch }
}

test('items that arrive while a batch is being stored are stored together, and each resolves with its batch', async () => {
  const { write, batches, batch } = openStore()
  const resolved: string[] = []
  const writeAndNote = (item: string) => write(item).then(() => resolved.push(item))
  const first = writeAndNote('a')
  await batch(0)
  const others = ['b', 'c', 'd'].map(writeAndNote)
  expect(batches).toHaveLength(1)
  batches[0]?.finish()
  await first
  expect((await batch(1))?.items).toEqual(['b', 'c', 'd'])
  expect(resolved).toEqual(['a'])
  batches[1]?.finish()
  await Promise.all(others)
  expect(resolved).toEqual(['a', 'b', 'c', 'd'])
})

test('an item that cannot be stored fails alone, and later items are stored', async () => {
  const stored: string[] = []
  const write = batchWrites(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('cannot be stored')
    stored.push(...items)
  })
  const results = await Promise.allSettled(['a', 'bad', 'b'].map(write))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  await write('c')
  expect(stored).toEqual(['a', 'b', 'c'])
})

test('a batch has at most 100 items', async () => {
  const sizes: number[] = []
  const write = batchWrites(async (items: readonly number[]) => void sizes.push(items.length))
  await Promise.all(Array.from({ length: 250 }, (_, index) => write(index)))
  expect(sizes).toEqual([100, 100, 50])
})

test('each item gets its own result, and two databases share no batch', async () => {
  const batches: string[] = []
  const read = batchByDatabase(async ({ kind }, items: readonly number[]) => {
    batches.push(`${kind} ${items.join(' ')}`)
    return items.map((item) => `${kind} ${item}`)
  })
  const [one, other] = [{ kind: 'pglite' }, { kind: 'postgres' }] as Database[]
  if (!one || !other) throw new Error('no databases')
  expect(await Promise.all([read(one, 1), read(other, 2), read(one, 3)])).toEqual([
    'pglite 1',
    'postgres 2',
    'pglite 3',
  ])
  expect(batches).toEqual(['pglite 1 3', 'postgres 2'])
})
