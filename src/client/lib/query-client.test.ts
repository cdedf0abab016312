import { MutationObserver, onlineManager } from '@tanstack/react-query'
import { afterEach, expect, test } from 'vitest'
import { queryClient } from './query-client.ts'

afterEach(() => onlineManager.setOnline(true))

test('a mutation fails at once while offline instead of running later', async () => {
  onlineManager.setOnline(false)
  const mutation = new MutationObserver(queryClient, { mutationFn: () => Promise.reject(new Error('no network')) })
  await expect(mutation.mutate()).rejects.toThrow('no network')
}, 2_000)
