import { MutationObserver, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query-client.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  queryClient.clear()
})

test('a mutation fails at once while offline instead of running later', async () => {
  onlineManager.setOnline(false)
  const mutation = new MutationObserver(queryClient, { mutationFn: () => Promise.reject(new Error('no network')) })
  await expect(mutation.mutate()).rejects.toThrow('no network')
}, 2_000)

test('a change during the first read of a query reads it again', async () => {
  const reads: PromiseWithResolvers<string>[] = []
  const queryFn = () => {
    const read = Promise.withResolvers<string>()
    reads.push(read)
    return read.promise
  }
  const observer = new QueryObserver(queryClient, { queryKey: ['invitations'], queryFn })
  const unsubscribe = observer.subscribe(() => {})
  const reread = queryClient.invalidateQueries({ queryKey: ['invitations'] })
  reads[0]?.resolve('from before the change')
  await expect.poll(() => reads.length).toBe(2)
  reads[1]?.resolve('with the change')
  await reread
  expect(observer.getCurrentResult().data).toBe('with the change')
  expect(reads).toHaveLength(2)
  unsubscribe()
})

test('a change after the first read reads a query once', async () => {
  let reads = 0
  const observer = new QueryObserver(queryClient, { queryKey: ['invitations'], queryFn: () => ++reads })
  const unsubscribe = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().data).toBe(1)
  await queryClient.invalidateQueries({ queryKey: ['invitations'] })
  expect(observer.getCurrentResult().data).toBe(2)
  unsubscribe()
})
